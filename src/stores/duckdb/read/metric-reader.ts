import { fold } from '../../../domain/case-folding.js'
import { GatewayError } from '../../../domain/errors.js'
import type { NamespaceId } from '../../../domain/ids.js'
import type { SeriesSamples } from '../../../domain/metric-point.js'
import type { TimeRange } from '../../../domain/time-range.js'
import type { LabelMatcher, MetricInfo, SelectRequest, SeriesInfo } from '../../../ports/metric-store.js'
import type { Snapshots } from '../snapshot.js'
import { compareSeries, exactName, seriesTest } from './label-matching.js'
import { readSamples } from './read-samples.js'
import { inSnapshot } from './reading.js'
import type { KnownSeries, SeriesLookup } from './series-lookup.js'

/** One page of the metric catalogue; see `MetricStore.metrics`. */
export interface MetricsRequest {
  readonly contains?: string
  readonly after?: string
  readonly limit: number
}

function toSeriesInfo({ name, type, labels, firstSeenNs, lastSeenNs }: KnownSeries): SeriesInfo {
  return { name, type, labels, firstSeenNs, lastSeenNs }
}

function withSeries(info: MetricInfo | undefined, { name, type, lastSeenNs }: KnownSeries): MetricInfo {
  if (!info) return { name, type, seriesCount: 1, lastSeenNs }
  const isNewer = lastSeenNs > info.lastSeenNs
  return {
    name,
    type: isNewer ? type : info.type,
    seriesCount: info.seriesCount + 1,
    lastSeenNs: isNewer ? lastSeenNs : info.lastSeenNs
  }
}

/** The reading half of `MetricStore` on DuckDB. */
export class MetricReader {
  readonly #snapshots: Snapshots
  readonly #series: SeriesLookup

  constructor(snapshots: Snapshots, series: SeriesLookup) {
    this.#snapshots = snapshots
    this.#series = series
  }

  /** As `MetricStore.select`. */
  async select(
    ns: NamespaceId,
    { matchers, range, maxSeries, maxSamples }: SelectRequest,
    signal: AbortSignal
  ): Promise<readonly SeriesSamples[]> {
    signal.throwIfAborted()
    const series = this.#matching(ns, matchers, range)
    if (series.length > maxSeries) {
      throw new GatewayError('query_unsupported', `the query matches more than ${maxSeries} series: add a label`)
    }
    const query = { ids: series.map(({ id }) => id), maxSamples }
    const options = { kind: 'points', ns, range, heavy: series.length > 1, signal } as const
    const samples = await inSnapshot(this.#snapshots, options, scope => readSamples(scope, query))
    return series.flatMap(({ id, name, type, labels }) => {
      const found = samples.get(id)
      return found ? [{ name, type, labels, ...found }] : []
    })
  }

  /** As `MetricStore.series`. */
  async series(
    ns: NamespaceId,
    matchers: readonly LabelMatcher[],
    range: TimeRange,
    limit: number
  ): Promise<{ readonly series: readonly SeriesInfo[]; readonly hasMore: boolean }> {
    const series = this.#matching(ns, matchers, range)
    return { series: series.slice(0, limit).map(toSeriesInfo), hasMore: series.length > limit }
  }

  /** As `MetricStore.metrics`. */
  async metrics(
    ns: NamespaceId,
    { contains, after, limit }: MetricsRequest
  ): Promise<{ readonly metrics: readonly MetricInfo[]; readonly hasMore: boolean }> {
    const needle = fold(contains ?? '')
    const metrics = new Map<string, MetricInfo>()
    for (const series of this.#series.ofNamespace(ns)) {
      if (after !== undefined && series.name <= after) continue
      const known = metrics.get(series.name)
      if (known || fold(series.name).includes(needle)) metrics.set(series.name, withSeries(known, series))
    }
    const sorted = [...metrics.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
    return { metrics: sorted.slice(0, limit), hasMore: sorted.length > limit }
  }

  #matching(ns: NamespaceId, matchers: readonly LabelMatcher[], range: TimeRange): readonly KnownSeries[] {
    const matches = seriesTest(matchers)
    const found: KnownSeries[] = []
    for (const series of this.#series.ofNamespace(ns, exactName(matchers))) {
      const mayHaveSamples = series.lastSeenNs >= range.startNs && series.firstSeenNs < range.endNs
      if (mayHaveSamples && matches(series)) found.push(series)
    }
    return found.sort(compareSeries)
  }
}
