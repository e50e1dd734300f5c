import { twoSidedTail } from './rank-sum.js'

/** Numbers that each side needs: with fewer the normal approximation does not hold. */
export const LEAST_NUMBERS = 20
/** Intervals into which numbers are counted. */
const MAX_INTERVALS = 16

/** How the numbers of one side compare with those of another. */
export interface BinnedRanks {
  /** Cliff's delta: -1 when all numbers are below those of the base, 1 when above, 0 when neither. */
  readonly delta: number
  /** Two-sided, of the test of Wilcoxon, Mann and Whitney, with the corrections for ties and continuity. */
  readonly p: number
  /** Of the same test: distance from no difference, in standard deviations. */
  readonly z: number
  /** Number of the bound at which the shares of both sides below it differ most (Kolmogorov and Smirnov). */
  readonly cut: number
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0)
}

/** Where the intervals of numbers begin: at quantiles, of all that is compared. Without a bound the numbers do not differ. */
export function quantileBounds(numbers: readonly number[]): readonly number[] {
  const sorted = numbers.toSorted((a, b) => a - b)
  const bounds = Array.from({ length: MAX_INTERVALS - 1 }, (_, i) => {
    return sorted[Math.round(((i + 1) * (sorted.length - 1)) / MAX_INTERVALS)]!
  })
  return [...new Set(bounds)].filter(bound => bound > sorted[0]!)
}

/**
 * Compares counts by interval, in the order of the intervals: numbers of one interval are ties. Millions of numbers cost as
 * much as a few. Null when either side has fewer than `LEAST_NUMBERS`.
 */
export function compareBinned(counts: readonly number[], baseCounts: readonly number[]): BinnedRanks | null {
  const [n, m] = [sumOf(counts), sumOf(baseCounts)]
  if (n < LEAST_NUMBERS || m < LEAST_NUMBERS) return null
  let [below, baseBelow, u, ties, cut, widest] = [0, 0, 0, 0, 0, -1]
  for (const [i, count] of counts.entries()) {
    const base = baseCounts[i]!
    u += count * (baseBelow + base / 2)
    ties += (count + base) ** 3 - (count + base)
    below += count
    baseBelow += base
    const gap = Math.abs(below / n - baseBelow / m)
    if (i < counts.length - 1 && gap > widest) [cut, widest] = [i, gap]
  }
  const total = n + m
  const variance = ((n * m) / 12) * (total + 1 - ties / (total * (total - 1)))
  const distance = Math.max(0, Math.abs(u - (n * m) / 2) - 0.5)
  const z = variance > 0 ? distance / Math.sqrt(variance) : 0
  return { delta: (2 * u) / (n * m) - 1, p: Math.min(1, twoSidedTail(z)), z, cut }
}
