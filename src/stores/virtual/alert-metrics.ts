import { alertHash } from '../../domain/alerts/shard.js'
import type { NamespaceId } from '../../domain/ids.js'
import type { Label, SeriesSamples } from '../../domain/metric-point.js'
import { STALE_BITS } from '../../domain/stale-marker.js'
import type { TimeRange } from '../../domain/time-range.js'
import type { AlertRules } from '../../ports/alert-rules.js'
import type { AlertStates } from '../../ports/alert-states.js'
import type { Clock } from '../../ports/clock.js'
import type {
  LabelMatcher,
  LabelStrings,
  LabelsRequest,
  MetricStore,
  SelectRequest,
  SeriesInfo
} from '../../ports/metric-store.js'
import { compareSeries, findLabels, NAME_LABEL, seriesTest } from '../metrics/label-matching.js'
import { forwardingMetrics } from '../shared/forwarding-stores.js'
import { type AlertSpan, type SpanRange, spansOf } from '../../domain/alerts/alert-spans.js'
import { boundOfSamples, boundOfSeries, tooMany } from './refusals.js'
import { isNamed, joined } from './with-virtual-metrics.js'

/** Dependencies of `withAlertMetrics`. */
export interface AlertMetricsDeps {
  readonly metrics: MetricStore
  readonly rules: Pick<AlertRules, 'groups' | 'rules'>
  readonly states: Pick<AlertStates, 'states' | 'events'>
  readonly clock: Pick<Clock, 'nowMs'>
}

const ALERTS = 'ALERTS'
const FOR_STATE = 'ALERTS_FOR_STATE'
const NS_PER_MS = 1_000_000n
const MS_PER_S = 1_000
/** Rules and groups that are read: more than a namespace has. */
const MAX_RULES = 10_000
/** Events of one query. */
const MAX_EVENTS = 20_000
/** The interval of a rule that was deleted. */
const DEFAULT_INTERVAL_MS = 60_000

/** A span of a series, with the value of its samples. */
interface ValuedSpan extends AlertSpan {
  readonly intervalMs: number
  readonly value: number
}

/** A series with its spans in their order. */
interface AlertSeries {
  readonly name: string
  readonly labels: readonly Label[]
  readonly spans: ValuedSpan[]
}

/**
 * The metric store with `ALERTS{alertstate}` and `ALERTS_FOR_STATE` of Prometheus, made of the events of alerts: a sample at
 * each evaluation of an alert that was pending or firing, and a stale marker where that ended. The value of `ALERTS_FOR_STATE`
 * is the time since when the condition is met, Unix seconds.
 */
export function withAlertMetrics(deps: AlertMetricsDeps): MetricStore {
  const { metrics } = deps
  const alerts = new AlertMetrics(deps)
  return {
    ...forwardingMetrics(metrics),
    select: async (ns, request, signal) => {
      const stored = await metrics.select(ns, request, signal)
      if (!isOfAlerts(request.matchers)) return stored
      return [...stored, ...(await alerts.select(ns, request))].sort(compareSeries)
    },
    series: async (ns, matchers, range, limit, signal) => {
      const stored = await metrics.series(ns, matchers, range, limit, signal)
      if (!isOfAlerts(matchers)) return stored
      const series = [...stored.series, ...(await alerts.series(ns, matchers, range))].sort(compareSeries)
      return { series: series.slice(0, limit), hasMore: stored.hasMore || series.length > limit }
    },
    labels: (ns, request, signal) => labelsWith(deps, alerts, ns, request, signal)
  }
}

async function labelsWith(
  { metrics }: AlertMetricsDeps,
  alerts: AlertMetrics,
  ns: NamespaceId,
  request: LabelsRequest,
  signal: AbortSignal
): Promise<LabelStrings> {
  const stored = await metrics.labels(ns, request, signal)
  if (!isOfAlerts(request.matchers)) return stored
  const series = await alerts.series(ns, request.matchers, request.range)
  return joined(stored, await findLabels(series, request, signal), request.limit)
}

/** Whether the conditions name one of the two metrics: a query for all metrics with some label does not read the alerts. */
function isOfAlerts(matchers: readonly LabelMatcher[]): boolean {
  if (!isNamed(matchers)) return false
  const isRequested = seriesTest(matchers.filter(({ name }) => name === NAME_LABEL))
  return [ALERTS, FOR_STATE].some(name => isRequested({ name, labels: [] }))
}

class AlertMetrics {
  readonly #deps: AlertMetricsDeps

  constructor(deps: AlertMetricsDeps) {
    this.#deps = deps
  }

  async select(ns: NamespaceId, { matchers, range, maxSeries, maxSamples }: SelectRequest): Promise<readonly SeriesSamples[]> {
    const series = await this.#series(ns, matchers, range)
    const samples = series.reduce((sum, { spans }) => sum + spans.reduce((count, span) => count + samplesOf(span), 0), 0)
    // Counted before any is made: a rule has 8,640 evaluations a day.
    if (series.length > maxSeries) throw boundOfSeries(maxSeries).refusal(ALERTS)
    if (samples > maxSamples) throw boundOfSamples(maxSeries, maxSamples, samples).refusal(ALERTS)
    return series.map(each => toSamples(each, this.#toMs(range)))
  }

  async series(ns: NamespaceId, matchers: readonly LabelMatcher[], range: TimeRange): Promise<readonly SeriesInfo[]> {
    const series = await this.#series(ns, matchers, range)
    return series.map(({ name, labels, spans }) => {
      const firstSeenNs = BigInt(Math.min(...spans.map(({ fromMs }) => fromMs))) * NS_PER_MS
      const lastSeenNs = BigInt(Math.max(...spans.map(({ toMs }) => toMs)) - 1) * NS_PER_MS
      return { name, type: 'gauge', labels, firstSeenNs, lastSeenNs }
    })
  }

  /** The end of a range, as far as it is past. */
  #toMs({ endNs }: TimeRange): number {
    return Math.min(this.#deps.clock.nowMs() + 1, ceilMs(endNs))
  }

  async #series(ns: NamespaceId, matchers: readonly LabelMatcher[], range: TimeRange): Promise<readonly AlertSeries[]> {
    const [fromMs, toMs] = [Math.max(0, ceilMs(range.startNs)), this.#toMs(range)]
    if (fromMs >= toMs) return []
    const { spans, intervals } = await this.#spans(ns, { fromMs, toMs })
    const found = new Map<string, AlertSeries>()
    const add = (name: string, labels: readonly Label[], span: ValuedSpan): void => {
      const key = JSON.stringify([name, labels])
      const series = found.get(key) ?? { name, labels, spans: [] }
      series.spans.push(span)
      found.set(key, series)
    }
    for (const span of spans) {
      if (span.state !== 'pending' && span.state !== 'firing') continue
      const valued = { ...span, intervalMs: intervals.get(span.ruleId) ?? DEFAULT_INTERVAL_MS, value: 1 }
      add(ALERTS, withState(span), valued)
      add(FOR_STATE, span.labels, { ...valued, value: Math.floor(span.activeAtMs / MS_PER_S) })
    }
    const isRequested = seriesTest(matchers)
    return [...found.values()].filter(isRequested)
  }

  async #spans(
    ns: NamespaceId,
    range: SpanRange
  ): Promise<{ readonly spans: readonly AlertSpan[]; readonly intervals: ReadonlyMap<string, number> }> {
    const { rules, states } = this.#deps
    const [groups, all] = await Promise.all([rules.groups(ns, MAX_RULES), rules.rules(ns, MAX_RULES)])
    const byId = new Map(groups.map(({ id, intervalMs }) => [id, intervalMs]))
    const present = await states.states(
      ns,
      all.map(({ id }) => id)
    )
    // Up to now, since the present states are those of now.
    const toMs = this.#deps.clock.nowMs() + 1
    const events = await states.events(ns, { fromMs: range.fromMs, toMs, limit: MAX_EVENTS + 1 })
    if (events.length > MAX_EVENTS) throw tooMany(ALERTS, `${MAX_EVENTS} changes of state in the range`)
    const alerts = [...present].map(([ruleId, { instances }]) => ({ ruleId, instances: instances.values() }))
    return {
      spans: spansOf(events.toReversed(), alerts, range),
      intervals: new Map(all.map(({ id, groupId }) => [id, byId.get(groupId) ?? DEFAULT_INTERVAL_MS]))
    }
  }
}

function withState({ labels, state }: AlertSpan): readonly Label[] {
  const others = labels.filter(({ name }) => name !== 'alertstate')
  return [...others, { name: 'alertstate', value: state }].sort((a, b) => (a.name < b.name ? -1 : 1))
}

function ceilMs(ns: bigint): number {
  return Number((ns + NS_PER_MS - 1n) / NS_PER_MS)
}

/** Samples of a span at most, with the marker at its end. */
function samplesOf({ fromMs, toMs, intervalMs }: ValuedSpan): number {
  return Math.ceil((toMs - fromMs) / intervalMs) + 1
}

/** A sample at each evaluation of the spans, and a stale marker at the end of each that the range contains. */
function toSamples({ name, labels, spans }: AlertSeries, endMs: number): SeriesSamples {
  const samples = new Map<number, number>()
  for (const { ruleId, fromMs, toMs, intervalMs, value } of spans) {
    const offsetMs = alertHash(ruleId) % intervalMs
    const first = Math.ceil((fromMs - offsetMs) / intervalMs) * intervalMs + offsetMs
    for (let atMs = first; atMs < toMs; atMs += intervalMs) samples.set(atMs, value)
    // Replaced where the series goes on, from pending to firing.
    if (toMs < endMs && !samples.has(toMs)) samples.set(toMs, Number.NaN)
  }
  const sorted = [...samples].sort(([a], [b]) => a - b)
  const values = Float64Array.from(sorted, ([, value]) => value)
  const bits = new BigUint64Array(values.buffer)
  for (const [at, [, value]] of sorted.entries()) if (Number.isNaN(value)) bits[at] = STALE_BITS
  const timestampsNs = BigInt64Array.from(sorted, ([atMs]) => BigInt(atMs) * NS_PER_MS)
  return { name, type: 'gauge', labels, timestampsNs, values }
}
