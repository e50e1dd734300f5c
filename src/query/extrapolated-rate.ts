/** Samples `[from, to)` of a series, and the bounds of the range they were taken from. */
export interface RateWindow {
  readonly timestampsNs: BigInt64Array
  readonly values: Float64Array
  readonly from: number
  readonly to: number
  /** Exclusive. */
  readonly startNs: bigint
  /** Inclusive. */
  readonly endNs: bigint
}

const NS_PER_S = 1e9
// A gap up to a tenth longer than the average one is a late sample, a longer one the edge of the series.
const EXTRAPOLATION_FACTOR = 1.1

function seconds(fromNs: bigint, toNs: bigint): number {
  return Number(toNs - fromNs) / NS_PER_S
}

/** Rise of a counter over the samples: a fall is a reset to zero, so what it had reached is added. */
function risen(values: Float64Array, from: number, to: number): number {
  let sum = values[to - 1]! - values[from]!
  for (let i = from + 1; i < to; i++) if (values[i]! < values[i - 1]!) sum += values[i - 1]!
  return sum
}

/**
 * Prometheus's `increase` of a counter over a range: the rise between the first and the last sample, extrapolated to the
 * range's bounds if samples come near them, else by half an average gap, and never below where the counter was zero
 * (prometheus/promql/functions.go, extrapolatedRate). Null with fewer than two samples.
 */
export function extrapolatedIncrease(window: RateWindow): number | null {
  const { timestampsNs, values, from, to, startNs, endNs } = window
  const gaps = to - from - 1
  if (gaps < 1) return null
  const rise = risen(values, from, to)
  const sampledS = seconds(timestampsNs[from]!, timestampsNs[to - 1]!)
  const averageS = sampledS / gaps
  const thresholdS = averageS * EXTRAPOLATION_FACTOR
  let toStartS = seconds(startNs, timestampsNs[from]!)
  let toEndS = seconds(timestampsNs[to - 1]!, endNs)
  if (toStartS >= thresholdS) toStartS = averageS / 2
  if (rise > 0 && values[from]! >= 0) toStartS = Math.min(toStartS, sampledS * (values[from]! / rise))
  if (toEndS >= thresholdS) toEndS = averageS / 2
  return rise * ((sampledS + toStartS + toEndS) / sampledS)
}

/** Prometheus's `rate`: the increase per second of the range. */
export function extrapolatedRate(window: RateWindow): number | null {
  const increase = extrapolatedIncrease(window)
  return increase === null ? null : increase / seconds(window.startNs, window.endNs)
}
