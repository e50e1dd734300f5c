import { coarserIndex, downscaleBuckets } from '../../../domain/native-histogram/downscale.js'
import { upperBound } from '../../../domain/native-histogram/bucket-bounds.js'
import {
  type CounterResetHint,
  type HistogramBuckets,
  isCustom,
  type NativeHistogram,
  sameBounds
} from '../../../domain/native-histogram/native-histogram.js'
import { KahanSum } from '../../../domain/kahan.js'
import { CompensatedBuckets } from './compensated-buckets.js'
import { firstBeyond, isAbove, widerZeroBucket } from './zero-bucket.js'

/** The bounds that both have, rising. */
function commonBounds(a: Float64Array, b: Float64Array): Float64Array {
  const others = new Set(b)
  return a.filter(bound => others.has(bound))
}

/** Where a bucket of `bounds` is among fewer bounds. */
function among(fewer: Float64Array, bounds: Float64Array): (index: number) => number {
  return index => {
    if (index >= bounds.length) return fewer.length
    const found = fewer.findIndex(bound => bound >= bounds[index]!)
    return found < 0 ? fewer.length : found
  }
}

function addedHint(a: CounterResetHint, b: CounterResetHint): CounterResetHint {
  if (a === b) return a
  return a === 'gauge' || b === 'gauge' ? 'gauge' : 'unknown'
}

/**
 * Adds histograms up. The result has the coarsest schema and the widest zero bucket of all; of custom buckets the bounds
 * that all have. Exponential and custom buckets do not go together.
 */
export class HistogramSum {
  readonly #count: KahanSum
  readonly #sum: KahanSum
  #zero: KahanSum
  #zeroThreshold: number
  #schema: number
  #bounds: Float64Array
  #hint: CounterResetHint
  readonly #positive: CompensatedBuckets
  readonly #negative: CompensatedBuckets
  #hints = new Set<CounterResetHint>()
  #hasOtherBounds = false

  constructor(first: NativeHistogram) {
    this.#count = new KahanSum(first.count)
    this.#sum = new KahanSum(first.sum)
    this.#zero = new KahanSum(first.zeroCount)
    this.#zeroThreshold = first.zeroThreshold
    this.#schema = first.schema
    this.#bounds = first.bounds
    this.#hint = first.hint
    this.#positive = new CompensatedBuckets(first.positive)
    this.#negative = new CompensatedBuckets(first.negative)
    this.#hints.add(first.hint)
  }

  /** Whether some were marked as after a reset and others as not. */
  get hasHintCollision(): boolean {
    return this.#hints.has('reset') && this.#hints.has('not_reset')
  }

  /** Whether custom bounds differed. */
  get hasOtherBounds(): boolean {
    return this.#hasOtherBounds
  }

  /** Adds one, times a factor; false, and nothing is added, when its buckets are of the other kind. */
  add(other: NativeHistogram, factor = 1): boolean {
    if (isCustom(other) !== isCustom({ schema: this.#schema })) return false
    this.#hints.add(other.hint)
    this.#hint = addedHint(this.#hint, other.hint)
    if (isCustom(other)) this.#addCustom(other, factor)
    else this.#addExponential(other, factor)
    this.#count.add(other.count * factor)
    this.#sum.add(other.sum * factor)
    return true
  }

  /** The sum so far. */
  get value(): NativeHistogram {
    return {
      schema: this.#schema,
      count: this.#count.value,
      sum: this.#sum.value,
      zeroThreshold: this.#zeroThreshold,
      zeroCount: this.#zero.value,
      positive: this.#positive.finish(),
      negative: this.#negative.finish(),
      bounds: this.#bounds,
      hint: this.#hint
    }
  }

  #addCustom(other: NativeHistogram, factor: number): void {
    if (sameBounds(other, { ...other, bounds: this.#bounds })) return this.#positive.add(other.positive, factor)
    this.#hasOtherBounds = true
    const bounds = commonBounds(this.#bounds, other.bounds)
    this.#positive.regroup(among(bounds, this.#bounds))
    const regrouped = new CompensatedBuckets(other.positive)
    regrouped.regroup(among(bounds, other.bounds))
    this.#positive.add(regrouped.finish(), factor)
    this.#bounds = bounds
  }

  #addExponential(other: NativeHistogram, factor: number): void {
    // Widening the zero bucket makes a new count of it.
    const zeroCount = this.#commonZeroCount(other)
    this.#zero.add(zeroCount * factor)
    const steps = other.schema - this.#schema
    if (steps < 0) {
      for (const side of [this.#positive, this.#negative]) side.regroup(index => coarserIndex(index, -steps))
      this.#schema = other.schema
    }
    this.#positive.add(this.#beyondZero(downscaleBuckets(other.positive, steps)), factor)
    this.#negative.add(this.#beyondZero(downscaleBuckets(other.negative, steps)), factor)
  }

  /** Widens the zero bucket as far as the other's needs it; returns the other's count in it. */
  #commonZeroCount(other: NativeHistogram): number {
    let theirs = { threshold: other.zeroThreshold, count: other.zeroCount }
    while (theirs.threshold !== this.#zeroThreshold) {
      if (theirs.threshold < this.#zeroThreshold) theirs = widerZeroBucket(other, this.#zeroThreshold)
      if (theirs.threshold > this.#zeroThreshold) this.#widenZero(theirs.threshold)
    }
    return theirs.count
  }

  #widenZero(requested: number): void {
    const own = this.value
    const { threshold, count } = widerZeroBucket(own, requested)
    this.#zero = new KahanSum(count)
    this.#zeroThreshold = threshold
    this.#positive.dropBefore(firstBeyond(own, own.positive.indexes, threshold))
    this.#negative.dropBefore(firstBeyond(own, own.negative.indexes, threshold))
  }

  /** Without the buckets that the zero bucket has taken in. */
  #beyondZero(buckets: HistogramBuckets): HistogramBuckets {
    const shape = { schema: this.#schema, bounds: this.#bounds }
    const from = buckets.indexes.findIndex(index => isAbove(upperBound(shape, index), this.#zeroThreshold))
    if (from === 0) return buckets
    const start = from < 0 ? buckets.indexes.length : from
    return { indexes: buckets.indexes.subarray(start), counts: buckets.counts.subarray(start) }
  }
}
