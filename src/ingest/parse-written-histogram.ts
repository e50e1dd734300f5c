import { type EncodedHistogram, encodeHistogram } from '../domain/native-histogram/encode.js'
import { bucketsOfSpans, checkHistogram, countsOfDeltas } from '../domain/native-histogram/from-spans.js'
import { downscaleBuckets } from '../domain/native-histogram/downscale.js'
import {
  CUSTOM_SCHEMA,
  type HistogramBuckets,
  MAX_SCHEMA,
  type NativeHistogram,
  NO_BOUNDS
} from '../domain/native-histogram/native-histogram.js'
import type { WrittenBuckets, WrittenHistogram } from '../remote-write/samples.js'

/** The finest schema that senders may use one day; a finer one than is kept is merged down, which is exact. */
const FINEST_SCHEMA = 52

function bucketsOf({ spans, deltas, counts }: WrittenBuckets, finer: number): HistogramBuckets {
  return downscaleBuckets(bucketsOfSpans(spans, counts.length > 0 ? counts : countsOfDeltas(deltas), finer), finer)
}

/** A histogram as it is kept. Throws `InvalidHistogram`. */
export function toNativeHistogram(written: WrittenHistogram): NativeHistogram {
  const { schema, count, sum, zeroThreshold, zeroCount, hint, bounds } = written
  const steps = schema > MAX_SCHEMA && schema <= FINEST_SCHEMA ? schema - MAX_SCHEMA : 0
  const histogram: NativeHistogram = {
    schema: schema - steps,
    count,
    sum,
    zeroThreshold,
    zeroCount,
    positive: bucketsOf(written.positive, steps),
    negative: bucketsOf(written.negative, steps),
    bounds: schema === CUSTOM_SCHEMA || bounds.length > 0 ? Float64Array.from(bounds) : NO_BOUNDS,
    // `not_reset` refers to the sample before, which may be replaced or get a successor in between.
    hint: hint === 'not_reset' ? 'unknown' : hint
  }
  checkHistogram(histogram)
  return histogram
}

/** As `toNativeHistogram`, as stores keep it. */
export function encodeWritten(written: WrittenHistogram): EncodedHistogram {
  return encodeHistogram(toNativeHistogram(written))
}
