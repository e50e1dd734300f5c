import { type VitalName, VITALS } from '../domain/records/rum.js'
import type { VitalStats } from '../ports/event-store.js'
import type { VitalRating, VitalSummary } from './rum-result.js'

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
