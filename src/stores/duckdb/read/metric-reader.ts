import type { NamespaceId } from '../../../domain/ids.js'
import type { SeriesSamples } from '../../../domain/metric-point.js'
import type { TimeRange } from '../../../domain/time-range.js'
import type {
  Cardinality,
  CardinalityRequest,
  LabelMatcher,
  LabelsRequest,
  LabelStrings,
  MetricInfo,
  SelectRequest,
  SeriesInfo
} from '../../../ports/metric-store.js'
import type { Snapshots } from '../snapshot.js'
import { countSeries } from '../../metrics/cardinality.js'
import { exactName, findLabels, findSeries } from '../../metrics/label-matching.js'
import { listMetrics, type MetricsRequest, type SeriesRequest } from '../../metrics/metric-catalog.js'
import { checkLabelSize, firstSeries } from '../../metrics/label-size.js'
import { tooManySeries } from '../../shared/read-refusals.js'
import { histogramsAt, readHistograms } from './read-histograms.js'
import { readSamples } from './read-samples.js'
import { inSnapshot } from './reading.js'
import type { Scope } from './source.js'
import type { NumberedSeries, SeriesLookup } from './series-lookup.js'

function toSeriesInfo({ name, type, labels, firstSeenNs, lastSeenNs }: NumberedSeries): SeriesInfo {
  return { name, type, labels, firstSeenNs, lastSeenNs }
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
    { matchers, range, maxSeries, maxSamples, windows }: SelectRequest,
    signal: AbortSignal
  ): Promise<readonly SeriesSamples[]> {
    signal.throwIfAborted()
    const series = await this.#matching(ns, matchers, range, signal)
    if (series.length > maxSeries) throw tooManySeries(maxSeries)
    checkLabelSize(series)
    const query = { ids: series.map(({ id }) => id), maxSamples, windows }
    const options = { kind: 'points', ns, range, heavy: series.length > 1, signal } as const
    const samples = await inSnapshot(this.#snapshots, options, scope => readSamples(scope, query))
    const having = query.ids.filter(id => samples.get(id)?.hasHistograms)
    const read = (scope: Scope) => readHistograms(scope, having, maxSamples)
    const histograms = having.length === 0 ? null : await inSnapshot(this.#snapshots, { ...options, kind: 'histograms' }, read)
    return series.flatMap(({ id, name, type, labels }) => {
      const found = samples.get(id)
      if (found === undefined || found.values.length === 0) return []
      const { timestampsNs, values, hasHistograms, isFolded } = found
      const plain = { name, type, labels, timestampsNs, values, ...(isFolded && { isFolded }) }
      return [hasHistograms ? { ...plain, histograms: histogramsAt(found, histograms?.get(id)) } : plain]
    })
  }

  /** As `MetricStore.series`. */
  async series(
    ns: NamespaceId,
    { matchers, range, limit }: SeriesRequest,
    signal?: AbortSignal
  ): Promise<{ readonly series: readonly SeriesInfo[]; readonly hasMore: boolean }> {
    const series = await this.#matching(ns, matchers, range, signal)
    const { first, hasMore } = firstSeries(series, limit)
    return { series: first.map(toSeriesInfo), hasMore }
  }

  /** As `MetricStore.metrics`. */
  async metrics(
    ns: NamespaceId,
    request: MetricsRequest,
    signal?: AbortSignal
  ): Promise<{ readonly metrics: readonly MetricInfo[]; readonly hasMore: boolean }> {
    signal?.throwIfAborted()
    return listMetrics(this.#series.ofNamespace(ns), request)
  }

  /** As `MetricStore.labels`. */
  labels(ns: NamespaceId, request: LabelsRequest, signal: AbortSignal): Promise<LabelStrings> {
    const { startNs, endNs } = request.range
    const known = this.#series.ofNamespace(ns, exactName(request.matchers))
    return findLabels(inRange(known, startNs, endNs), request, signal)
  }

  /** As `MetricStore.cardinality`. */
  cardinality(ns: NamespaceId, request: CardinalityRequest, signal: AbortSignal): Promise<Cardinality> {
    const budget = { maxSeries: this.#series.maxSeries, activeSeries: this.#series.sizeOf(ns) }
    return countSeries(this.#series.ofNamespace(ns, request.metric), budget, request, signal)
  }

  #matching(
    ns: NamespaceId,
    matchers: readonly LabelMatcher[],
    { startNs, endNs }: TimeRange,
    signal?: AbortSignal
  ): Promise<readonly NumberedSeries[]> {
    const known = this.#series.ofNamespace(ns, exactName(matchers))
    return findSeries(inRange(known, startNs, endNs), matchers, signal)
  }
}

function* inRange(known: Iterable<NumberedSeries>, startNs: bigint, endNs: bigint): Generator<NumberedSeries> {
  for (const series of known) if (series.lastSeenNs >= startNs && series.firstSeenNs < endNs) yield series
}
