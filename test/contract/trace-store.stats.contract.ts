import { expect, it } from '@jest/globals'
import { EVERYTHING } from '../../src/domain/filter.js'
import type { NamespaceId } from '../../src/domain/ids.js'
import type { SpanStatsRequest, TraceStore } from '../../src/ports/trace-store.js'
import { known } from './log-fixtures.js'
import { BASE_NS, describeStores, EVERY_TIME, NEVER, newNamespace, type OpenStores } from './store-under-test.js'
import { type SpanSketch, storeSpansApart } from './trace-fixtures.js'

// Search stores may estimate percentiles within 2 %.
const TOLERANCE = 0.02

function stats(traces: TraceStore, ns: NamespaceId, given: Partial<SpanStatsRequest> = {}) {
  const request = { range: EVERY_TIME, filter: EVERYTHING, groupBy: [], percentiles: [], limit: 100, ...given }
  return traces.stats(ns, request, NEVER)
}

function near(wanted: number): unknown {
  return expect.closeTo(wanted, -Math.log10(2 * Math.max(wanted * TOLERANCE, 1e-9)))
}

const SPANS: readonly SpanSketch[] = [
  { at: 0, took: 100, service: 'web', name: 'GET', kind: 'server' },
  { at: 10, took: 200, service: 'web', name: 'GET', kind: 'server', status: 'error' },
  { at: 20, took: 300, service: 'web', name: 'PUT', kind: 'server' },
  { at: 15, took: 1_000, service: 'db', name: 'SELECT', kind: 'client', status: 'error' },
  { at: 25, took: 50, name: 'lost' }
]

/** Requests, errors and durations. */
export function traceStatsContract(name: string, open: OpenStores): void {
  describeStores(`${name}: TraceStore stats`, open, of => {
    it('counts spans and errors per group, most first, ties by key', async () => {
      const ns = newNamespace()
      await storeSpansApart(of().traces, ns, SPANS)
      const byService = await stats(of().traces, ns, { groupBy: [known('service')], percentiles: [0.5] })
      expect(byService).toEqual({
        rows: [
          { key: ['web'], spans: 3, errors: 1, percentilesNs: [near(200)], lastSeenNs: BASE_NS + 20n },
          { key: ['db'], spans: 1, errors: 1, percentilesNs: [near(1_000)], lastSeenNs: BASE_NS + 15n },
          { key: [null], spans: 1, errors: 0, percentilesNs: [near(50)], lastSeenNs: BASE_NS + 25n }
        ],
        hasMore: false,
        complete: true,
        warnings: []
      })
      const byTwo = await stats(of().traces, ns, { groupBy: [known('service'), known('name')], limit: 2 })
      expect(byTwo.rows.map(({ key, spans }) => [...key, spans])).toEqual([
        ['web', 'GET', 2],
        ['db', 'SELECT', 1]
      ])
      expect(byTwo.hasMore).toBe(true)
      const byKind = await stats(of().traces, ns, { groupBy: [known('kind'), known('status')] })
      expect(byKind.rows.map(({ key, spans }) => [...key, spans])).toEqual([
        ['server', 'unset', 2],
        ['client', 'error', 1],
        ['internal', 'unset', 1],
        ['server', 'error', 1]
      ])
    })

    it('answers one row over all, and none without spans', async () => {
      const ns = newNamespace()
      await storeSpansApart(of().traces, ns, SPANS)
      const { rows } = await stats(of().traces, ns, { percentiles: [0.5, 0.99] })
      expect(rows).toEqual([{ key: [], spans: 5, errors: 2, percentilesNs: [near(200), near(972)], lastSeenNs: BASE_NS + 25n }])
      expect((await stats(of().traces, newNamespace())).rows).toEqual([])
      expect((await stats(of().traces, newNamespace(), { groupBy: [known('service')] })).rows).toEqual([])
    })

    it('keeps to the range and the filter', async () => {
      const ns = newNamespace()
      await storeSpansApart(of().traces, ns, SPANS)
      const filter = { kind: 'eq', field: known('service'), value: 'web' } as const
      const range = { startNs: BASE_NS + 10n, endNs: BASE_NS + 20n }
      expect((await stats(of().traces, ns, { filter, range })).rows).toMatchObject([{ spans: 1, errors: 1 }])
    })

    it('counts per bucket of a grid, each row its own', async () => {
      const ns = newNamespace()
      await storeSpansApart(of().traces, ns, SPANS)
      const grid = { startNs: BASE_NS, stepNs: 10n, count: 3 }
      const { rows } = await stats(of().traces, ns, { groupBy: [known('service')], grid })
      expect(rows.map(row => [row.key[0], row.grid])).toEqual([
        ['web', { spans: [1, 1, 1], errors: [0, 1, 0] }],
        ['db', { spans: [0, 1, 0], errors: [0, 1, 0] }],
        [null, { spans: [0, 0, 1], errors: [0, 0, 0] }]
      ])
      const early = await stats(of().traces, ns, { grid: { startNs: BASE_NS - 5n, stepNs: 10n, count: 2 } })
      expect(early.rows).toMatchObject([{ spans: 5, grid: { spans: [1, 1], errors: [0, 1] } }])
    })

    it('counts durations up to bounds, and beyond the last', async () => {
      const ns = newNamespace()
      await storeSpansApart(of().traces, ns, SPANS)
      const { rows } = await stats(of().traces, ns, { boundsNs: [50n, 200n, 999n] })
      expect(rows[0]!.buckets).toEqual([1, 2, 1, 1])
      expect((await stats(of().traces, ns, { boundsNs: [] })).rows[0]!.buckets).toEqual([5])
    })
  })
}
