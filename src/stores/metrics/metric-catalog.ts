import { fold } from '../../domain/case-folding.js'
import type { TimeRange } from '../../domain/time-range.js'
import type { LabelMatcher, MetricInfo, SeriesInfo } from '../../ports/metric-store.js'

/** One page of the metric catalog; see `MetricStore.metrics`. */
export interface MetricsRequest {
  readonly contains?: string
  readonly after?: string
  readonly limit: number
}

/** Which series to list, and how many at most; see `MetricStore.series`. */
export interface SeriesRequest {
  readonly matchers: readonly LabelMatcher[]
  readonly range: TimeRange
  readonly limit: number
}

type CatalogEntry = Pick<SeriesInfo, 'name' | 'type' | 'lastSeenNs'>

function withSeries(info: MetricInfo | undefined, { name, type, lastSeenNs }: CatalogEntry): MetricInfo {
  if (!info) return { name, type, seriesCount: 1, lastSeenNs }
  // Series seen last at the same time may differ in type: the result must not depend on their order.
  const isNewer = lastSeenNs > info.lastSeenNs || (lastSeenNs === info.lastSeenNs && type < info.type)
  return {
    name,
    type: isNewer ? type : info.type,
    seriesCount: info.seriesCount + 1,
    lastSeenNs: isNewer ? lastSeenNs : info.lastSeenNs
  }
}

/** A page of the catalog that the series of a namespace make. */
export function listMetrics(
  series: Iterable<CatalogEntry>,
  { contains, after, limit }: MetricsRequest
): { readonly metrics: readonly MetricInfo[]; readonly hasMore: boolean } {
  const needle = fold(contains ?? '')
  const metrics = new Map<string, MetricInfo>()
  for (const each of series) {
    if (after !== undefined && each.name <= after) continue
    const known = metrics.get(each.name)
    if (known || fold(each.name).includes(needle)) metrics.set(each.name, withSeries(known, each))
  }
  const sorted = [...metrics.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
  return { metrics: sorted.slice(0, limit), hasMore: sorted.length > limit }
}
