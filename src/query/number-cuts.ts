import { nextUp } from '../domain/next-up.js'
import type { NumberSummary } from '../domain/search.js'

/** Quantiles of a sample that are cuts, of 17: those around the quartiles, and the upper end, where the tail is. */
const ENDS: ReadonlySet<number> = new Set([0, 3, 4, 5, 7, 8, 9, 11, 12, 13, 14, 15, 16])
/** Intervals between the last two, for the highest percentiles. */
const LAST_PARTS = 8
/** Steps beyond the extremes of a sample, as multiples of its width: others may be far away. */
const BEYOND = [1 / 8, 1 / 2, 2, 8, 64, 1024, 2 ** 20, 2 ** 40, 2 ** 80]
/** Parts of the extreme on the side of zero: a sample within bounds of its field has none of the numbers towards zero. */
const TOWARDS_ZERO = Array.from({ length: 10 }, (_, i) => 2 ** -(i + 1))
/** Steps beyond zero, where a sample on one side of it hardly has others. */
const BEYOND_ZERO = [1, 2 ** 10, 2 ** 40]

function stepsBetween(low: number, high: number): readonly number[] {
  return Array.from({ length: LAST_PARTS - 1 }, (_, i) => low + ((high - low) * (i + 1)) / LAST_PARTS)
}

/** Cuts below numbers from `least` on. */
function cutsBelow(least: number, width: number): readonly number[] {
  if (least <= 0) return BEYOND.map(step => least - width * step)
  return [...TOWARDS_ZERO.map(part => least * part), ...BEYOND_ZERO.map(step => -width * step)]
}

/**
 * Cuts that place the extremes and percentiles of numbers which are spread as a sample is: its quantiles, each alone in an
 * interval, since many numbers may equal it, and steps in its tail, towards zero and beyond its extremes.
 */
export function cutsOf({ quantiles }: Pick<NumberSummary, 'quantiles'>): readonly number[] {
  const ends = quantiles.filter((_, i) => ENDS.has(i))
  const [first, last] = [quantiles[0]!, quantiles.at(-1)!]
  const width = Math.max(last - first, Math.abs(first), Math.abs(last)) || 1
  const beyond = [...cutsBelow(first, width), ...cutsBelow(-last, width).map(cut => -cut)]
  const cuts = [
    ...[-Number.MAX_VALUE, 0, Number.MAX_VALUE, ...beyond],
    ...ends.flatMap(end => [end, nextUp(end)]),
    ...stepsBetween(quantiles.at(-2) ?? last, last)
  ]
  return [...new Set(cuts.map(cut => cut + 0))].filter(Number.isFinite).toSorted((a, b) => a - b)
}
