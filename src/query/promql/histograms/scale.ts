import {
  compactBuckets,
  type HistogramBuckets,
  type NativeHistogram,
  NO_BUCKETS
} from '../../../domain/native-histogram/native-histogram.js'

function mapped(histogram: NativeHistogram, run: (count: number) => number): NativeHistogram {
  const side = ({ indexes, counts }: HistogramBuckets): HistogramBuckets => compactBuckets({ indexes, counts: counts.map(run) })
  const { count, sum, zeroCount, positive, negative } = histogram
  return {
    ...histogram,
    count: run(count),
    sum: run(sum),
    zeroCount: run(zeroCount),
    positive: side(positive),
    negative: side(negative)
  }
}

/** A histogram times a number; what is negative counts no events any more: it is a gauge. */
export function multiply(histogram: NativeHistogram, factor: number): NativeHistogram {
  const product = mapped(histogram, count => count * factor)
  return factor < 0 ? { ...product, hint: 'gauge' } : product
}

/** A histogram by a number. By zero nothing is left of its buckets. */
export function divide(histogram: NativeHistogram, divisor: number): NativeHistogram {
  const quotient = mapped(histogram, count => count / divisor)
  if (divisor === 0) return { ...quotient, positive: NO_BUCKETS, negative: NO_BUCKETS }
  return divisor < 0 ? { ...quotient, hint: 'gauge' } : quotient
}

/** Whether any number of a histogram is infinite. */
export function isOverflown({ count, sum, zeroCount, positive, negative }: NativeHistogram): boolean {
  const isInfinite = (value: number): boolean => Math.abs(value) === Infinity
  return [count, sum, zeroCount].some(isInfinite) || positive.counts.some(isInfinite) || negative.counts.some(isInfinite)
}
