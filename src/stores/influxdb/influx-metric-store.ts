import type { MetricStore } from '../../ports/metric-store.js'
import type { Removal } from './places/removal.js'
import type { MetricReader } from './read/metric-reader.js'
import type { MetricWriter } from './write/metric-writer.js'

/**
 * `MetricStore` on InfluxDB 2. A repeated ingest id is known for one while this process remembers it
 * (`InfluxLimits.maxRecentBatches`); beyond that the same points are stored again, which are the same samples.
 */
export function influxMetricStore(writer: MetricWriter, reader: MetricReader, removal: Removal): MetricStore {
  return {
    append: (ns, batch) => writer.append(ns, batch),
    select: (ns, request, signal) => reader.select(ns, request, signal),
    series: (ns, matchers, range, limit, signal) => reader.series(ns, { matchers, range, limit }, signal),
    metrics: (ns, request, signal) => reader.metrics(ns, request, signal),
    labels: (ns, request, signal) => reader.labels(ns, request, signal),
    cardinality: (ns, request, signal) => reader.cardinality(ns, request, signal),
    // Nothing to do: InfluxDB answers a write when it is visible.
    settle: () => Promise.resolve(),
    deleteBefore: (ns, timeNs) => removal.deleteBefore(ns, timeNs),
    dropNamespace: ns => removal.dropNamespace(ns)
  }
}
