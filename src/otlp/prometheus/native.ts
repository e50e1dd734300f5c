import { downscaleBuckets } from '../../domain/native-histogram/downscale.js'
import { bucketsOfSpans, checkHistogram } from '../../domain/native-histogram/from-spans.js'
import {
  type HistogramBuckets,
  MAX_SCHEMA,
  type NativeHistogram,
  NO_BOUNDS
} from '../../domain/native-histogram/native-histogram.js'
import type { ExponentialBuckets, OtlpExponentialPoint } from '../model.js'

/** The width of the zero bucket of a point that does not state one, as in Prometheus. */
const DEFAULT_ZERO_THRESHOLD = 1e-128

/** Bucket i of OTLP begins where bucket i of Prometheus ends; those of a finer scale are merged down. */
function bucketsOf({ offset, counts }: ExponentialBuckets, finer: number): HistogramBuckets {
  return downscaleBuckets(bucketsOfSpans([{ offset: offset + 1, length: counts.length }], counts, finer), finer)
}

/**
 * A cumulative exponential histogram as a native one (OpenTelemetry, "Prometheus and OpenMetrics Compatibility"). A finer
 * scale than Prometheus has is merged down, which is exact; a coarser one has no schema. Throws `InvalidHistogram`.
 */
export function nativeHistogram(point: OtlpExponentialPoint): NativeHistogram {
  const { scale, count, sum, zeroCount, zeroThreshold, positive, negative } = point
  const steps = Math.max(0, scale - MAX_SCHEMA)
  const histogram: NativeHistogram = {
    schema: scale - steps,
    count,
    sum: sum ?? 0,
    zeroThreshold: zeroThreshold > 0 ? zeroThreshold : DEFAULT_ZERO_THRESHOLD,
    zeroCount,
    positive: bucketsOf(positive, steps),
    negative: bucketsOf(negative, steps),
    bounds: NO_BOUNDS,
    hint: 'unknown'
  }
  checkHistogram(histogram)
  return histogram
}
