import type { SavedMeasuresQuery } from '../api/generated/SavedMeasures.js'
import { toMs } from '../format/instant.js'
import { formatShare } from '../format/number.js'

/** A saved measure of the list. */
export type StoredMeasure = NonNullable<SavedMeasuresQuery['savedMeasures']>[number]

/** The share of its backfill that is computed; null without one that goes on. */
export function backfillShare({ backfill }: Pick<StoredMeasure, 'backfill'>): number | null {
  if (!backfill || backfill.doneUntil === backfill.until) return null
  const [from, done, until] = [backfill.from, backfill.doneUntil, backfill.until].map(toMs) as [number, number, number]
  return (done - from) / (until - from)
}

/** In a word or two: what hinders a measure comes first. */
export function measureState(measure: Pick<StoredMeasure, 'backfill' | 'error' | 'incomplete'>): string {
  if (measure.error != null) return `error: ${measure.error}`
  const share = backfillShare(measure)
  if (share !== null) return `backfill: ${formatShare(share)}`
  return measure.incomplete == null ? 'up to date' : `incomplete: ${measure.incomplete}`
}

/** What a measure computes: `sum of amount by region`. */
export function savedTitle({ fn, field, groupBy }: Pick<StoredMeasure, 'fn' | 'field' | 'groupBy'>): string {
  const title = field == null ? fn.toLowerCase() : `${fn.toLowerCase()} of ${field}`
  return groupBy.length === 0 ? title : `${title} by ${groupBy.join(', ')}`
}
