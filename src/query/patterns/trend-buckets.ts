import { boundedCount } from '../bounds.js'

const DEFAULT_BUCKETS = 30
const MAX_BUCKETS = 200

/** Buckets of the trend of a pattern. Throws `invalid_field`. */
export function trendBuckets(requested: number | undefined): number {
  return boundedCount(requested, 'buckets', { least: 1, most: MAX_BUCKETS, otherwise: DEFAULT_BUCKETS })
}
