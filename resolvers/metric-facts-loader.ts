import DataLoader from 'dataloader'
import type { MetricFacts } from '../src/domain/metric-facts.js'
import type { Namespace } from '../src/domain/namespace.js'
import type { MetricFactsQuery } from '../src/query/metric-facts.js'

/** What senders say of metrics, by name: asked for once for all metrics that a request shows. */
export type MetricFactsLoader = DataLoader<string, MetricFacts | null>

/** A loader of one request. */
export function createMetricFactsLoader(facts: MetricFactsQuery, namespace: () => Promise<Namespace>): MetricFactsLoader {
  return new DataLoader<string, MetricFacts | null>(async names => facts.of(await namespace(), names))
}
