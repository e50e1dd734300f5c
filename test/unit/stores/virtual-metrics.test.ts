import { expect, it } from '@jest/globals'
import { GatewayError } from '../../../src/domain/errors.js'
import type { TimeRange } from '../../../src/domain/time-range.js'
import type { MetricStore, SeriesInfo } from '../../../src/ports/metric-store.js'
import type { SignalStores } from '../../../src/ports/stores.js'
import { seriesTest } from '../../../src/stores/metrics/label-matching.js'
import { VITALS } from '../../../src/domain/records/rum.js'
import { VITAL_BOUNDS } from '../../../src/stores/virtual/page-counts.js'
import { withVirtualMetrics } from '../../../src/stores/virtual/with-virtual-metrics.js'
import { BASE_NS, EVERY_TIME, NEVER, newNamespace } from '../../contract/fresh-ids.js'

const NS = newNamespace()
const STORED = { name: 'up', type: 'gauge', labels: [], firstSeenNs: BASE_NS, lastSeenNs: BASE_NS } as const
const CLOCK = { nowNs: () => EVERY_TIME.endNs, nowMs: () => Number(EVERY_TIME.endNs / 1_000_000n), monotonicMs: () => 0 }
const SPAN_METRICS = [
  ...['span_duration_seconds_bucket', 'span_duration_seconds_count', 'span_duration_seconds_sum'],
  'spans_total'
]
const NAMED = [{ name: '__name__', op: 'eq', value: 'spans_total' }] as const

function down(): Promise<never> {
  return Promise.reject(new GatewayError('store_unavailable', 'the log store is unavailable'))
}

function metricsWith(
  traces: object,
  known: readonly SeriesInfo[] = [STORED],
  hasMore = false,
  more: Partial<MetricStore> = {},
  logs: object = { search: down }
): MetricStore {
  const stored: Partial<MetricStore> = {
    ...more,
    series: async (_ns, matchers) => ({ series: known.filter(seriesTest(matchers)), hasMore: false }),
    labels: async () => ({ values: ['up'], hasMore }),
    metrics: async () => ({ metrics: [{ name: 'up', type: 'gauge', seriesCount: 1, lastSeenNs: BASE_NS }], hasMore: false })
  }
  const stores = { logs, events: { searchRum: down }, traces, metrics: stored }
  return withVirtualMetrics({ stores: stores as unknown as SignalStores, clock: CLOCK, retentionOf: () => null })
}

const HAS_SPANS = { searchSpans: async () => ({ hasMore: true }) }

it('lists metrics, series and names while other stores are down, without what is counted in those', async () => {
  const metrics = metricsWith(HAS_SPANS)
  const { metrics: listed } = await metrics.metrics(NS, { limit: 100 })
  expect(listed.map(({ name }) => name)).toEqual([...SPAN_METRICS, 'up'])
  expect((await metrics.series(NS, [], EVERY_TIME, 100)).series).toEqual([STORED])
  const names = await metrics.labels(NS, { label: '__name__', matchers: [], range: EVERY_TIME, limit: 100 }, NEVER)
  expect(names.values).toEqual([...SPAN_METRICS, 'up'])
})

it('reports faults that do not come from a store', async () => {
  const metrics = metricsWith({ searchSpans: () => Promise.reject(new TypeError('a mistake')) })
  await expect(metrics.metrics(NS, { limit: 100 })).rejects.toThrow('a mistake')
})

it('ends when no one waits any longer, instead of leaving metrics out', async () => {
  const caller = new AbortController()
  const given: AbortSignal[] = []
  const ended = (signal: AbortSignal): Promise<never> => {
    given.push(signal)
    caller.abort(new Error('gone'))
    return down()
  }
  const metrics = metricsWith({
    searchSpans: (_ns: string, _request: object, signal: AbortSignal) => ended(signal),
    stats: (_ns: string, _request: object, signal: AbortSignal) => ended(signal)
  })
  const browsing = { label: '__name__', matchers: [], range: EVERY_TIME, limit: 100 }
  await expect(metrics.labels(NS, browsing, caller.signal)).rejects.toThrow('gone')
  await expect(metrics.labels(NS, { ...browsing, matchers: NAMED }, caller.signal)).rejects.toThrow()
  await expect(metrics.series(NS, NAMED, EVERY_TIME, 100, caller.signal)).rejects.toThrow()
  await expect(metrics.metrics(NS, { limit: 100 }, caller.signal)).rejects.toThrow('gone')
  expect(given.length).toBeGreaterThan(3)
  expect(given.every(signal => signal === caller.signal)).toBe(true)
})

const ROW = {
  key: ['shop', 'GET /', null, 'ok'],
  spans: 1,
  errors: 0,
  percentilesNs: [],
  lastSeenNs: BASE_NS,
  grid: { spans: [1], errors: [0] }
}

it('lists the labels of counted series however many stored ones match next to them', async () => {
  const stored = Array.from({ length: 1_000 }, (_, i) => ({ ...STORED, name: 'cpu', labels: [{ name: 'host', value: `h${i}` }] }))
  const metrics = metricsWith({ stats: async () => ({ rows: [ROW], hasMore: false, complete: true, warnings: [] }) }, stored)
  const matchers = [{ name: '__name__', op: 'regex', value: 'cpu|spans_total' }] as const
  const names = await metrics.labels(NS, { label: '__name__', matchers, range: EVERY_TIME, limit: 100 }, NEVER)
  expect(names).toEqual({ values: ['spans_total', 'up'], hasMore: false })
})

it.each([EVERY_TIME.endNs, EVERY_TIME.endNs + 10n * 86_400_000_000_000n, 2n ** 63n - 1n])(
  'lists the series of the latest day that has been, also of a range that ends at %s',
  async endNs => {
    const requested: { range: TimeRange }[] = []
    const stats = async (_ns: string, request: (typeof requested)[number]) => {
      requested.push(request)
      return { rows: [ROW], hasMore: false, complete: true, warnings: [] }
    }
    const { series } = await metricsWith({ stats }, []).series(NS, NAMED, { startNs: 0n, endNs }, 100)
    expect(series).toHaveLength(1)
    expect(requested.map(({ range }) => range)).toEqual([
      { startNs: EVERY_TIME.endNs - 86_400_000_000_000n, endNs: EVERY_TIME.endNs }
    ])
  }
)

it('reports that there are more labels than the limit, with nothing counted next to the stored ones', async () => {
  const nothing = {
    searchSpans: async () => ({ hasMore: false }),
    stats: async () => ({ rows: [], hasMore: false, complete: true, warnings: [] })
  }
  const metrics = metricsWith(nothing, [STORED], true)
  const request = { label: '__name__', matchers: [], range: EVERY_TIME, limit: 1 }
  expect(await metrics.labels(NS, request, NEVER)).toEqual({ values: ['up'], hasMore: true })
  expect(await metrics.labels(NS, { ...request, matchers: NAMED }, NEVER)).toEqual({ values: ['up'], hasMore: true })
})

it('queries a store once whether there is anything to count, for all metrics that are counted in it', async () => {
  let requested = 0
  const metrics = metricsWith({ searchSpans: async () => ({ hasMore: ++requested > 0 }) })
  const { metrics: listed } = await metrics.metrics(NS, { limit: 100 })
  expect(listed.map(({ name }) => name)).toEqual([...SPAN_METRICS, 'up'])
  expect(requested).toBe(1)
})

it('queries a store once for all requested buckets of a histogram', async () => {
  const requested: { boundsNs?: readonly bigint[]; limit: number }[] = []
  const grid = { spans: [3], errors: [0], buckets: [[1], [0], [2]] }
  const stats = async (_ns: string, request: (typeof requested)[number]) => {
    requested.push(request)
    return { rows: [{ ...ROW, key: ['shop', 'GET /', 'ok'], grid }], hasMore: false, complete: true, warnings: [] }
  }
  const stored = { select: async () => [] }
  const metrics = metricsWith({ stats }, [], false, stored)
  const matchers = [
    { name: '__name__', op: 'eq', value: 'span_duration_seconds_bucket' },
    { name: 'le', op: 'regex', value: '0.0?1|\\+Inf' }
  ] as const
  const range = { startNs: BASE_NS, endNs: BASE_NS + 3_600_000_000_000n }
  const found = await metrics.select(NS, { matchers, range, maxSeries: 100, maxSamples: 100_000, windowMs: 14_400_000 }, NEVER)
  expect(requested).toMatchObject([{ boundsNs: [10_000_000n, 100_000_000n], limit: 33 }])
  expect(found.map(({ labels, values }) => [labels.find(({ name }) => name === 'le')!.value, values.at(-1)])).toEqual([
    ['+Inf', 3],
    ['0.01', 1],
    ['0.1', 1]
  ])
})

it.each([
  ['span_duration_seconds_sum', 1],
  ['span_duration_seconds_bucket', 15]
])('requests no more of %s from the store than the limit of samples allows', async (name, seriesPerRow) => {
  const requested: { grid: { count: number }; limit: number }[] = []
  const has = async (rows: number, maxSamples: number): Promise<number> => {
    const stats = async (_ns: string, request: (typeof requested)[number]) => {
      requested.push(request)
      const { count } = request.grid
      const zeros = Array.from({ length: count }, () => 0)
      const grid = { spans: zeros, errors: zeros, buckets: Array.from({ length: 15 }, () => zeros) }
      const all = Array.from({ length: rows }, (_, i) => ({ ...ROW, key: ['shop', `op ${i}`, 'ok'], grid }))
      return { rows: all.slice(0, request.limit), hasMore: rows > request.limit, complete: true, warnings: [] }
    }
    const metrics = metricsWith({ stats }, [], false, { select: async () => [] })
    const matchers = [{ name: '__name__', op: 'eq', value: name }] as const
    const range = { startNs: BASE_NS, endNs: BASE_NS + 600_000_000_000n }
    return (await metrics.select(NS, { matchers, range, maxSeries: 1_000, maxSamples, windowMs: 60_000 }, NEVER)).length
  }
  await has(0, 1_000_000)
  const perSeries = 2 * requested[0]!.grid.count
  const bound = 3 * seriesPerRow * perSeries
  expect(await has(3, bound)).toBe(3 * seriesPerRow)
  await expect(has(4, bound)).rejects.toThrow(`${name} exceeds the limit of ${bound} samples; use a shorter time range`)
  await expect(has(3, bound - 1)).rejects.toThrow(`${name} exceeds the limit of ${bound - 1} samples`)
  expect(requested.slice(1).map(({ limit }) => limit)).toEqual([3, 3, 2])
  await expect(has(1, perSeries - 1)).rejects.toThrow('use a shorter time range')
  await expect(has(1_001, 1e9)).rejects.toThrow(`${name} has more than 1000 series; add a label matcher`)
})

it.each([
  [{ hasMore: true, complete: true }, 'spans_total has more than 1000 series; add a label matcher'],
  [
    { hasMore: true, complete: false, warnings: ['only 20000 groups were compared'] },
    'spans_total cannot be counted completely (only 20000 groups were compared); add a label matcher'
  ],
  [
    { hasMore: false, complete: false, warnings: ['only some were compared'] },
    /cannot be counted completely \(only some were compared\)/
  ],
  [{ hasMore: false, complete: false, warnings: [] }, /cannot be counted completely \(its store returned only some/]
])('reports why spans are not counted: %j', async (found, reason) => {
  const metrics = metricsWith({ stats: async () => ({ rows: [ROW], warnings: [], ...found }) }, [])
  await expect(metrics.series(NS, NAMED, EVERY_TIME, 100)).rejects.toThrow(reason)
})

it('reports why logs are not counted', async () => {
  const search = async (_ns: string, { facets }: { readonly facets?: unknown }) => {
    const level = { values: [{ value: 'info', count: 1 }], missing: 0, other: 0 }
    if (facets !== undefined) return { facets: [level], complete: true, warnings: [] }
    return { histogram: [{ key: 'shop', counts: [1] }], complete: false, warnings: ['counts may be too high'] }
  }
  const metrics = metricsWith({}, [], false, {}, { search })
  const matchers = [{ name: '__name__', op: 'eq', value: 'log_records_total' }] as const
  await expect(metrics.series(NS, matchers, EVERY_TIME, 100)).rejects.toThrow(
    'log_records_total cannot be counted completely (counts may be too high)'
  )
})

it.each(Object.entries(VITAL_BOUNDS))('has the bounds that rate %s among its buckets, in order', (name, bounds) => {
  const { good, poor } = VITALS[name as keyof typeof VITAL_BOUNDS]
  expect(bounds).toEqual(expect.arrayContaining([good, poor]))
  expect(bounds.toSorted((a, b) => a - b)).toEqual(bounds)
})
