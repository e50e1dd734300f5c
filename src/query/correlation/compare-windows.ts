import { rankSumTest } from '../statistics/rank-sum.js'
import { median, robustSigma, varianceInflation } from './robust.js'

/** One side of a comparison. */
export interface Side {
  readonly points: number
  /** Null without points. */
  readonly median: number | null
  /** Median absolute deviation, scaled to a standard deviation. */
  readonly spread: number | null
}

/** What a series did in a window, against the baseline before it. */
export interface WindowChange {
  readonly baseline: Side
  readonly window: Side
  /** Cliff's delta, from -1 (all below the baseline) to 1 (all above). */
  readonly effect: number
  /** Difference of the medians in spreads of the baseline; null when the baseline does not spread at all. */
  readonly shift: number | null
  /** Two-sided, not yet corrected for the number of series. */
  readonly p: number
}

/** With fewer points no arrangement of ranks would be remarkable among many series. */
export const LEAST_WINDOW_POINTS = 3
/** Points that the baseline needs for a test. */
export const LEAST_BASELINE_POINTS = 8

function sideOf(points: readonly number[]): Side {
  return { points: points.length, median: median(points), spread: robustSigma(points) }
}

/**
 * Compares by ranks, so that outliers weigh no more than other points, and allows for neighboring points that resemble each
 * other. Null if either side has too few points for a comparison.
 */
export function compareWindows(window: readonly number[], baseline: readonly number[]): WindowChange | null {
  if (window.length < LEAST_WINDOW_POINTS || baseline.length < LEAST_BASELINE_POINTS) return null
  const { delta, p } = rankSumTest(window, baseline, varianceInflation(baseline))
  const [after, before] = [sideOf(window), sideOf(baseline)]
  const spread = before.spread!
  return {
    baseline: before,
    window: after,
    effect: delta,
    shift: spread > 0 ? (after.median! - before.median!) / spread : null,
    p
  }
}
