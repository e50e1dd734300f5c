import { type HistogramBuckets, NO_BUCKETS } from '../../../domain/native-histogram/native-histogram.js'

/** The buckets that have any observations, as the canonical form wants it. */
export function compactBuckets(buckets: HistogramBuckets): HistogramBuckets {
  const { indexes, counts } = buckets
  if (indexes.length === 0) return NO_BUCKETS
  if (!counts.includes(0)) return buckets
  return { indexes: indexes.filter((_, i) => counts[i] !== 0), counts: counts.filter(count => count !== 0) }
}
