import { GatewayError } from '../../../domain/errors.js'
import type { NamespaceId } from '../../../domain/ids.js'
import type { SeriesSamples } from '../../../domain/metric-point.js'
import type { TimeRange } from '../../../domain/time-range.js'
import type { LabelMatcher, MetricInfo, SelectRequest, SeriesInfo } from '../../../ports/metric-store.js'
import type { Snapshots } from '../snapshot.js'
import type { SeriesLookup } from './series-lookup.js'

/** One page of the metric catalogue; see `MetricStore.metrics`. */
export interface MetricsRequest {
  readonly contains?: string
  readonly after?: string
  readonly limit: number
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
  select(_ns: NamespaceId, _request: SelectRequest, _signal: AbortSignal): Promise<readonly SeriesSamples[]> {
    void this.#snapshots
    void this.#series
    throw new GatewayError('not_implemented', 'select')
  }

  /** As `MetricStore.series`. */
  series(
    _ns: NamespaceId,
    _matchers: readonly LabelMatcher[],
    _range: TimeRange,
    _limit: number
  ): Promise<{ readonly series: readonly SeriesInfo[]; readonly hasMore: boolean }> {
    throw new GatewayError('not_implemented', 'series')
  }

  /** As `MetricStore.metrics`. */
  metrics(
    _ns: NamespaceId,
    _request: MetricsRequest
  ): Promise<{ readonly metrics: readonly MetricInfo[]; readonly hasMore: boolean }> {
    throw new GatewayError('not_implemented', 'metrics')
  }
}
