import type { NamespaceId } from '../../domain/ids.js'
import { SPAN_BOUNDS_MS } from '../../domain/span-bounds.js'
import type { SpanGrid, SpanStatsRequest, TraceStore } from '../../ports/trace-store.js'
import { boundTest, bucketSeries } from './bucket-series.js'
import { groupedCounts, type GroupedMetric } from './grouped-counts.js'
import { hasAnyRecord, type CountedSeries, type CountRequest, type LabelFields, type VirtualMetric } from './virtual-metric.js'

/** Labels and the fields of spans that they are. */
const OF_SPANS: LabelFields = { service: 'service', operation: 'name', kind: 'kind', status: 'status' }
const OF_DURATIONS: LabelFields = { service: 'service', operation: 'name', status: 'status' }
const NS_PER_S = 1_000_000_000
const NS_PER_MS = 1_000_000n
const MS_PER_S = 1_000

type Traces = Pick<TraceStore, 'stats' | 'searchSpans'>

/** The caller and the metric of a request. */
interface CountContext {
  readonly traces: Traces
  readonly ns: NamespaceId
  readonly metric: GroupedMetric
  readonly request: CountRequest
  readonly signal: AbortSignal
}

type Count = (context: CountContext) => Promise<readonly CountedSeries[]>

/** `spans_total{service,operation,kind,status}`, and the buckets, sum and count of `span_duration_seconds`. */
export function spanMetrics(traces: Traces): readonly VirtualMetric[] {
  const metric = (name: string, fields: LabelFields, count: Count, more: readonly string[] = []): VirtualMetric => ({
    name,
    labels: [...Object.keys(fields), ...more],
    signal: 'traces',
    count: (ns, request, signal) => count({ traces, ns, metric: { name, fields }, request, signal }),
    hasAny: hasAnyRecord((...requested) => traces.searchSpans(...requested))
  })
  return [
    metric('span_duration_seconds_bucket', OF_DURATIONS, countBuckets, ['le']),
    metric('span_duration_seconds_count', OF_DURATIONS, countSpans),
    metric('span_duration_seconds_sum', OF_DURATIONS, countSeconds),
    metric('spans_total', OF_SPANS, countSpans)
  ]
}

/** Counts by the labels; who lists them has nothing counted but spans. */
async function countedBy(
  { traces, ns, metric, request, signal }: CountContext,
  per: Pick<SpanGrid, 'sums' | 'buckets'> = {},
  more: Pick<SpanStatsRequest, 'boundsNs'> = {}
) {
  const counted = request.isListing === true ? {} : per
  const found = await groupedCounts(metric, request, ({ grid, ...requested }) =>
    traces.stats(ns, { ...requested, ...more, grid: { ...grid, ...counted }, percentiles: [] }, signal)
  )
  return found.map(({ labels, row }) => ({ labels, grid: row.grid! }))
}

async function countSpans(context: CountContext): Promise<readonly CountedSeries[]> {
  return (await countedBy(context)).map(({ labels, grid }) => ({ labels, counts: grid.spans }))
}

async function countSeconds(context: CountContext): Promise<readonly CountedSeries[]> {
  const rows = await countedBy(context, { sums: true })
  return rows.map(({ labels, grid }) => ({
    labels,
    counts: grid.durationsNs?.map(ns => Number(ns) / NS_PER_S) ?? grid.spans
  }))
}

/** The buckets that the conditions on `le` let through, all out of one query. */
async function countBuckets(context: CountContext): Promise<readonly CountedSeries[]> {
  const { metric, request } = context
  const isRequested = boundTest(request.matchers)
  const boundsMs = SPAN_BOUNDS_MS.filter(ms => isRequested(ms / MS_PER_S))
  const bounds = boundsMs.map(ms => ms / MS_PER_S)
  const boundsNs = boundsMs.map(ms => BigInt(ms) * NS_PER_MS)
  const perBound = { ...context, metric: { ...metric, seriesPerRow: bounds.length + 1 } }
  return (await countedBy(perBound, { buckets: true }, { boundsNs })).flatMap(({ labels, grid }) =>
    bucketSeries(labels, bounds, grid.buckets ?? [...bounds.map(() => []), grid.spans])
  )
}
