import type { ExemplarStore, MetricFactsCatalog } from '../../src/ports/metric-notes.js'

/** No metadata of metrics next to their samples, for tests that do not read it. */
export const NO_METRIC_NOTES: { readonly metricFacts: MetricFactsCatalog; readonly exemplars: ExemplarStore } = {
  metricFacts: { save: async () => undefined, of: async () => [], all: async () => [] },
  exemplars: {
    save: async () => undefined,
    select: async () => ({ exemplars: [], hasMore: false }),
    trim: async () => undefined,
    deleteBefore: async () => undefined
  }
}
