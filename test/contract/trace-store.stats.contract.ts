import { expect, it } from '@jest/globals'
import { MATCH_ALL } from '../../src/domain/filter.js'
import type { NamespaceId } from '../../src/domain/ids.js'
import type { SpanStatsRequest, TraceStore } from '../../src/ports/trace-store.js'
import { latencyBounds, latencySeries, MOST_FINE_POINTS } from '../../src/query/apm/latency-series.js'
import { known } from './log-fixtures.js'
import { BASE_NS, describeStores, EVERY_TIME, NEVER, newNamespace, type OpenStores } from './store-under-test.js'
import { type SpanSketch, storeSpans, storeSpansApart } from './trace-fixtures.js'

// Search stores may estimate percentiles within 2 %.
const TOLERANCE = 0.02

function stats(traces: TraceStore, ns: NamespaceId, given: Partial<SpanStatsRequest> = {}) {
  const request = { range: EVERY_TIME, filter: MATCH_ALL, groupBy: [], percentiles: [], limit: 100, ...given }
  return traces.stats(ns, request, NEVER)
}

function near(expected: number): unknown {
  return expect.closeTo(expected, -Math.log10(2 * Math.max(expected * TOLERANCE, 1e-9)))
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

    it('returns one row over all, and none without spans', async () => {
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

    it('adds up durations per bucket of a grid, where that is requested', async () => {
      const ns = newNamespace()
      await storeSpansApart(of().traces, ns, [...SPANS, { at: 12, took: 7, service: 'db', name: 'COMMIT' }])
      const grid = { startNs: BASE_NS, stepNs: 10n, count: 3, sums: true }
      const { rows, warnings } = await stats(of().traces, ns, { groupBy: [known('service')], grid })
      expect(rows.map(row => [row.key[0], row.grid])).toEqual([
        ['web', { spans: [1, 1, 1], errors: [0, 1, 0], durationsNs: [100n, 200n, 300n] }],
        ['db', { spans: [0, 2, 0], errors: [0, 1, 0], durationsNs: [0n, 1_007n, 0n] }],
        [null, { spans: [0, 0, 1], errors: [0, 0, 0], durationsNs: [0n, 0n, 50n] }]
      ])
      expect(warnings).toEqual([])
      const early = { startNs: BASE_NS - 5n, stepNs: 10n, count: 2, sums: true }
      expect((await stats(of().traces, ns, { grid: early, percentiles: [0.5] })).rows).toMatchObject([
        { spans: 6, percentilesNs: [near(150)], grid: { spans: [1, 2], durationsNs: [100n, 207n] } }
      ])
      const served = { kind: 'eq', field: known('kind'), value: 'server' } as const
      const cut = await stats(of().traces, ns, { groupBy: [known('name')], grid, filter: served, limit: 1 })
      expect(cut).toMatchObject({ rows: [{ key: ['GET'], grid: { durationsNs: [100n, 200n, 0n] } }], hasMore: true })
      const none = { grid: { ...early, startNs: BASE_NS - 100n } }
      expect((await stats(of().traces, ns, none)).rows[0]!.grid!.durationsNs).toEqual([0n, 0n])
      expect((await stats(of().traces, newNamespace(), { grid })).rows).toEqual([])
    })

    it('adds up durations exactly, or reports that they are rounded', async () => {
      const ns = newNamespace()
      const long = 2n ** 53n - 6n
      await storeSpansApart(of().traces, ns, [{ took: long }, { took: 5n }, { at: 10, took: long }, { at: 11, took: 2n ** 62n }])
      const grid = { startNs: BASE_NS, stepNs: 10n, count: 2, sums: true }
      const whole = await stats(of().traces, ns, { grid: { ...grid, count: 1 } })
      expect([whole.rows[0]!.grid!.durationsNs, whole.warnings]).toEqual([[long + 5n], []])
      const { rows, warnings } = await stats(of().traces, ns, { grid })
      const found = rows[0]!.grid!.durationsNs!
      const exact = [long + 5n, long + 2n ** 62n]
      expect(found.map(Number)).toEqual(exact.map(Number))
      expect(warnings).toEqual(found[1] === exact[1] ? [] : ['sums of durations beyond 2^53 nanoseconds are rounded'])
    })

    it('counts durations up to bounds per bucket of a grid, where that is requested', async () => {
      const ns = newNamespace()
      await storeSpansApart(of().traces, ns, SPANS)
      const grid = { startNs: BASE_NS, stepNs: 10n, count: 3, buckets: true }
      const { rows } = await stats(of().traces, ns, { groupBy: [known('service')], grid, boundsNs: [100n, 200n] })
      expect(rows.map(row => [row.key[0], row.buckets, row.grid])).toEqual([
        [
          'web',
          [1, 1, 1],
          {
            spans: [1, 1, 1],
            errors: [0, 1, 0],
            buckets: [
              [1, 0, 0],
              [0, 1, 0],
              [0, 0, 1]
            ]
          }
        ],
        [
          'db',
          [0, 0, 1],
          {
            spans: [0, 1, 0],
            errors: [0, 1, 0],
            buckets: [
              [0, 0, 0],
              [0, 0, 0],
              [0, 1, 0]
            ]
          }
        ],
        [
          null,
          [1, 0, 0],
          {
            spans: [0, 0, 1],
            errors: [0, 0, 0],
            buckets: [
              [0, 0, 1],
              [0, 0, 0],
              [0, 0, 0]
            ]
          }
        ]
      ])
      const both = await stats(of().traces, ns, { grid: { ...grid, sums: true }, boundsNs: [] })
      expect(both.rows[0]!.grid).toMatchObject({ durationsNs: [100n, 1_200n, 350n], buckets: [[1, 2, 2]] })
    })

    it('counts durations per bucket of a grid by all bounds of percentiles over time', async () => {
      const ns = newNamespace()
      const stepNs = 1_000_000_000n
      const took = (i: number): number => Math.round(200_000 * 1.37 ** (i % 40))
      const spans = Array.from({ length: 120 }, (_, i) => ({
        at: (i % 2) * 2e9,
        took: took(i),
        service: i % 3 === 0 ? 'a' : 'b'
      }))
      for (let i = 0; i < spans.length; i += 30) await storeSpans(of().traces, ns, spans.slice(i, i + 30))
      const measure = async (points: number) => {
        const boundsNs = latencyBounds(points)
        const grid = { startNs: BASE_NS, stepNs, count: points, buckets: true }
        const { rows } = await stats(of().traces, ns, { groupBy: [known('service')], grid, boundsNs })
        return rows.map(({ key, grid: counted }) => [key[0], latencySeries(counted!, boundsNs)] as const)
      }
      const exact = (service: string, at: number): number => {
        const all = spans.filter(span => span.service === service && span.at === at).map(span => span.took / 1e6)
        const rank = 0.95 * (all.length - 1)
        const [low, high] = [Math.floor, Math.ceil].map(round => all.sort((x, y) => x - y)[round(rank)]!) as [number, number]
        return low + (high - low) * (rank - Math.floor(rank))
      }
      for (const [points, error] of [
        [3, 0.05],
        [MOST_FINE_POINTS, 0.05],
        [500, 0.1]
      ] as const) {
        for (const [service, { p95Ms }] of await measure(points)) {
          expect(p95Ms).toHaveLength(points)
          expect(p95Ms[1]).toBeNull()
          for (const i of [0, 2]) {
            const target = exact(service!, i * 1e9)
            expect(Math.abs(p95Ms[i]! / target - 1)).toBeLessThanOrEqual(error)
          }
        }
      }
    })

    it('counts durations up to bounds, and beyond the last', async () => {
      const ns = newNamespace()
      await storeSpansApart(of().traces, ns, SPANS)
      const { rows } = await stats(of().traces, ns, { boundsNs: [50n, 200n, 999n] })
      expect(rows[0]!.buckets).toEqual([1, 2, 1, 1])
      expect((await stats(of().traces, ns, { boundsNs: [] })).rows[0]!.buckets).toEqual([5])
    })

    it('counts failed spans by the same bounds, where that is requested', async () => {
      const ns = newNamespace()
      await storeSpansApart(of().traces, ns, SPANS)
      const requested = { groupBy: [known('service')], boundsNs: [150n, 200n], errorBuckets: true }
      const { rows } = await stats(of().traces, ns, requested)
      expect(rows.map(({ key, buckets, errorBuckets }) => [key[0], buckets, errorBuckets])).toEqual([
        ['web', [1, 1, 1], [0, 1, 0]],
        ['db', [0, 0, 1], [0, 0, 1]],
        [null, [1, 0, 0], [0, 0, 0]]
      ])
      const grid = { startNs: BASE_NS, stepNs: 10n, count: 3, buckets: true }
      const onGrid = await stats(of().traces, ns, { ...requested, groupBy: [], grid, percentiles: [0.5] })
      expect(onGrid.rows).toMatchObject([
        { buckets: [2, 1, 2], errorBuckets: [0, 1, 1], grid: { spans: [1, 2, 2], errors: [0, 2, 0] } }
      ])
      expect((await stats(of().traces, ns, { boundsNs: [], errorBuckets: true })).rows[0]!.errorBuckets).toEqual([2])
      expect((await stats(of().traces, ns, { errorBuckets: true })).rows[0]).not.toHaveProperty('errorBuckets')
      expect((await stats(of().traces, ns, { boundsNs: [5n] })).rows[0]).not.toHaveProperty('errorBuckets')
    })
  })
}
