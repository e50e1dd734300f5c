import { describe, expect, it } from '@jest/globals'
import { GatewayError } from '../../../../src/domain/errors.js'
import type { LookedAt } from '../../../../src/query/correlation/missing-signals.js'
import { RelatedSignals, type RelatedSignalsDeps } from '../../../../src/query/correlation/related-signals.js'

const S_NS = 1_000_000_000n
const link = { basis: 'service', value: 'checkout', confidence: 'medium' } as const
const anchor = { kind: 'moment', found: true, traceId: null, links: [link], startNs: 0n, endNs: S_NS, logs: 0 }
const AT = {
  ...{ ns: { retention: { logs: null, traces: null } }, anchor, nowNs: 1_000n * S_NS },
  window: { startNs: 900n * S_NS, endNs: 990n * S_NS }
} as unknown as LookedAt

type Search = () => Promise<{ readonly rows: readonly unknown[] }>
const empty: Search = async () => ({ rows: [] })
const down: Search = async () => Promise.reject(new GatewayError('store_unavailable', 'the store is unavailable'))

function look(logs: Search, traces: Search, signal = new AbortController().signal) {
  const deps = { logSearch: { search: logs }, traceSearch: { search: traces }, isTraceStored: async () => false }
  return new RelatedSignals(deps as unknown as RelatedSignalsDeps).missing(AT, signal)
}

describe('the related signals of an anchor', () => {
  it('leaves out an end whose store is down, and reports it', async () => {
    const logsDown = await look(down, empty)
    expect(logsDown.missing.map(({ signal }) => signal)).toEqual(['traces'])
    expect(logsDown.warnings).toEqual(['logs could not be checked (store_unavailable)'])
    const tracesDown = await look(empty, down)
    expect(tracesDown.missing.map(({ signal }) => signal)).toEqual(['logs'])
    expect(tracesDown.warnings).toEqual(['traces could not be checked (store_unavailable)'])
    expect(await look(empty, empty)).toMatchObject({ missing: [{ signal: 'logs' }, { signal: 'traces' }], warnings: [] })
  })

  it('hides neither faults of our own nor that the caller has left', async () => {
    await expect(look(async () => Promise.reject(new TypeError('ours')), empty)).rejects.toThrow('ours')
    await expect(look(down, empty, AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone')
  })
})
