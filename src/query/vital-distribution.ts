import { VITALS, type VitalName } from '../domain/records/rum.js'

/** Ceiling of vitals without thresholds, in milliseconds. */
const UNRATED_CEILING = 10_000
/** Of the threshold of poor values, beyond which one bucket counts all. */
const CEILING_FACTOR = 2
const DECIMALS = 1e6

/**
 * The upper bounds of `buckets` buckets of one width, one less than there are buckets: the last holds what is larger. They
 * do not depend on the data, so that two distributions can be compared, and the thresholds of a rating are near bounds.
 */
export function vitalBounds(vital: VitalName, buckets: number): readonly number[] {
  const { poor } = VITALS[vital]
  const ceiling = poor === null ? UNRATED_CEILING : poor * CEILING_FACTOR
  const width = ceiling / (buckets - 1)
  return Array.from({ length: buckets - 1 }, (_, i) => Math.round(width * (i + 1) * DECIMALS) / DECIMALS)
}
