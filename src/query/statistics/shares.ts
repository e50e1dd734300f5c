import { benjaminiHochberg } from './false-discovery.js'
import { twoSidedTail } from './rank-sum.js'

/** Count of something and of everything in each of two windows. */
export interface CountedTwice {
  readonly count: number
  readonly total: number
  readonly baseCount: number
  readonly baseTotal: number
}

/** Share of falsely named changes among those that are named. */
export const MOST_Q = 0.05
/** Smallest change that counts: the share grew or fell by a fifth. Over many logs any smaller one is significant. */
export const LEAST_EFFECT = Math.log2(1.2)
/** Expected counts from which the G-test is close to the exact one: twice what Cochran (1954) requires. */
const LEAST_EXPECTED = 10
/** Difference of logarithms below which two tables are equally likely: that of rounding. */
const TOLERANCE = 1e-7
/** Difference of logarithms beyond which a table adds nothing to a sum of doubles. */
const NEGLIGIBLE = 45

/** Stirling's series for the logarithm of n!; exact below 10. */
function lnFactorial(n: number): number {
  if (n < 10) {
    let product = 1
    for (let i = 2; i <= n; i++) product *= i
    return Math.log(product)
  }
  return (n + 0.5) * Math.log(n) - n + 0.5 * Math.log(2 * Math.PI) + 1 / (12 * n) - 1 / (360 * n ** 3) + 1 / (1260 * n ** 5)
}

/**
 * Two-sided exact test of Fisher: the probability of all tables that are at most as likely as this one. Both tails end where
 * a table adds less than the precision of a double: a test takes some hundred steps, however many logs there are.
 */
function fisher({ count, total, baseCount, baseTotal }: CountedTwice): number {
  const both = count + baseCount
  const all = total + baseTotal
  const least = Math.max(0, both - baseTotal)
  const most = Math.min(both, total)
  const margins = lnFactorial(total) + lnFactorial(baseTotal) + lnFactorial(both) + lnFactorial(all - both) - lnFactorial(all)
  const ln = (k: number): number =>
    margins - lnFactorial(k) - lnFactorial(total - k) - lnFactorial(both - k) - lnFactorial(baseTotal - both + k)
  const own = ln(count) + TOLERANCE
  const tail = (from: number, step: 1 | -1): number => {
    let p = 0
    for (let k = from; k >= least && k <= most; k += step) {
      const at = ln(k)
      if (at <= own) p += Math.exp(at)
      if (at < own - NEGLIGIBLE) break
    }
    return p
  }
  // Tables are less likely the farther they are from the most likely one: those between it and this one need no step.
  const mode = Math.floor(((both + 1) * (total + 1)) / (all + 2))
  return Math.min(count >= mode ? tail(count, 1) + tail(Math.min(mode, count - 1), -1) : tail(count, -1) + tail(mode, 1), 1)
}

function gStatistic({ count, total, baseCount, baseTotal }: CountedTwice): number {
  const all = total + baseTotal
  const both = count + baseCount
  const term = (observed: number, row: number, column: number): number =>
    observed === 0 ? 0 : observed * Math.log((observed * all) / (row * column))
  const sum =
    term(count, total, both) +
    term(baseCount, baseTotal, both) +
    term(total - count, total, all - both) +
    term(baseTotal - baseCount, baseTotal, all - both)
  return Math.max(2 * sum, 0)
}

/**
 * The probability of such a difference between two shares, or a larger one, if both were equal: exact where a count is
 * expected below 10, else by the G-test. 1 when one of the windows is empty.
 */
export function pOfShares(counted: CountedTwice): number {
  const { count, total, baseCount, baseTotal } = counted
  if (total === 0 || baseTotal === 0) return 1
  const both = count + baseCount
  const all = total + baseTotal
  const expected = (Math.min(total, baseTotal) * Math.min(both, all - both)) / all
  return expected < LEAST_EXPECTED ? fisher(counted) : twoSidedTail(Math.sqrt(gStatistic(counted)))
}

/** Binary logarithm of the ratio of both shares, with half a log added to each count: 1 is twice as much. */
export function effectOfShares({ count, total, baseCount, baseTotal }: CountedTwice): number {
  return Math.log2((count + 0.5) / (total + 0.5)) - Math.log2((baseCount + 0.5) / (baseTotal + 0.5))
}

/** A difference with its effect and its corrected p-value. */
export interface ShareChange {
  readonly effect: number
  /** Corrected by Benjamini and Hochberg for everything that was tested. */
  readonly q: number
  readonly isSignificant: boolean
}

/** Tests all shares together, in the order given. */
export function shareChanges(counted: readonly CountedTwice[]): readonly ShareChange[] {
  const qs = benjaminiHochberg(counted.map(pOfShares))
  return counted.map((one, i) => {
    const effect = effectOfShares(one)
    const q = Math.min(qs[i]!, 1)
    return { effect, q, isSignificant: q <= MOST_Q && Math.abs(effect) >= LEAST_EFFECT }
  })
}
