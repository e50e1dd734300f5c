import { GatewayError } from '../../domain/errors.js'
import { fold } from '../../domain/case-folding.js'
import type { NamespaceId } from '../../domain/ids.js'
import type { SeriesSamples } from '../../domain/metric-point.js'
import type { RetainedSignal } from '../../domain/namespace.js'
import { plainAlternatives } from '../../domain/regex.js'
import { ALL_TIME, type TimeRange } from '../../domain/time-range.js'
import type { Clock } from '../../ports/clock.js'
import type {
  LabelMatcher,
  LabelsRequest,
  LabelStrings,
  MetricInfo,
  MetricStore,
  SelectRequest,
  SeriesInfo
} from '../../ports/metric-store.js'
import type { SignalStores } from '../../ports/stores.js'
import { forwardingMetrics } from '../shared/forwarding-stores.js'
import { compareSeries, findLabels, NAME_LABEL, seriesTest, sortedStrings } from '../metrics/label-matching.js'
import type { MetricsRequest } from '../metrics/metric-catalog.js'
import { counterSamples, sampleGrid } from './counter-samples.js'
import { logRecords } from './log-counts.js'
import { pageMetrics } from './page-counts.js'
import { boundOfSamples, boundOfSeries } from './refusals.js'
import { spanMetrics } from './span-counts.js'
import type { CountedSeries, VirtualMetric } from './virtual-metric.js'

/** Dependencies of `withVirtualMetrics`. */
export interface VirtualMetricsDeps {
  readonly stores: SignalStores
  readonly clock: Clock
  /** Milliseconds that a signal of a namespace is kept, null forever. */
  readonly retentionOf: (ns: NamespaceId, signal: RetainedSignal) => number | null
}

const NS_PER_MS = 1_000_000n
/** Series of one such metric. */
const MAX_SERIES = 1_000
/** A zero at its begin, and the count at its end. */
const SAMPLES_PER_STEP = 2
/** How far back the catalog looks for anything to count, and lists of series for the whole of a longer range. */
const DAY_NS = 86_400_000_000_000n

/** For calls without a signal: a new one each, since every read listens to it. */
function never(): AbortSignal {
  return new AbortController().signal
}

/**
 * The metric store of `stores` with metrics that are counted out of the other signals: they are read as if they were
 * stored. A stored metric of the same name takes the place of one.
 */
export function withVirtualMetrics(deps: VirtualMetricsDeps): MetricStore {
  const virtual = new VirtualMetrics(deps)
  return {
    ...forwardingMetrics(deps.stores.metrics),
    select: (ns, request, signal) => virtual.select(ns, request, signal),
    series: (ns, matchers, range, limit, signal) => virtual.series(ns, matchers, range, limit, signal),
    labels: (ns, request, signal) => virtual.labels(ns, request, signal),
    metrics: (ns, request, signal) => virtual.metrics(ns, request, signal)
  }
}

class VirtualMetrics {
  readonly #deps: VirtualMetricsDeps
  readonly #all: readonly VirtualMetric[]

  constructor(deps: VirtualMetricsDeps) {
    this.#deps = deps
    this.#all = [logRecords(deps.stores.logs), ...pageMetrics(deps.stores.events), ...spanMetrics(deps.stores.traces)]
  }

  async select(ns: NamespaceId, request: SelectRequest, signal: AbortSignal): Promise<readonly SeriesSamples[]> {
    const stored = await this.#deps.stores.metrics.select(ns, request, signal)
    if (!isNamed(request.matchers)) return stored
    const found: SeriesSamples[] = [...stored]
    for (const metric of await this.#matching(ns, request.matchers))
      found.push(...(await this.#selectOne(ns, metric, request, signal)))
    return found.length === stored.length ? stored : found.sort(compareSeries)
  }

  async series(
    ns: NamespaceId,
    matchers: readonly LabelMatcher[],
    range: TimeRange,
    limit: number,
    signal = never()
  ): Promise<{ readonly series: readonly SeriesInfo[]; readonly hasMore: boolean }> {
    const stored = await this.#deps.stores.metrics.series(ns, matchers, range, limit, signal)
    if (!isNamed(matchers)) return stored
    const series = [...stored.series, ...(await this.#counted(ns, matchers, range, signal))].sort(compareSeries)
    return { series: series.slice(0, limit), hasMore: stored.hasMore || series.length > limit }
  }

  async labels(ns: NamespaceId, request: LabelsRequest, signal: AbortSignal): Promise<LabelStrings> {
    const stored = await this.#deps.stores.metrics.labels(ns, request, signal)
    const { matchers, range, label, limit } = request
    if (isNamed(matchers)) {
      const counted = await this.#counted(ns, matchers, range, signal)
      return joined(stored, await findLabels(counted, request, signal), limit)
    }
    if (matchers.length > 0 || (label !== undefined && label !== NAME_LABEL)) return stored
    // Labels of all series are requested often: that lists the metrics, but does not count them.
    const there = await this.#present(ns, this.#all, range, signal)
    const needle = fold(request.contains ?? '')
    const all = label === undefined ? there.flatMap(({ labels }) => labels) : there.map(({ name }) => name)
    const more = all.filter(text => fold(text).includes(needle))
    const nowNs = this.#deps.clock.nowNs()
    const lastSeenNs = more.map(() => (range.endNs < nowNs ? range.endNs : nowNs) - 1n)
    return joined(stored, { values: more, hasMore: false, lastSeenNs }, limit)
  }

  async metrics(
    ns: NamespaceId,
    request: MetricsRequest,
    signal = never()
  ): Promise<{ readonly metrics: readonly MetricInfo[]; readonly hasMore: boolean }> {
    const page = await this.#deps.stores.metrics.metrics(ns, request, signal)
    const { contains = '', after, limit } = request
    const lastName = page.hasMore ? page.metrics.at(-1)?.name : undefined
    const listed = new Set(page.metrics.map(({ name }) => name))
    const nowNs = this.#deps.clock.nowNs()
    const requested = this.#all.filter(({ name }) => {
      const isOfPage = (after === undefined || name > after) && (lastName === undefined || name < lastName)
      return isOfPage && !listed.has(name) && fold(name).includes(fold(contains))
    })
    const there = await this.#present(ns, requested, { startNs: nowNs - DAY_NS, endNs: nowNs }, signal)
    // How many series they are is known only when they are counted.
    const more = there.map(({ name }) => ({ name, type: 'counter', seriesCount: 0, lastSeenNs: nowNs }) as const)
    const all = [...page.metrics, ...more].sort((a, b) => (a.name < b.name ? -1 : 1))
    return { metrics: all.slice(0, limit), hasMore: page.hasMore || all.length > limit }
  }

  /** The series that match, of the latest day of a longer range. */
  async #counted(
    ns: NamespaceId,
    matchers: readonly LabelMatcher[],
    range: TimeRange,
    signal: AbortSignal
  ): Promise<readonly SeriesInfo[]> {
    const series: SeriesInfo[] = []
    for (const metric of await this.#matching(ns, matchers)) {
      const kept = this.#kept(ns, metric, range)
      if (kept === null) continue
      const clipped = latestDay(kept)
      const grid = { startNs: clipped.startNs, stepNs: clipped.endNs - clipped.startNs, count: 1 }
      const request = { range: clipped, grid, matchers, most: boundOfSeries(MAX_SERIES), isListing: true }
      const seen = { firstSeenNs: clipped.startNs, lastSeenNs: clipped.endNs - 1n }
      const counted = await this.#count(ns, metric, request, signal)
      series.push(...counted.map(({ labels }) => ({ name: metric.name, type: 'counter', labels, ...seen }) as const))
    }
    return series
  }

  /** Those of `metrics` that have anything to count. Who browses stored metrics is not refused because another store fails. */
  async #present(
    ns: NamespaceId,
    metrics: readonly VirtualMetric[],
    range: TimeRange,
    signal: AbortSignal
  ): Promise<readonly VirtualMetric[]> {
    const isThere = async (metric: VirtualMetric): Promise<boolean> => {
      const kept = this.#kept(ns, metric, range)
      if (kept === null) return false
      try {
        return await metric.hasAny(ns, kept, signal)
      } catch (error) {
        signal.throwIfAborted()
        if (error instanceof GatewayError) return false
        throw error
      }
    }
    // What is counted out of one signal is there together.
    const bySignal = new Map(metrics.map(metric => [metric.signal, metric]))
    const are = await Promise.all(Array.from(bySignal, async ([of, metric]) => ((await isThere(metric)) ? of : null)))
    return metrics.filter(metric => are.includes(metric.signal))
  }

  /** Those whose name satisfies the conditions on it and that no stored metric is called. */
  async #matching(ns: NamespaceId, matchers: readonly LabelMatcher[]): Promise<readonly VirtualMetric[]> {
    const isRequested = seriesTest(matchers.filter(({ name }) => name === NAME_LABEL))
    const requested = this.#all.filter(({ name }) => isRequested({ name, labels: [] }))
    const free: VirtualMetric[] = []
    for (const metric of requested) {
      const same = [{ name: NAME_LABEL, op: 'eq', value: metric.name }] as const
      const { series } = await this.#deps.stores.metrics.series(ns, same, ALL_TIME, 1)
      if (series.length === 0) free.push(metric)
    }
    return free
  }

  async #selectOne(
    ns: NamespaceId,
    metric: VirtualMetric,
    { matchers, range, maxSeries, maxSamples, windowMs, stepMs }: SelectRequest,
    signal: AbortSignal
  ): Promise<readonly SeriesSamples[]> {
    const kept = this.#kept(ns, metric, range)
    if (kept === null) return []
    // A query for the present needs the sample of this very moment.
    const clipped = kept.endNs < range.endNs ? { ...kept, endNs: kept.endNs + 1n } : kept
    const grid = sampleGrid(clipped, { windowMs, stepMs, firstNs: range.startNs })
    if (grid.count < 1) return []
    const gridEndNs = grid.startNs + BigInt(grid.count) * grid.stepNs
    const counted = await this.#count(
      ns,
      metric,
      {
        range: { startNs: this.#oldestNs(ns, metric, grid.startNs), endNs: gridEndNs },
        grid,
        matchers,
        most: boundOfSamples(Math.min(maxSeries, MAX_SERIES), maxSamples, SAMPLES_PER_STEP * grid.count)
      },
      signal
    )
    return counted.map(({ labels, counts }) => ({
      name: metric.name,
      type: 'counter',
      labels,
      ...counterSamples(counts, grid, clipped)
    }))
  }

  async #count(
    ns: NamespaceId,
    metric: VirtualMetric,
    request: Parameters<VirtualMetric['count']>[1],
    signal: AbortSignal
  ): Promise<readonly CountedSeries[]> {
    const { name } = metric
    const isRequested = seriesTest(request.matchers)
    return (await metric.count(ns, request, signal)).filter(({ labels }) => isRequested({ name, labels }))
  }

  #oldestNs(ns: NamespaceId, { signal }: VirtualMetric, startNs: bigint): bigint {
    const keptMs = this.#deps.retentionOf(ns, signal)
    if (keptMs === null) return startNs
    const oldestNs = this.#deps.clock.nowNs() - BigInt(keptMs) * NS_PER_MS
    return oldestNs > startNs ? oldestNs : startNs
  }

  /** The part of a range that the signal is kept for and that is not to come. */
  #kept(ns: NamespaceId, metric: VirtualMetric, { startNs, endNs }: TimeRange): TimeRange | null {
    const nowNs = this.#deps.clock.nowNs()
    const range = { startNs: this.#oldestNs(ns, metric, startNs), endNs: endNs < nowNs ? endNs : nowNs }
    return range.startNs < range.endNs ? range : null
  }
}

/**
 * Whether the matchers name metrics: by one name, or by a list. A query for all metrics with some label must not count all logs.
 */
export function isNamed(matchers: readonly LabelMatcher[]): boolean {
  return matchers.some(
    ({ name, op, value }) => name === NAME_LABEL && (op === 'eq' || (op === 'regex' && plainAlternatives(value) !== null))
  )
}

/** Combines the strings of two lists, each of which may be cut. */
export function joined(a: LabelStrings, b: LabelStrings, limit: number): LabelStrings {
  const { values, hasMore } = sortedStrings(new Set([...a.values, ...b.values]), limit)
  const strings = { values, hasMore: hasMore || a.hasMore || b.hasMore }
  if (a.lastSeenNs === undefined) return strings
  const seen = new Map<string, bigint>()
  for (const { values: listed, lastSeenNs = [] } of [a, b]) {
    for (const [i, value] of listed.entries()) {
      const [known, ns] = [seen.get(value), lastSeenNs[i]!]
      if (known === undefined || known < ns) seen.set(value, ns)
    }
  }
  return { ...strings, lastSeenNs: values.map(value => seen.get(value)!) }
}

/** Lists of series look at the latest day of a longer range. */
function latestDay({ startNs, endNs }: TimeRange): TimeRange {
  return { startNs: endNs - startNs > DAY_NS ? endNs - DAY_NS : startNs, endNs }
}
