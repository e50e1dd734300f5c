/** A bucket of a classic histogram: how many observations were at most its bound. */
export interface ClassicBucket {
  readonly upperBound: number
  count: number
}

/** A quantile, and whether counts had to be mended for it because they fell. */
export interface ClassicQuantile {
  readonly value: number
  readonly isForced: boolean
}

/** Counts that differ by less than this share are rounding of a sum over instances, not a fall. */
const SMALL_DELTA = 1e-12

function isAlmost(a: number, b: number): boolean {
  return Math.abs(a - b) <= SMALL_DELTA * (Math.abs(a) + Math.abs(b))
}

/** Cumulative counts must not fall; returns whether they were mended beyond rounding. */
function makeMonotonic(buckets: readonly ClassicBucket[]): boolean {
  let before = buckets[0]!.count
  let isForced = false
  for (const bucket of buckets.slice(1)) {
    if (bucket.count > before && !isAlmost(bucket.count, before)) {
      before = bucket.count
      continue
    }
    if (bucket.count < before && !isAlmost(bucket.count, before)) isForced = true
    bucket.count = before
  }
  return isForced
}

function quantileAmong(q: number, buckets: readonly ClassicBucket[]): number {
  const observations = buckets.at(-1)!.count
  if (buckets.length < 2 || observations === 0) return Number.NaN
  const rank = q * observations
  const found = buckets.findIndex(({ count }) => count >= rank)
  const at = found < 0 ? buckets.length - 1 : found
  if (at === buckets.length - 1) return buckets.at(-2)!.upperBound
  const { upperBound, count } = buckets[at]!
  if (at === 0 && upperBound <= 0) return upperBound
  const below = at > 0 ? buckets[at - 1]! : { upperBound: 0, count: 0 }
  return below.upperBound + (upperBound - below.upperBound) * ((rank - below.count) / (count - below.count))
}

/** Quantile of classic buckets, sorted by bound (promql/quantile.go, BucketQuantile). */
export function classicQuantile(q: number, sorted: readonly ClassicBucket[]): ClassicQuantile {
  const known = (value: number): ClassicQuantile => ({ value, isForced: false })
  if (Number.isNaN(q)) return known(Number.NaN)
  if (q < 0) return known(-Infinity)
  if (q > 1) return known(Infinity)
  if (sorted.at(-1)?.upperBound !== Infinity) return known(Number.NaN)
  const buckets = coalesce(sorted)
  const isForced = makeMonotonic(buckets)
  return { value: quantileAmong(q, buckets), isForced }
}

/** How many observations were below a number; null where it is above all buckets. */
function rankOf(value: number, buckets: readonly ClassicBucket[]): number | null {
  let lower = buckets[0]!.upperBound <= 0 ? -Infinity : 0
  let rank = 0
  for (const { upperBound, count } of buckets) {
    if (lower >= value) return rank
    if (upperBound > value) {
      // Nothing is known of how observations are spread down to -Inf.
      return lower === -Infinity ? count : rank + ((count - rank) * (value - lower)) / (upperBound - lower)
    }
    lower = upperBound
    rank = count
  }
  return null
}

/** The share of observations between two numbers, by classic buckets sorted by bound. */
export function classicFraction(lower: number, upper: number, sorted: readonly ClassicBucket[]): number {
  if (sorted.at(-1)?.upperBound !== Infinity) return Number.NaN
  const buckets = coalesce(sorted)
  const { count } = buckets.at(-1)!
  if (count === 0 || Number.isNaN(lower) || Number.isNaN(upper)) return Number.NaN
  if (lower >= upper) return 0
  const [from, to] = [lower, upper].map(value => Math.min(rankOf(value, buckets) ?? count, count)) as [number, number]
  return (to - from) / count
}

/** Buckets of equal bounds, as of `le="1"` and `le="1.0"`, are one. */
function coalesce(sorted: readonly ClassicBucket[]): ClassicBucket[] {
  const buckets: ClassicBucket[] = []
  for (const { upperBound, count } of sorted) {
    const before = buckets.at(-1)
    if (before?.upperBound === upperBound) before.count += count
    else buckets.push({ upperBound, count })
  }
  return buckets
}
