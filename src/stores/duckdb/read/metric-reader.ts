import type { NamespaceId } from '../../../domain/ids.js'
import type { TimeRange } from '../../../domain/time-range.js'
import type { LabelMatcher, MetricStore, SeriesInfo } from '../../../ports/metric-store.js'
import type { Snapshots } from '../snapshot.js'
import { countSeries } from '../../metrics/cardinality.js'
import { exactName, findLabels, findSeries } from '../../metrics/label-matching.js'
import { listMetrics, type SeriesRequest } from '../../metrics/metric-catalog.js'
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

/** What the store process reads of metrics. */
export interface MetricReader extends Pick<MetricStore, 'select' | 'metrics' | 'labels' | 'cardinality'> {
  /** As `MetricStore.series`. */
  series(ns: NamespaceId, request: SeriesRequest, signal?: AbortSignal): ReturnType<MetricStore['series']>
}

/** The reading half of `MetricStore` on DuckDB. */
export function metricReader(snapshots: Snapshots, registry: SeriesLookup): MetricReader {
  const matching = (
    ns: NamespaceId,
    matchers: readonly LabelMatcher[],
    { startNs, endNs }: TimeRange,
    signal?: AbortSignal
  ): Promise<readonly NumberedSeries[]> => {
    const known = registry.ofNamespace(ns, exactName(matchers))
    return findSeries(inRange(known, startNs, endNs), matchers, signal)
  }
  return {
    select: async (ns, { matchers, range, maxSeries, maxSamples, windows }, signal) => {
      signal.throwIfAborted()
      const series = await matching(ns, matchers, range, signal)
      if (series.length > maxSeries) throw tooManySeries(maxSeries)
      checkLabelSize(series)
      const query = { ids: series.map(({ id }) => id), maxSamples, windows }
      const options = { kind: 'points', ns, range, heavy: series.length > 1, signal } as const
      const samples = await inSnapshot(snapshots, options, scope => readSamples(scope, query))
      const having = query.ids.filter(id => samples.get(id)?.hasHistograms)
      const read = (scope: Scope) => readHistograms(scope, having, maxSamples)
      const histograms = having.length === 0 ? null : await inSnapshot(snapshots, { ...options, kind: 'histograms' }, read)
      return series.flatMap(({ id, name, type, labels }) => {
        const found = samples.get(id)
        if (found === undefined || found.values.length === 0) return []
        const { timestampsNs, values, hasHistograms, isAggregated } = found
        const plain = { name, type, labels, timestampsNs, values, ...(isAggregated && { isAggregated }) }
        return [hasHistograms ? { ...plain, histograms: histogramsAt(found, histograms?.get(id)) } : plain]
      })
    },
    series: async (ns, { matchers, range, limit }, signal) => {
      const { first, hasMore } = firstSeries(await matching(ns, matchers, range, signal), limit)
      return { series: first.map(toSeriesInfo), hasMore }
    },
    metrics: async (ns, request, signal) => {
      signal?.throwIfAborted()
      return listMetrics(registry.ofNamespace(ns), request)
    },
    labels: (ns, request, signal) => {
      const { startNs, endNs } = request.range
      const known = registry.ofNamespace(ns, exactName(request.matchers))
      return findLabels(inRange(known, startNs, endNs), request, signal)
    },
    cardinality: (ns, request, signal) => {
      const budget = { maxSeries: registry.maxSeries, activeSeries: registry.sizeOf(ns) }
      return countSeries(registry.ofNamespace(ns, request.metric), budget, request, signal)
    }
  }
}

function* inRange(known: Iterable<NumberedSeries>, startNs: bigint, endNs: bigint): Generator<NumberedSeries> {
  for (const series of known) if (series.lastSeenNs >= startNs && series.firstSeenNs < endNs) yield series
}
