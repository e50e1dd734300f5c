import {
  compactBuckets,
  type HistogramBuckets,
  isCustom,
  type NativeHistogram
} from '../../../domain/native-histogram/native-histogram.js'
import { type Bucket, middleOf, negativeBucket, positiveBucket } from './buckets.js'
import { withoutEmptySide, shareBelow } from './quantile.js'

/** Which observations stay: those below the limit (`</`) or those above it (`>/`). */
export type TrimSide = 'below' | 'above'

/** What is left of a bucket, and where its observations are taken to be. */
interface Rest {
  readonly count: number
  readonly middle: number
}

interface Cut {
  readonly limit: number
  readonly keep: TrimSide
  readonly isLinear: boolean
}

const NOTHING: Rest = { count: 0, middle: 0 }

function finite(value: number): number {
  return Math.abs(value) === Infinity ? 0 : value
}

function placeOf({ lower, upper }: Pick<Bucket, 'lower' | 'upper'>, isLinear: boolean): number {
  if (lower === -Infinity) return upper === Infinity ? 0 : upper > 0 ? upper / 2 : upper
  return upper === Infinity ? lower : middleOf({ lower, upper }, isLinear)
}

/** A bucket without an end: its observations have an unknown distribution; only below zero it is known to be empty. */
function endless({ lower, upper, count }: Bucket, { limit, keep }: Cut): Rest {
  if (lower === -Infinity) {
    const isSpread = upper > 0 && upper !== Infinity
    if (keep === 'below') {
      if (limit > 0 && isSpread) return { count: (count * limit) / upper, middle: limit / 2 }
      return upper <= 0 ? { count, middle: limit } : NOTHING
    }
    if (limit >= 0 && isSpread) return { count: count * (1 - limit / upper), middle: (limit + upper) / 2 }
    return { count: 0, middle: finite(upper) }
  }
  return keep === 'above' && limit >= lower ? { count, middle: limit } : { count: 0, middle: finite(lower) }
}

function trimBucket(bucket: Bucket, cut: Cut): Rest {
  const { lower, upper, count } = bucket
  const { limit, keep, isLinear } = cut
  const isWhole = keep === 'below' ? upper <= limit : lower >= limit
  if (isWhole) return { count, middle: placeOf(bucket, isLinear) }
  const isCut = keep === 'below' ? lower < limit : upper > limit
  if (!isCut) return NOTHING
  if (lower === -Infinity || upper === Infinity) return endless(bucket, cut)
  const below = count * shareBelow(bucket, limit, isLinear)
  if (keep === 'below') return { count: below, middle: placeOf({ lower, upper: limit }, isLinear) }
  return { count: count - below, middle: placeOf({ lower: limit, upper }, isLinear) }
}

function trimZero(histogram: NativeHistogram, { limit, keep }: Cut): Rest {
  const { zeroThreshold, zeroCount } = histogram
  const { lower, upper } = withoutEmptySide({ lower: -zeroThreshold, upper: zeroThreshold }, histogram)
  const whole = { count: zeroCount, middle: (lower + upper) / 2 }
  if (limit <= lower) return keep === 'below' ? NOTHING : whole
  if (limit >= upper) return keep === 'below' ? whole : NOTHING
  const share = (limit - lower) / (upper - lower)
  if (keep === 'below') return { count: zeroCount * share, middle: (lower + limit) / 2 }
  return { count: zeroCount * (1 - share), middle: (limit + upper) / 2 }
}

/**
 * The observations of a histogram on one side of a limit. Where the limit cuts a bucket, its observations are split as
 * quantiles spread them; the sum is estimated again from the middles of what is left. Uncut, it stays as it is.
 */
export function trimHistogram(histogram: NativeHistogram, limit: number, keep: TrimSide): NativeHistogram {
  const { positive, negative, zeroCount } = histogram
  const cut = { limit, keep, isLinear: isCustom(histogram) }
  const trimmed = ({ indexes, counts }: HistogramBuckets, bucketOf: typeof positiveBucket): readonly Rest[] =>
    Array.from(indexes, (index, i) => trimBucket(bucketOf(histogram, index, counts[i]!), cut))
  const [above, below] = [trimmed(positive, positiveBucket), trimmed(negative, negativeBucket)]
  const zero = zeroCount > 0 ? trimZero(histogram, cut) : { count: zeroCount, middle: 0 }
  const isUncut =
    zero.count === zeroCount &&
    above.every(({ count }, i) => count === positive.counts[i]) &&
    below.every(({ count }, i) => count === negative.counts[i])
  if (isUncut) return histogram
  const rests = [...above, ...below, zero]
  return {
    ...histogram,
    count: rests.reduce((total, { count }) => total + count, 0),
    sum: rests.reduce((total, { count, middle }) => total + count * middle, 0),
    zeroCount: zero.count,
    positive: withCounts(positive, above),
    negative: withCounts(negative, below)
  }
}

function withCounts({ indexes }: HistogramBuckets, rests: readonly Rest[]): HistogramBuckets {
  return compactBuckets({ indexes, counts: Float64Array.from(rests, ({ count }) => count) })
}
