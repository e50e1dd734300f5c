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
  const sorted = [...bins].sort(([a], [b]) => a - b)
  const total = sorted.reduce((sum, [, count]) => sum + count, 0)
  const at = (rank: number): number => {
    let seen = 0
    const found = sorted.find(([, count]) => (seen += count) > rank)
    return middleOf(found![0])
  }
  return percentiles.map(p => {
    if (total === 0) return null
    const place = p * (total - 1)
    const [low, high] = [at(Math.floor(place)), at(Math.ceil(place))]
    return low + (high - low) * (place - Math.floor(place))
  })
}
