import {
  compactBuckets,
  CUSTOM_SCHEMA,
  type HistogramBuckets,
  MAX_SCHEMA,
  MIN_SCHEMA,
  type NativeHistogram
} from './native-histogram.js'

/** `length` buckets in a row, `offset` behind the end of the span before; the first one's offset is its index. */
export interface BucketSpan {
  readonly offset: number
  readonly length: number
}

/**
 * The limits of a native histogram: buckets that are written out on a side, including empty ones; buckets with observations on
 * both sides together; custom bounds.
 */
export const MAX_BUCKETS = 2_000
const TOO_MANY = `a histogram must not have more than ${MAX_BUCKETS} buckets`
/** Indexes of schema 8 beyond what any observation can reach: 2^10 powers of two, cut 2^8 times each, on both sides of one. */
const MAX_INDEX = 1 << 19
/** Those of finer schemas reach further, but no further than senders can write. */
const MAX_INT32 = 2 ** 31 - 1

/** An invalid histogram; the message states the reason. */
export class InvalidHistogram extends Error {}

function check(isValid: boolean, detail: string): void {
  if (!isValid) throw new InvalidHistogram(detail)
}

/**
 * Buckets of spans and the counts of their buckets one after the other. Throws `InvalidHistogram`.
 * @param finer by how many steps their schema is finer than the finest that is kept
 */
export function bucketsOfSpans(spans: readonly BucketSpan[], counts: readonly number[], finer: number): HistogramBuckets {
  const maxIndex = Math.min(MAX_INDEX * 2 ** finer, MAX_INT32)
  check(counts.length <= MAX_BUCKETS, TOO_MANY)
  const total = spans.reduce((sum, { length }) => sum + length, 0)
  check(total === counts.length, `spans need ${total} buckets, have ${counts.length}`)
  const indexes = new Int32Array(total)
  let [at, index] = [0, 0]
  for (const [i, { offset, length }] of spans.entries()) {
    check(i === 0 || offset >= 0, `span number ${i + 1} has a negative offset`)
    index += offset
    check(Math.abs(index) <= maxIndex && index + length <= maxIndex, `span number ${i + 1} exceeds the range of bucket indices`)
    for (let j = 0; j < length; j++) indexes[at++] = index++
  }
  return compactBuckets({ indexes, counts: Float64Array.from(counts) })
}

/** Counts of which each was given as its difference from the one before. */
export function countsOfDeltas(deltas: readonly number[]): number[] {
  let count = 0
  return deltas.map(delta => (count += delta))
}

/** Throws `InvalidHistogram` unless a histogram is one that may be stored. */
export function checkHistogram(histogram: NativeHistogram): void {
  const { schema, count, zeroThreshold, zeroCount, positive, negative, bounds } = histogram
  const isExponential = schema >= MIN_SCHEMA && schema <= MAX_SCHEMA
  check(
    isExponential || schema === CUSTOM_SCHEMA,
    `schema ${schema} is not supported; use ${MIN_SCHEMA} to ${MAX_SCHEMA} or ${CUSTOM_SCHEMA}`
  )
  check(positive.indexes.length + negative.indexes.length <= MAX_BUCKETS, TOO_MANY)
  check(!(count < 0), 'the count of observations is negative')
  check(!(zeroCount < 0) && zeroThreshold >= 0, 'the zero bucket is negative')
  check(![positive, negative].some(({ counts }) => counts.some(each => each < 0)), 'a bucket has a negative count')
  if (isExponential) return check(bounds.length === 0, 'bounds are for custom buckets only')
  check(zeroCount === 0 && zeroThreshold === 0, 'custom buckets have no zero bucket')
  check(negative.indexes.length === 0, 'custom buckets have no negative buckets')
  check(bounds.length <= MAX_BUCKETS, `a histogram must not have more than ${MAX_BUCKETS} bounds`)
  check(
    bounds.every((bound, i) => bound < Infinity && (i === 0 ? bound === bound : bound > bounds[i - 1]!)),
    'bounds must be in increasing order'
  )
  const { indexes } = positive
  check(indexes.length === 0 || (indexes[0]! >= 0 && indexes.at(-1)! <= bounds.length), 'a bucket has no bound')
}
