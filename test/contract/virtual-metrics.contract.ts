import { expect, it } from '@jest/globals'
import type { NamespaceId } from '../../src/domain/ids.js'
import type { SeriesSamples } from '../../src/domain/metric-point.js'
import type { LabelMatcher, MetricStore, SeriesInfo } from '../../src/ports/metric-store.js'
import type { Stores } from '../../src/ports/stores.js'
import { seriesTest } from '../../src/stores/metrics/label-matching.js'
import { withVirtualMetrics } from '../../src/stores/virtual/with-virtual-metrics.js'
import { systemClock } from '../../src/telemetry/system-clock.js'
import { fixedMetrics } from '../support/fixed-metrics.js'
import { type RumSketch, toRum } from './event-fixtures.js'
import { type LogSketch, store as storeLogs } from './log-fixtures.js'
import { BASE_NS, describeStores, NEVER, newIngestId, newNamespace, type OpenStores } from './store-under-test.js'
import { type SpanSketch, storeSpans } from './trace-fixtures.js'

const S = 1_000_000_000
const MS = 1_000_000
const RANGE = { startNs: BASE_NS, endNs: BASE_NS + BigInt(1_200 * S) }

function virtual({ logs, traces, events }: Stores, stored: Parameters<typeof fixedMetrics>[0] = []): MetricStore {
  const series = stored.map(({ labels }) => ({ name: labels['__name__'] ?? '', labels: [] }))
  const metrics: Partial<MetricStore> = {
    ...fixedMetrics(stored),
    series: async (_ns, matchers) => ({ series: series.filter(seriesTest(matchers)) as unknown as SeriesInfo[], hasMore: false }),
    labels: async () => ({ values: [], hasMore: false }),
    metrics: async () => ({ metrics: [], hasMore: false })
  }
  const stores = { logs, traces, events, metrics: metrics as MetricStore }
  return withVirtualMetrics({ stores, clock: systemClock, retentionOf: () => null })
}

/** How much a counter rose, resets counted as PromQL does. */
function riseOf({ values }: SeriesSamples): number {
  const rise = values.reduce((sum, value, i) => sum + (i === 0 ? 0 : value >= values[i - 1]! ? value - values[i - 1]! : value), 0)
  // Without the last digits of sums of fractions.
  return Number(rise.toPrecision(12))
}

async function rises(metrics: MetricStore, ns: NamespaceId, metric: string, matchers: readonly LabelMatcher[] = []) {
  const named = [{ name: '__name__', op: 'eq', value: metric } as const, ...matchers]
  const request = { matchers: named, range: RANGE, maxSeries: 100, maxSamples: 100_000, windowMs: 60_000 }
  const found = await metrics.select(ns, request, NEVER)
  return Object.fromEntries(
    found.map(series => [series.labels.map(({ name, value }) => `${name}=${value}`).join(), riseOf(series)])
  )
}

const LOGS: readonly LogSketch[] = [
  ...[100, 101, 400].map(s => ({ at: s * S, service: 'a', level: 'info' })),
  { at: 500 * S, service: 'a', level: 'error' },
  { at: 600 * S, service: 'b', level: 'info' },
  { at: 700 * S, service: 'b' },
  { at: 800 * S, level: 'info' },
  { at: 2_000 * S, service: 'a', level: 'info' }
]

const SPANS: readonly SpanSketch[] = [
  { at: 100 * S, took: 4 * MS, service: 'a', name: 'GET /', kind: 'server', status: 'ok' },
  { at: 101 * S, took: 5 * MS, service: 'a', name: 'GET /', kind: 'client', status: 'ok' },
  { at: 500 * S, took: 60 * MS, service: 'a', name: 'GET /', kind: 'server', status: 'error' },
  { at: 600 * S, took: 20_000 * MS, service: 'b', name: 'work', kind: 'internal' }
]

/** Metrics that are counted out of logs, spans and page views. */
export function virtualMetricsContract(name: string, open: OpenStores): void {
  describeStores(`${name}: virtual metrics`, open, of => {
    it('counts logs by service and level', async () => {
      const ns = newNamespace()
      await storeLogs(of().logs, ns, LOGS)
      expect(await rises(virtual(of()), ns, 'log_records_total')).toEqual({
        'level=error,service=a': 1,
        'level=info': 1,
        'level=info,service=a': 3,
        'level=info,service=b': 1,
        'service=b': 1
      })
    })

    it.each<[string, LabelMatcher, readonly string[]]>([
      ['eq', { name: 'service', op: 'eq', value: 'b' }, ['level=info,service=b', 'service=b']],
      ['eq of an absent label', { name: 'level', op: 'eq', value: '' }, ['service=b']],
      ['neq', { name: 'service', op: 'neq', value: 'a' }, ['level=info', 'level=info,service=b', 'service=b']],
      ['a list', { name: 'level', op: 'regex', value: 'error|fatal' }, ['level=error,service=a']],
      ['no list', { name: 'level', op: 'regex', value: 'e.*' }, ['level=error,service=a']],
      ['not of a list', { name: 'service', op: 'not_regex', value: 'a|b' }, ['level=info']],
      ['a label that there is not', { name: 'pod', op: 'eq', value: 'p' }, []]
    ])('keeps to matchers: %s', async (_title, matcher, expected) => {
      const ns = newNamespace()
      await storeLogs(of().logs, ns, LOGS)
      expect(Object.keys(await rises(virtual(of()), ns, 'log_records_total', [matcher]))).toEqual(expected)
    })

    it('counts spans, and their durations as a classic histogram', async () => {
      const ns = newNamespace()
      await storeSpans(of().traces, ns, SPANS)
      const metrics = virtual(of())
      expect(await rises(metrics, ns, 'spans_total')).toEqual({
        'kind=client,operation=GET /,service=a,status=ok': 1,
        'kind=internal,operation=work,service=b,status=unset': 1,
        'kind=server,operation=GET /,service=a,status=error': 1,
        'kind=server,operation=GET /,service=a,status=ok': 1
      })
      const ok = [{ name: 'status', op: 'eq', value: 'ok' }] as const
      expect(await rises(metrics, ns, 'span_duration_seconds_count', ok)).toEqual({ 'operation=GET /,service=a,status=ok': 2 })
      expect(await rises(metrics, ns, 'span_duration_seconds_sum')).toEqual({
        'operation=GET /,service=a,status=error': 0.06,
        'operation=GET /,service=a,status=ok': 0.009,
        'operation=work,service=b,status=unset': 20
      })
      const bounds = { name: 'le', op: 'regex', value: '0.005|0.05|0.075|10|\\+Inf' } as const
      const buckets = await rises(metrics, ns, 'span_duration_seconds_bucket', [bounds])
      expect(Object.keys(buckets)).toHaveLength(15)
      const at = (le: string, operation: string, service: string, status: string): number | undefined =>
        buckets[`le=${le},operation=${operation},service=${service},status=${status}`]
      expect(['0.005', '0.05', '10', '+Inf'].map(le => at(le, 'GET /', 'a', 'ok'))).toEqual([2, 2, 2, 2])
      expect(['0.05', '0.075', '+Inf'].map(le => at(le, 'GET /', 'a', 'error'))).toEqual([0, 1, 1])
      expect(['10', '+Inf'].map(le => at(le, 'work', 'b', 'unset'))).toEqual([0, 1])
    })

    it('counts page views by page, device and country, and their vitals as classic histograms', async () => {
      const ns = newNamespace()
      const seen = { pageGroup: '/', deviceType: 'mobile', country: 'CH' }
      const sketches: readonly RumSketch[] = [
        { ...seen, at: 100 * S, vitals: { largest_contentful_paint_ms: 2_500, cumulative_layout_shift: 0.25 } },
        { ...seen, at: 500 * S, vitals: { largest_contentful_paint_ms: 4_001 } },
        { ...seen, at: 600 * S, country: 'DE' },
        { at: 700 * S, pageGroup: '/cart', vitals: { largest_contentful_paint_ms: 400 } }
      ]
      await of().events.appendRum(ns, { ingestId: newIngestId(), items: sketches.map(toRum) })
      await of().events.settle(ns)
      const metrics = virtual(of())
      const [home, cart] = ['country=CH,device=mobile,page_group=/', 'page_group=/cart']
      const german = 'country=DE,device=mobile,page_group=/'
      expect(await rises(metrics, ns, 'rum_page_views_total')).toEqual({ [home]: 2, [german]: 1, [cart]: 1 })
      const nowhere = [{ name: 'country', op: 'eq', value: '' }] as const
      expect(await rises(metrics, ns, 'rum_page_views_total', nowhere)).toEqual({ [cart]: 1 })
      expect(await rises(metrics, ns, 'rum_lcp_seconds_count')).toEqual({ [home]: 2, [cart]: 1 })
      expect(await rises(metrics, ns, 'rum_lcp_seconds_sum')).toEqual({ [home]: 6.501, [cart]: 0.4 })
      expect(await rises(metrics, ns, 'rum_cls_sum')).toEqual({ [home]: 0.25 })
      const bounds = { name: 'le', op: 'regex', value: '0.5|2.5|4|\\+Inf' } as const
      const buckets = await rises(metrics, ns, 'rum_lcp_seconds_bucket', [bounds])
      const at = (le: string, page: string): number | undefined =>
        buckets[page.includes('country') ? page.replace('page_group', `le=${le},page_group`) : `le=${le},${page}`]
      expect(Object.keys(buckets)).toHaveLength(8)
      expect(['0.5', '2.5', '4', '+Inf'].map(le => at(le, home))).toEqual([0, 1, 1, 2])
      expect(['0.5', '2.5', '4', '+Inf'].map(le => at(le, cart))).toEqual([1, 1, 1, 1])
      expect(await rises(metrics, newNamespace(), 'rum_page_views_total')).toEqual({})
      const named = [{ name: '__name__', op: 'eq', value: 'rum_cls_bucket' }] as const
      expect((await metrics.series(ns, named, RANGE, 100)).series).toHaveLength(9)
    })

    it('reads a stored metric of the same name instead', async () => {
      const ns = newNamespace()
      await storeSpans(of().traces, ns, SPANS)
      const at = Number(BASE_NS / 1_000_000n) + 1_000
      const stored = [
        {
          labels: { __name__: 'spans_total' },
          samples: [
            [at, 1],
            [at + 1, 8]
          ] as const
        }
      ]
      expect(await rises(virtual(of(), stored), ns, 'spans_total')).toEqual({ '': 7 })
    })

    it('is found by its name only, and in no other namespace', async () => {
      const ns = newNamespace()
      await storeLogs(of().logs, ns, LOGS)
      const metrics = virtual(of())
      const send = (matchers: readonly LabelMatcher[]) =>
        metrics.select(ns, { matchers, range: RANGE, maxSeries: 100, maxSamples: 100_000 }, NEVER)
      expect(await send([{ name: 'service', op: 'eq', value: 'a' }])).toEqual([])
      expect(await send([{ name: '__name__', op: 'regex', value: '.+' }])).toEqual([])
      expect(await send([{ name: '__name__', op: 'regex', value: 'up|log_records_total' }])).toHaveLength(5)
      expect(await rises(metrics, newNamespace(), 'log_records_total')).toEqual({})
    })

    it('lists its series and names', async () => {
      const ns = newNamespace()
      await storeLogs(of().logs, ns, LOGS)
      const metrics = virtual(of())
      const { series } = await metrics.series(ns, [{ name: '__name__', op: 'eq', value: 'log_records_total' }], RANGE, 100)
      expect(series.map(({ name, labels }) => `${name} ${labels.map(({ value }) => value).join(' ')}`)).toEqual([
        ...['log_records_total error a', 'log_records_total info', 'log_records_total info a'],
        ...['log_records_total info b', 'log_records_total b']
      ])
      const list = async (matchers: readonly LabelMatcher[], label?: string) =>
        (await metrics.labels(ns, { matchers, range: RANGE, limit: 10, ...(label !== undefined && { label }) }, NEVER)).values
      expect(await list([], '__name__')).toEqual(['log_records_total'])
      expect(await list([])).toEqual(['level', 'service'])
      expect(await list([{ name: '__name__', op: 'eq', value: 'log_records_total' }], 'service')).toEqual(['a', 'b'])
      const page = await metrics.metrics(ns, { contains: 'RECORDS', limit: 10 })
      expect(page.metrics.map(metric => [metric.name, metric.type])).toEqual([['log_records_total', 'counter']])
      expect((await metrics.metrics(ns, { after: 'm', limit: 10 })).metrics).toEqual([])
    })

    it('refuses windows that would hold no two samples, and more series than requested', async () => {
      const ns = newNamespace()
      await storeLogs(of().logs, ns, LOGS)
      const metrics = virtual(of())
      const matchers = [{ name: '__name__', op: 'eq', value: 'log_records_total' }] as const
      const long = { startNs: BASE_NS - BigInt(86_400 * S), endNs: RANGE.endNs }
      const request = { matchers, range: long, maxSeries: 100, maxSamples: 100_000 }
      await expect(metrics.select(ns, { ...request, windowMs: 60_000 }, NEVER)).rejects.toMatchObject({
        ...{ code: 'query_unsupported', message: expect.stringMatching(/windows of at least 120 seconds/) }
      })
      await expect(metrics.select(ns, { ...request, windowMs: 600_000, maxSeries: 4 }, NEVER)).rejects.toMatchObject({
        code: 'query_unsupported'
      })
    })
  })
}
