import { between, ranksOf } from './ranks.js'

/**
 * Durations are counted in bins whose bounds grow by one hundredth: a duration and the middle of its bin differ by half a
 * percent at most, and so do percentiles, which are between two durations. Bin -1 holds those of 0 ns.
 */
const BINS_PER_E = 100
const NO_DURATION = -1

/** SQL of the bin of `duration_ns`. */
export const BIN_SQL = `CASE WHEN duration_ns <= 0 THEN ${NO_DURATION} ELSE CAST(floor(ln(duration_ns) * ${BINS_PER_E}) AS INTEGER) END`

function middleOf(bin: number): number {
  return bin === NO_DURATION ? 0 : Math.exp((bin + 0.5) / BINS_PER_E)
}

/** Percentiles as `quantile_cont` has them, of durations that are known by their bins; null without any. */
export function percentilesOfBins(bins: ReadonlyMap<number, number>, percentiles: readonly number[]): readonly (number | null)[] {
  const ranks = ranksOf(bins, percentiles)
  if (ranks === null) return percentiles.map(() => null)
  return ranks.map(({ low, high, share }) => between(middleOf(low), middleOf(high), share))
}
