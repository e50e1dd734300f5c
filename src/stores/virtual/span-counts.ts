import { GatewayError } from '../../domain/errors.js'
import { allOf, type Filter } from '../../domain/filter.js'
import type { NamespaceId } from '../../domain/ids.js'
import type { LabelMatcher } from '../../ports/metric-store.js'
import type { TraceStore } from '../../ports/trace-store.js'
import {
  type CountedSeries,
  type CountRequest,
  labelsOf,
  type LabelFields,
  pushedDown,
  type VirtualMetric
} from './virtual-metric.js'

/** Labels and the fields of spans that they are. */
const OF_SPANS: LabelFields = { service: 'service', operation: 'name', kind: 'kind', status: 'status' }
const OF_DURATIONS: LabelFields = { service: 'service', operation: 'name', status: 'status' }
const DURATION = { in: 'known', name: 'duration_ns' } as const
const NS_PER_MS = 1_000_000
/** Upper bounds of buckets in milliseconds: OpenTelemetry's for durations of requests. */
const BOUNDS_MS = [5, 10, 25, 50, 75, 100, 250, 500, 750, 1_000, 2_500, 5_000, 7_500, 10_000] as const
const INFINITE = '+Inf'

type Traces = Pick<TraceStore, 'stats' | 'searchSpans'>

/** `spans_total{service,operation,kind,status}`, and the buckets and the count of `span_duration_seconds`. */
export function spanMetrics(traces: Traces): readonly VirtualMetric[] {
  const metric = (name: string, labels: readonly string[], count: Count): VirtualMetric => ({
    name,
    labels,
    signal: 'traces',
    count: (ns, request, signal) => count(new SpanCounting(traces, name, ns, signal), request),
    hasAny: (ns, range, signal) => hasSpans(traces, ns, range, signal)
  })
  return [
    metric('span_duration_seconds_bucket', [...Object.keys(OF_DURATIONS), 'le'], countBuckets),
    metric('span_duration_seconds_count', Object.keys(OF_DURATIONS), (counting, request) => counting.by(OF_DURATIONS, request)),
    metric('spans_total', Object.keys(OF_SPANS), (counting, request) => counting.by(OF_SPANS, request))
  ]
}

type Count = (counting: SpanCounting, request: CountRequest) => Promise<readonly CountedSeries[]>

async function hasSpans(traces: Traces, ns: NamespaceId, range: CountRequest['range'], signal: AbortSignal): Promise<boolean> {
  const rows = { limit: 0, order: 'desc' } as const
  const found = await traces.searchSpans(ns, { range, filter: { kind: 'and', of: [] }, rows }, signal)
  return found.hasMore === true
}

class SpanCounting {
  readonly #traces: Traces
  readonly #name: string
  readonly #ns: NamespaceId
  readonly #signal: AbortSignal

  constructor(traces: Traces, name: string, ns: NamespaceId, signal: AbortSignal) {
    this.#traces = traces
    this.#name = name
    this.#ns = ns
    this.#signal = signal
  }

  /** Spans per combination of the labels; `only` those that satisfy it too. */
  async by(
    fields: LabelFields,
    { range, grid, matchers, maxSeries }: CountRequest,
    only: readonly Filter[] = []
  ): Promise<readonly CountedSeries[]> {
    const filter = allOf([pushedDown(matchers, fields), ...only])
    const labels = Object.keys(fields)
    const groupBy = labels.map(label => ({ in: 'known', name: fields[label]! }) as const)
    const request = { range, filter, groupBy, grid, percentiles: [], limit: maxSeries }
    const { rows, hasMore, complete } = await this.#traces.stats(this.#ns, request, this.#signal)
    if (hasMore || !complete) {
      throw new GatewayError('query_unsupported', `${this.#name} has more than ${maxSeries} series: add a matcher`)
    }
    return rows.map(row => ({
      labels: labelsOf(Object.fromEntries(labels.map((label, i) => [label, row.key[i] ?? null]))),
      counts: row.grid!.spans
    }))
  }
}

/** One count per bound of duration; of the others only those that the conditions on `le` let through. */
async function countBuckets(counting: SpanCounting, request: CountRequest): Promise<readonly CountedSeries[]> {
  const all = await counting.by(OF_DURATIONS, request)
  const series = all.map(one => withBound(one, INFINITE))
  const empty = all.map(({ labels, counts }) => ({ labels, counts: counts.map(() => 0) }))
  for (const ms of BOUNDS_MS) {
    const le = String(ms / 1_000)
    if (!mayMatch(request.matchers, le)) continue
    if (request.isListing === true) {
      for (const zero of empty) series.push(withBound(zero, le))
      continue
    }
    const within: Filter = { kind: 'range', field: DURATION, lte: String(ms * NS_PER_MS) }
    const found = new Map((await counting.by(OF_DURATIONS, request, [within])).map(one => [JSON.stringify(one.labels), one]))
    // A bucket that counts nothing is one of the histogram all the same.
    for (const zero of empty) series.push(withBound(found.get(JSON.stringify(zero.labels)) ?? zero, le))
    if (series.length > request.maxSeries) {
      throw new GatewayError('query_unsupported', `the histogram has more than ${request.maxSeries} series: add a matcher`)
    }
  }
  return series
}

function mayMatch(matchers: readonly LabelMatcher[], le: string): boolean {
  return matchers.every(({ name, op, value }) => name !== 'le' || op !== 'eq' || value === le)
}

function withBound({ labels, counts }: CountedSeries, le: string): CountedSeries {
  return { labels: [...labels, { name: 'le', value: le }].sort((a, b) => (a.name < b.name ? -1 : 1)), counts }
}
