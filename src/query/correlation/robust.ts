/** Makes the median absolute deviation of normal values their standard deviation. */
const MAD_TO_SIGMA = 1.4826
/** A correlation nearer to 1 would leave no independent sample. */
const MOST_CORRELATION = 0.95

/** Null without values. */
export function median(values: readonly number[]): number | null {
  if (values.length === 0) return null
  const sorted = Float64Array.from(values).sort()
  const middle = sorted.length >>> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** The median absolute deviation, scaled so that it estimates a standard deviation; null without values. */
export function robustSigma(values: readonly number[]): number | null {
  const center = median(values)
  return center === null ? null : MAD_TO_SIGMA * median(values.map(value => Math.abs(value - center)))!
}

/** Mid-ranks: equal values share the mean of their places. */
function ranks(values: readonly number[]): readonly number[] {
  const sorted = Float64Array.from(values).sort()
  const rankOf = new Map<number, number>()
  for (let from = 0; from < sorted.length;) {
    let to = from + 1
    while (to < sorted.length && sorted[to] === sorted[from]) to++
    rankOf.set(sorted[from]!, (from + 1 + to) / 2)
    from = to
  }
  return values.map(value => rankOf.get(value)!)
}

/**
 * How much the resemblance of neighbors widens the spread of a mean rank: (1 + r) / (1 - r) for the correlation r of the
 * ranks of neighboring values (Bartlett 1946, a first-order process), r corrected for its bias in short series (Kendall
 * 1954). At least 1: a series whose neighbors differ more than by chance is not trusted more.
 */
export function varianceInflation(values: readonly number[]): number {
  const n = values.length
  if (n < 3) return 1
  const mean = (n + 1) / 2
  const centered = ranks(values).map(rank => rank - mean)
  const spread = centered.reduce((sum, value) => sum + value * value, 0)
  if (spread === 0) return 1
  const lagged = centered.reduce((sum, value, i) => (i === 0 ? 0 : sum + value * centered[i - 1]!), 0)
  const raw = lagged / spread
  const r = Math.min(MOST_CORRELATION, raw + (1 + 4 * raw) / n)
  return r > 0 ? (1 + r) / (1 - r) : 1
}
