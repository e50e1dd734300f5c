/** The bins of the two values that a percentile is between, and its place: from 0, at the lower one, to 1. */
export interface BinnedRank {
  readonly low: number
  readonly high: number
  readonly share: number
}

/** Where percentiles (0 to 1) are, as `quantile_cont` defines them; null without values. */
export function ranksOf(bins: ReadonlyMap<number, number>, percentiles: readonly number[]): readonly BinnedRank[] | null {
  const sorted = [...bins].sort(([a], [b]) => a - b)
  const ends = sorted.map(() => 0)
  let total = 0
  for (const [i, [, count]] of sorted.entries()) ends[i] = total += count
  if (total === 0) return null
  return percentiles.map(percentile => {
    const place = percentile * (total - 1)
    const at = (rank: number): number => sorted[firstAbove(ends, rank)]![0]
    return { low: at(Math.floor(place)), high: at(Math.ceil(place)), share: place - Math.floor(place) }
  })
}

/** Index of the first of rising numbers that is above `limit`. */
function firstAbove(rising: readonly number[], limit: number): number {
  let [low, high] = [0, rising.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if (rising[middle]! > limit) high = middle
    else low = middle + 1
  }
  return low
}

/** The value at a share of the way from one to the other. */
export function between(low: number, high: number, share: number): number {
  return low + (high - low) * share
}
