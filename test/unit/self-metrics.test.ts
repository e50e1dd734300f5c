import { describe, expect, it } from '@jest/globals'
import type { NamespaceId } from '../../src/domain/ids.js'
import type { UsageDelta, UsageLedger } from '../../src/ports/usage-ledger.js'
import type { MetricSources } from '../../src/telemetry/self-metrics.js'
import { createSelfMetrics } from '../../src/telemetry/self-metrics.js'
import { QUIET_MONITOR } from '../support/quiet-jobs.js'

const DELTA: UsageDelta = {
  namespaceId: 'secretnamespace' as NamespaceId,
  day: '2026-11-20',
  signal: 'logs',
  stored: 7,
  rejected: 2,
  deduplicated: 1,
  dropped: 0,
  bytes: 900
}

function sources(gauges: MetricSources['gauges'] = async () => ({})): MetricSources {
  return { gauges, jobs: () => [], gaugesJob: QUIET_MONITOR }
}

function ledger(add: UsageLedger['add']): UsageLedger {
  return { add, of: async () => [] }
}

describe('metrics of the service', () => {
  it('count what the ledger took, and name no namespace', async () => {
    const metrics = createSelfMetrics('1', sources())
    await metrics.counting(ledger(async () => undefined)).add([DELTA, DELTA])
    const { text } = await metrics.scrape()
    expect(text).toContain('alidade_ingest_records_total{signal="logs",outcome="accepted"} 14')
    expect(text).toContain('alidade_ingest_records_total{signal="logs",outcome="rejected"} 4')
    expect(text).toContain('alidade_ingest_bytes_total{signal="logs"} 1800')
    expect(text).not.toContain('secretnamespace')
  })

  it('do not count what the ledger refused: it will come again', async () => {
    const metrics = createSelfMetrics('1', sources())
    const failing = ledger(async () => Promise.reject(new Error('locked')))
    await expect(metrics.counting(failing).add([DELTA])).rejects.toThrow('locked')
    expect((await metrics.scrape()).text).not.toContain('outcome="accepted"')
  })

  it('show the numbers of the engine, and the rest when it is unavailable', async () => {
    let isUp = true
    const metrics = createSelfMetrics(
      '1',
      sources(async () => (isUp ? { queue_bytes: 42 } : Promise.reject(new Error('down'))))
    )
    expect((await metrics.scrape()).text).toContain('alidade_store_queue_bytes 42')
    isUp = false
    expect((await metrics.scrape()).text).toContain('alidade_build_info{version="1"} 1')
  })

  it('show a number as it is when they are requested', async () => {
    const metrics = createSelfMetrics('1', sources())
    let bytes = 1
    metrics.show('alidade_bytes', 'Bytes', () => bytes)
    bytes = 7
    expect((await metrics.scrape()).text).toContain('alidade_bytes 7')
  })
})
