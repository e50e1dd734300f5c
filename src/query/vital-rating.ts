import { type VitalName, VITALS } from '../domain/records/rum.js'
import type { VitalStats } from '../ports/event-store.js'
import type { VitalRating, VitalSummary } from './rum-result.js'

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

/** The percentile that a vital is judged at ("Queries" in docs/conventions.md). */
export const JUDGED_AT = 75

/** How a vital's value is judged; null for vitals without agreed thresholds. A value at a threshold still has the better rating. */
export function rateVital(vital: VitalName, value: number): VitalRating | null {
  const { good, poor } = VITALS[vital]
  if (good === null) return null
  if (value <= good) return 'good'
  return value <= poor ? 'needs_improvement' : 'poor'
}

/** A store's numbers of one vital with its rating. `fractions` are those in the request to the store. */
export function toVitalSummary(stats: VitalStats, fractions: readonly number[], percentiles: readonly number[]): VitalSummary {
  const at = (percentile: number) => stats.percentiles[fractions.indexOf(percentile / 100)] ?? null
  const judged = at(JUDGED_AT)
  const { vital, samples, good, needsImprovement, poor } = stats
  const rating = judged === null ? null : rateVital(vital, judged)
  return { vital, samples, good, needsImprovement, poor, rating, percentiles: percentiles.map(at) }
}
