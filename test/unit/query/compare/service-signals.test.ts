import { describe, expect, it } from '@jest/globals'
import { GatewayError } from '../../../../src/domain/errors.js'
import { DEFAULT_RETENTION, type Namespace } from '../../../../src/domain/namespace.js'
import { warningSentence } from '../../../../src/domain/warning.js'
import type { EventStore } from '../../../../src/ports/event-store.js'
import type { MetricStore } from '../../../../src/ports/metric-store.js'
import { MAX_COMPARED_GROUPS } from '../../../../src/query/compare/compared-errors.js'
import { MAX_COMPARED_SERVICES, ServiceSignals } from '../../../../src/query/compare/service-signals.js'

const HOUR_MS = 3_600_000
const HOUR_NS = 3_600_000_000_000n
const NOW_NS = 1_000_000n * HOUR_NS
const NS = { id: 'compared', retention: DEFAULT_RETENTION } as unknown as Namespace
const NEVER = new AbortController().signal

/** A store that has so many groups of one error each. */
function eventsWith(groups: number): EventStore {
  const values = Array.from({ length: Math.min(groups, MAX_COMPARED_GROUPS) }, (_, i) => ({ value: `f${i}`, count: 1 }))
  const facet = { field: { in: 'known', name: 'fingerprint' }, values, missing: 0, distinct: { value: groups, relation: 'eq' } }
  const found = { total: { value: groups, relation: 'eq' }, facets: [facet], distributions: [], complete: true, warnings: [] }
  return { searchErrors: () => Promise.resolve(found) } as unknown as EventStore
}

const NO_METRICS = {
  series: () => Promise.reject(new GatewayError('store_unavailable', 'no store of metrics'))
} as unknown as MetricStore

/** What a comparison of the last two hours states. */
async function warningsOf(given: { readonly groups?: number; readonly services?: number; readonly ns?: Namespace }) {
  const { groups = 1, services = 1, ns = NS } = given
  const signals = new ServiceSignals({ events: eventsWith(groups), metrics: NO_METRICS })
  const windows = {
    base: { startNs: NOW_NS - 2n * HOUR_NS, endNs: NOW_NS - HOUR_NS },
    other: { startNs: NOW_NS - HOUR_NS, endNs: NOW_NS },
    services: Array.from({ length: services }, (_, i) => `s${i}`),
    nowNs: NOW_NS,
    count: () => Promise.resolve(1_000)
  }
  const { warnings } = await signals.compare(ns, windows, NEVER)
  return warnings.map(warningSentence).filter(sentence => !sentence.startsWith('metrics were not compared'))
}

describe('errors and metrics of compared services', () => {
  it('state nothing when all were compared', async () => {
    await expect(warningsOf({ groups: MAX_COMPARED_GROUPS, services: MAX_COMPARED_SERVICES })).resolves.toEqual([])
  })

  it('state that services were left out', async () => {
    await expect(warningsOf({ services: MAX_COMPARED_SERVICES + 2 })).resolves.toEqual([
      'error groups and metrics of 2 services with fewer rows were not compared'
    ])
  })

  it('state that groups were left out', async () => {
    await expect(warningsOf({ groups: MAX_COMPARED_GROUPS + 1 })).resolves.toEqual([
      'of 201 error groups the most frequent 200 of each side were compared'
    ])
  })

  it('state that the retention of errors is shorter than a window', async () => {
    const ns = { ...NS, retention: { ...DEFAULT_RETENTION, errors: 1.5 * HOUR_MS } }
    await expect(warningsOf({ ns })).resolves.toEqual([
      expect.stringMatching(/^errors before .* are past this namespace's retention$/)
    ])
  })
})
