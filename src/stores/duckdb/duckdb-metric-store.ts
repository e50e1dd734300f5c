import { GatewayError } from '../../domain/errors.js'
import type { NamespaceId } from '../../domain/ids.js'
import type { MetricPoint, SeriesSamples } from '../../domain/metric-point.js'
import type { TimeRange } from '../../domain/time-range.js'
import type { AppendResult, Batch } from '../../ports/append.js'
import type {
  Cardinality,
  CardinalityRequest,
  LabelMatcher,
  LabelsRequest,
  LabelStrings,
  MetricInfo,
  MetricStore,
  SelectRequest,
  SeriesInfo
} from '../../ports/metric-store.js'
import { SeriesIds } from './client/series-ids.js'
import type { StoreClient } from './client/store-client.js'
import { gapSentences } from './gap-sentences.js'
import type { MetricsRequest, SeriesRequest } from '../metrics/metric-catalog.js'
import type { PointsAppend } from './wire/calls.js'
import { UnknownSeries } from './wire/errors.js'
import { isNamed } from './wire/packed-append.js'
import { type PackedSamples, unpackSamples } from './wire/packed-samples.js'
import { POINTS_AT_ONCE, pointsAppend, pointsAppendInSlices } from './wire/points.js'
import type { Warning } from '../../domain/warning.js'

/** `MetricStore` on the embedded engine: columns out, calls to the store process in. */
export class DuckDbMetricStore implements MetricStore {
  readonly #client: StoreClient
  readonly #ids = new SeriesIds()

  constructor(client: StoreClient) {
    this.#client = client
  }

  /** Memory for ids of series. */
  get idBytes(): number {
    return this.#ids.bytes
  }

  async append(ns: NamespaceId, batch: Batch<MetricPoint>): Promise<AppendResult> {
    try {
      return await this.#append(await frameOf(ns, batch, this.#ids.of(ns)))
    } catch (error) {
      if (!(error instanceof UnknownSeries)) throw error
      // Deleted since, by retention say: the store creates them again.
      this.#ids.forget(ns)
      return this.#append(await frameOf(ns, batch))
    }
  }

  async #append(request: PointsAppend): Promise<AppendResult> {
    const { seriesIds, ...result } = await this.#client.append(request)
    if (seriesIds === undefined) return result
    const named = request.seriesList.filter(isNamed)
    for (const [i, { key }] of named.entries()) if (seriesIds[i]) this.#ids.learn(request.ns, key, seriesIds[i])
    return result
  }

  async select(ns: NamespaceId, request: SelectRequest, signal: AbortSignal): Promise<readonly SeriesSamples[]> {
    return unpackSamples(await this.#client.read<PackedSamples>('metrics.select', [ns, request], signal))
  }

  series(
    ns: NamespaceId,
    matchers: readonly LabelMatcher[],
    range: TimeRange,
    limit: number,
    signal?: AbortSignal
  ): Promise<{ readonly series: readonly SeriesInfo[]; readonly hasMore: boolean }> {
    return this.#client.read('metrics.series', [ns, { matchers, range, limit } satisfies SeriesRequest], signal)
  }

  metrics(
    ns: NamespaceId,
    request: MetricsRequest,
    signal?: AbortSignal
  ): Promise<{ readonly metrics: readonly MetricInfo[]; readonly hasMore: boolean }> {
    return this.#client.read('metrics.metrics', [ns, request], signal)
  }

  labels(ns: NamespaceId, request: LabelsRequest, signal: AbortSignal): Promise<LabelStrings> {
    return this.#client.read('metrics.labels', [ns, request], signal)
  }

  cardinality(ns: NamespaceId, request: CardinalityRequest, signal: AbortSignal): Promise<Cardinality> {
    return this.#client.read('metrics.cardinality', [ns, request], signal)
  }

  gaps(ns: NamespaceId, range: TimeRange): readonly Warning[] {
    return gapSentences(this.#client.gaps, ['points', 'histograms'], ns, range)
  }

  /** Nothing to do: what is acknowledged is visible. */
  async settle(_ns: NamespaceId): Promise<void> {
    if (!this.#client.state.isRunning) throw new GatewayError('store_unavailable', this.#client.state.detail)
  }

  deleteBefore(ns: NamespaceId, timeNs: bigint): Promise<void> {
    return this.#client.call('deleteBefore', ['points', ns, timeNs])
  }

  dropNamespace(ns: NamespaceId): Promise<void> {
    this.#ids.forget(ns)
    return this.#client.call('dropNamespace', [['points'], ns])
  }
}

type FrameArgs = Parameters<typeof pointsAppend>

function frameOf(...args: FrameArgs): PointsAppend | Promise<PointsAppend> {
  const [, { items }] = args
  return items.length > POINTS_AT_ONCE ? pointsAppendInSlices(...args) : pointsAppend(...args)
}
