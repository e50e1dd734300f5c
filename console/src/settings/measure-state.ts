import type { SavedMeasuresQuery } from '../api/generated/SavedMeasures.js'
import { parseDurationText } from '../format/duration-text.js'
import { toMs } from '../format/instant.js'
import { formatAgeMs, formatShare } from '../format/number.js'

/** A saved measure of the list. */
export type StoredMeasure = NonNullable<SavedMeasuresQuery['savedMeasures']>[number]

/** The share of its backfill that is computed; null without one that goes on. */
export function backfillShare({ backfill }: Pick<StoredMeasure, 'backfill'>): number | null {
  if (!backfill || backfill.doneUntil === backfill.until) return null
  const [from, done, until] = [backfill.from, backfill.doneUntil, backfill.until].map(toMs) as [number, number, number]
  return (done - from) / (until - from)
}

/** A step is computed 10 s after its end, and the list is as old as its refresh. */
const USUAL_DELAY_MS = 30_000

/** What is not computed yet, milliseconds; null while it is within the delay of each step. */
function behindMs({ countedUntil, step }: Pick<StoredMeasure, 'countedUntil' | 'step'>, nowMs: number): number | null {
  const ms = nowMs - toMs(countedUntil)
  return ms > 2 * (parseDurationText(step) ?? 0) + USUAL_DELAY_MS ? ms : null
}

/** In a word or two: what hinders a measure comes first. */
export function measureState(
  measure: Pick<StoredMeasure, 'backfill' | 'countedUntil' | 'error' | 'incomplete' | 'step'>,
  nowMs: number
): string {
  if (measure.error != null) return `error: ${measure.error}`
  const behind = behindMs(measure, nowMs)
  if (behind !== null) return `behind: ${formatAgeMs(behind)}`
  const share = backfillShare(measure)
  if (share !== null) return `backfill: ${formatShare(share)}`
  return measure.incomplete == null ? 'up to date' : `incomplete: ${measure.incomplete}`
}

/** What a measure computes: `sum of amount by region`. */
export function savedTitle({ fn, field, groupBy }: Pick<StoredMeasure, 'fn' | 'field' | 'groupBy'>): string {
  const title = field == null ? fn.toLowerCase() : `${fn.toLowerCase()} of ${field}`
  return groupBy.length === 0 ? title : `${title} by ${groupBy.join(', ')}`
}
