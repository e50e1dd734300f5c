import type { NamespaceId } from '../../../domain/ids.js'
import type { SeriesSamples } from '../../../domain/metric-point.js'
import type { TimeRange } from '../../../domain/time-range.js'
import type { Clock } from '../../../ports/clock.js'
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
import { isGatewayError } from '../../../domain/errors.js'
import type { ServerWatch } from '../../shared/server-watch.js'
import { countSeries } from '../../metrics/cardinality.js'
import { exactName, findLabels, findSeries, NAME_LABEL } from '../../metrics/label-matching.js'
import { listMetrics, type MetricsRequest, type SeriesRequest } from '../../metrics/metric-catalog.js'
import { checkLabelSize, firstSeries } from '../../metrics/label-size.js'
import { tooManySeries } from '../../shared/read-refusals.js'
import { isEmptyRange } from '../line/time-bounds.js'
import type { BucketLosses } from '../places/bucket-losses.js'
import type { BucketPlaces } from '../places/bucket-places.js'
import type { SeriesRegistry } from '../series/series-registry.js'
import { isListed, canHaveSamples, toInfo, type Series } from '../series/series.js'
import { unpackSamples } from './packed-samples.js'
import type { ReaderThreads } from './reader-threads.js'
import { packRequestedSeries } from './requested-series.js'

/** Dependencies of `MetricReader`. */
export interface MetricReaderDeps {
  readonly threads: ReaderThreads
  readonly places: BucketPlaces
  readonly losses: BucketLosses
  readonly registry: SeriesRegistry
  readonly clock: Clock
  readonly watch: ServerWatch
}

/** The reading half of `MetricStore` on InfluxDB: the registry selects the series, threads read their samples. */
export class MetricReader {
  readonly #parts: MetricReaderDeps

  constructor(parts: MetricReaderDeps) {
    this.#parts = parts
  }

  /** As `MetricStore.select`. */
  async select(ns: NamespaceId, request: SelectRequest, signal: AbortSignal): Promise<readonly SeriesSamples[]> {
    signal.throwIfAborted()
    const { matchers, range, maxSeries, maxSamples } = request
    const series = await this.#matching(ns, matchers, range, signal)
    const place = await this.#parts.places.find(ns)
    signal.throwIfAborted()
    if (series.length > maxSeries) throw tooManySeries(maxSeries)
    checkLabelSize(series)
    if (!place || series.length === 0 || isEmptyRange(range)) return []
    const labels = [...new Set(matchers.map(({ name }) => name).filter(name => name !== NAME_LABEL))]
    const requested = { place, range, series: packRequestedSeries(series), labels, maxSamples, windows: request.windows }
    const { threads, watch, losses } = this.#parts
    const samples = await watch
      .run(ending => threads.read(ns, requested, ending), signal)
      .catch(async (error: unknown) => {
        if (isGatewayError(error, 'store_unavailable')) watch.suspect()
        if (!isGatewayError(error, 'not_found')) throw error
        await losses.meet(ns, place.bucket)
        return null
      })
    if (samples === null) return []
    return unpackSamples(series, samples, signal)
  }

  /** As `MetricStore.series`. */
  async series(
    ns: NamespaceId,
    { matchers, range, limit }: SeriesRequest,
    signal?: AbortSignal
  ): Promise<{ readonly series: readonly SeriesInfo[]; readonly hasMore: boolean }> {
    const nowNs = this.#parts.clock.nowNs()
    const series = await this.#matching(ns, matchers, range, signal)
    const { first, hasMore } = firstSeries(series, limit)
    return { series: first.map(each => toInfo(each, nowNs)), hasMore }
  }

  /** As `MetricStore.metrics`. */
  async metrics(
    ns: NamespaceId,
    request: MetricsRequest,
    signal?: AbortSignal
  ): Promise<{ readonly metrics: readonly MetricInfo[]; readonly hasMore: boolean }> {
    signal?.throwIfAborted()
    const nowNs = this.#parts.clock.nowNs()
    const listed = await this.#listed(ns)
    return listMetrics(
      listed.map(each => toInfo(each, nowNs)),
      request
    )
  }

  /** As `MetricStore.labels`. */
  async labels(ns: NamespaceId, request: LabelsRequest, signal: AbortSignal): Promise<LabelStrings> {
    const { registry, places, losses, clock } = this.#parts
    const nowNs = clock.nowNs()
    await losses.refresh()
    const known = places.isDropped(ns) ? [] : (await registry.read(ns)).of(exactName(request.matchers))
    const series = inRange(known, request.range, registry.isShared)
    return findLabels(request.lastSeen === true ? withShownTimes(series, nowNs) : series, request, signal)
  }

  /** As `MetricStore.cardinality`; of series from an earlier run the first sample may be reported up to ten minutes late. */
  async cardinality(ns: NamespaceId, request: CardinalityRequest, signal: AbortSignal): Promise<Cardinality> {
    const listed = await this.#listed(ns)
    const budget = { maxSeries: this.#parts.registry.maxSeries, activeSeries: listed.length }
    return countSeries(listed, budget, request, signal)
  }

  async #listed(ns: NamespaceId): Promise<readonly Series[]> {
    await this.#parts.losses.refresh()
    if (this.#parts.places.isDropped(ns)) return []
    return [...(await this.#parts.registry.read(ns)).of()].filter(isListed)
  }

  async #matching(
    ns: NamespaceId,
    matchers: readonly LabelMatcher[],
    range: TimeRange,
    signal?: AbortSignal
  ): Promise<readonly Series[]> {
    const { registry, places, losses } = this.#parts
    await losses.refresh()
    if (places.isDropped(ns)) return []
    const known = (await registry.read(ns)).of(exactName(matchers))
    return findSeries(inRange(known, range, registry.isShared), matchers, signal)
  }
}

function* inRange(known: Iterable<Series>, range: TimeRange, isShared: boolean): Generator<Series> {
  for (const series of known) if (canHaveSamples(series, range, isShared)) yield series
}

function* withShownTimes(series: Iterable<Series>, nowNs: bigint): Generator<SeriesInfo> {
  for (const each of series) yield toInfo(each, nowNs)
}
