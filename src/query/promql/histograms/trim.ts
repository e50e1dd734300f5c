import { isCustom, type NativeHistogram, toBuckets } from '../../../domain/native-histogram/native-histogram.js'
import { upperBound } from '../../../domain/native-histogram/bucket-bounds.js'
import { shareBelow } from './quantile.js'

/** Which observations stay: those below the limit (`</`) or those above it (`>/`). */
export type TrimSide = 'below' | 'above'

/** What is left of a bucket, and where its observations are taken to lie. */
interface Rest {
  readonly count: number
  readonly middle: number
}

interface Interval {
  readonly lower: number
  readonly upper: number
  readonly count: number
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

function middleOf(lower: number, upper: number, isLinear: boolean): number {
  if (lower === -Infinity) return upper === Infinity ? 0 : upper > 0 ? upper / 2 : upper
  if (upper === Infinity) return lower
  if (isLinear) return (lower + upper) / 2
  const mean = Math.sqrt(Math.abs(lower * upper))
  return upper > 0 ? mean : -mean
}

/** A bucket without an end: nothing is known of how its observations are spread, but that below zero there are none. */
function endless({ lower, upper, count }: Interval, { limit, keep }: Cut): Rest {
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

function trimBucket(bucket: Interval, cut: Cut): Rest {
  const { lower, upper, count } = bucket
  const { limit, keep, isLinear } = cut
  const isWhole = keep === 'below' ? upper <= limit : lower >= limit
  if (isWhole) return { count, middle: middleOf(lower, upper, isLinear) }
  const isCut = keep === 'below' ? lower < limit : upper > limit
  if (!isCut) return NOTHING
  if (lower === -Infinity || upper === Infinity) return endless(bucket, cut)
  const below = count * shareBelow(bucket, limit, isLinear)
  if (keep === 'below') return { count: below, middle: middleOf(lower, limit, isLinear) }
  return { count: count - below, middle: middleOf(limit, upper, isLinear) }
}

function trimZero(histogram: NativeHistogram, { limit, keep }: Cut): Rest {
  const { zeroThreshold, zeroCount, positive, negative } = histogram
  const [hasPositive, hasNegative] = [positive.indexes.length > 0, negative.indexes.length > 0]
  const lower = hasPositive && !hasNegative ? 0 : -zeroThreshold
  const upper = hasNegative && !hasPositive ? 0 : zeroThreshold
  const whole = { count: zeroCount, middle: (lower + upper) / 2 }
  if (limit <= lower) return keep === 'below' ? NOTHING : whole
  if (limit >= upper) return keep === 'below' ? whole : NOTHING
  const share = (limit - lower) / (upper - lower)
  if (keep === 'below') return { count: zeroCount * share, middle: (lower + limit) / 2 }
  return { count: zeroCount * (1 - share), middle: (limit + upper) / 2 }
}

/**
 * The observations of a histogram on one side of a limit. Where the limit cuts a bucket, its observations are split as
 * quantiles spread them; the sum is estimated anew from the middles of what is left. Uncut, it stays as it is.
 */
export function trimHistogram(histogram: NativeHistogram, limit: number, keep: TrimSide): NativeHistogram {
  const { positive, negative, zeroCount } = histogram
  const cut = { limit, keep, isLinear: isCustom(histogram) }
  const above = Array.from(positive.indexes, (index, i) => {
    const interval = { lower: upperBound(histogram, index - 1), upper: upperBound(histogram, index) }
    return trimBucket({ ...interval, count: positive.counts[i]! }, cut)
  })
  const below = Array.from(negative.indexes, (index, i) => {
    const interval = { lower: -upperBound(histogram, index), upper: -upperBound(histogram, index - 1) }
    return trimBucket({ ...interval, count: negative.counts[i]! }, cut)
  })
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
    positive: toBuckets(above.map(({ count }, i) => [positive.indexes[i]!, count] as const)),
    negative: toBuckets(below.map(({ count }, i) => [negative.indexes[i]!, count] as const))
  }
}
