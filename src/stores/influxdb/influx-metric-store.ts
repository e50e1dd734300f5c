import type { NamespaceId } from '../../domain/ids.js'
import type { MetricPoint, SeriesSamples } from '../../domain/metric-point.js'
import type { TimeRange } from '../../domain/time-range.js'
import type { AppendResult, Batch } from '../../ports/append.js'
import type {
  Cardinality,
  CardinalityRequest,
  LabelMatcher,
  LabelsRequest,
  LabelTexts,
  MetricInfo,
  MetricStore,
  SelectRequest,
  SeriesInfo
} from '../../ports/metric-store.js'
import type { MetricsRequest } from '../metric-catalogue.js'
import type { Removal } from './places/removal.js'
import type { MetricReader } from './read/metric-reader.js'
import type { MetricWriter } from './write/metric-writer.js'

/**
 * `MetricStore` on InfluxDB 2. A repeated ingest id is known for one while this process remembers it
 * (`InfluxLimits.maxRecentBatches`); beyond that the same points are stored again, which are the same samples.
 */
export class InfluxMetricStore implements MetricStore {
  readonly #writer: MetricWriter
  readonly #reader: MetricReader
  readonly #removal: Removal

  constructor(writer: MetricWriter, reader: MetricReader, removal: Removal) {
    this.#writer = writer
    this.#reader = reader
    this.#removal = removal
  }

  append(ns: NamespaceId, batch: Batch<MetricPoint>): Promise<AppendResult> {
    return this.#writer.append(ns, batch)
  }

  select(ns: NamespaceId, request: SelectRequest, signal: AbortSignal): Promise<readonly SeriesSamples[]> {
    return this.#reader.select(ns, request, signal)
  }

  series(
    ns: NamespaceId,
    matchers: readonly LabelMatcher[],
    range: TimeRange,
    limit: number
  ): Promise<{ readonly series: readonly SeriesInfo[]; readonly hasMore: boolean }> {
    return this.#reader.series(ns, matchers, range, limit)
  }

  metrics(
    ns: NamespaceId,
    request: MetricsRequest
  ): Promise<{ readonly metrics: readonly MetricInfo[]; readonly hasMore: boolean }> {
    return this.#reader.metrics(ns, request)
  }

  labels(ns: NamespaceId, request: LabelsRequest, signal: AbortSignal): Promise<LabelTexts> {
    return this.#reader.labels(ns, request, signal)
  }

  cardinality(ns: NamespaceId, request: CardinalityRequest, signal: AbortSignal): Promise<Cardinality> {
    return this.#reader.cardinality(ns, request, signal)
  }

  /** Nothing to do: InfluxDB answers a write when it is visible. */
  async settle(_ns: NamespaceId): Promise<void> {}

  deleteBefore(ns: NamespaceId, timeNs: bigint): Promise<void> {
    return this.#removal.deleteBefore(ns, timeNs)
  }

  dropNamespace(ns: NamespaceId): Promise<void> {
    return this.#removal.dropNamespace(ns)
  }
}
