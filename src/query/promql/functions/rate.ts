import type { RawSeries } from '../evaluate/values.js'
import type { Window, WindowFunction } from '../evaluate/windows.js'
import { KahanSum } from '../../../domain/kahan.js'

/** A window is stretched to its edges where the samples end no further from them than this share of their distance. */
const EXTRAPOLATION_THRESHOLD = 1.1

/**
 * The resets of a counter. Those within a window are added up one by one, so that samples next to the window do not change a
 * digit of its value.
 */
export class Resets {
  readonly #values: Float64Array
  /** The first samples after resets. */
  readonly #after: readonly number[]

  constructor(values: Float64Array) {
    const after: number[] = []
    for (let i = 1; i < values.length; i++) if (values[i]! < values[i - 1]!) after.push(i)
    this.#values = values
    this.#after = after
  }

  /** A number and what the counter lost to resets between two of its samples. */
  addLost(to: number, first: number, last: number): number {
    let total = to
    for (let i = this.#firstBehind(first); i < this.#after.length && this.#after[i]! <= last; i++) {
      total += this.#values[this.#after[i]! - 1]!
    }
    return total
  }

  #firstBehind(sample: number): number {
    let [low, high] = [0, this.#after.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#after[middle]! > sample) high = middle
      else low = middle + 1
    }
    return low
  }
}

/** How a change over a range is computed: with or without resets, for each second or in all. */
export interface RateKind {
  readonly isCounter: boolean
  readonly isRate: boolean
}

/** `rate`, `increase` and `delta`. */
export const RATE_KINDS = {
  rate: { isCounter: true, isRate: true },
  increase: { isCounter: true, isRate: false },
  delta: { isCounter: false, isRate: false }
} as const satisfies Record<string, RateKind>

/** The kind of the function of a name; undefined for functions that compute no change. */
export function rateKindOf(name: string): RateKind | undefined {
  return Object.hasOwn(RATE_KINDS, name) ? RATE_KINDS[name as keyof typeof RATE_KINDS] : undefined
}

/** The times of the samples of a window. */
interface SampledTime {
  readonly firstMs: number
  readonly lastMs: number
  readonly samples: number
  readonly startMs: number
  readonly endMs: number
}

/**
 * By what an increase between samples is multiplied to reach from edge to edge of its window, as in Prometheus
 * (promql/functions.go, extrapolatedRate). `counter` is the first value and the increase of what only grows.
 */
export function extrapolationFactor(
  { firstMs, lastMs, samples, startMs, endMs }: SampledTime,
  counter: { readonly first: number; readonly increase: number } | null
): number {
  const sampledS = (lastMs - firstMs) / 1000
  const averageS = sampledS / (samples - 1)
  let toStartS = (firstMs - startMs) / 1000
  let toEndS = (endMs - lastMs) / 1000
  const thresholdS = averageS * EXTRAPOLATION_THRESHOLD
  if (toStartS >= thresholdS) toStartS = averageS / 2
  if (counter !== null && counter.increase > 0 && counter.first >= 0) {
    // A counter was not below zero: it cannot have begun before it would have been there.
    toStartS = Math.min(toStartS, sampledS * (counter.first / counter.increase))
  }
  if (toEndS >= thresholdS) toEndS = averageS / 2
  return (sampledS + toStartS + toEndS) / sampledS
}

/** Increase within a window, extrapolated to its edges. */
function extrapolated(
  { times, values, from, to, startMs, endMs }: Window,
  increase: number,
  { isCounter, isRate }: RateKind
): number {
  const sampled = { firstMs: times[from]!, lastMs: times[to - 1]!, samples: to - from, startMs, endMs }
  const factor = extrapolationFactor(sampled, isCounter ? { first: values[from]!, increase } : null)
  return increase * (isRate ? factor / ((endMs - startMs) / 1000) : factor)
}

/** `rate` and `increase`, for one series. */
function counterFunction(raw: RawSeries, isRate: boolean): WindowFunction {
  const resets = new Resets(raw.values)
  return window => {
    const { values, from, to } = window
    if (to - from < 2) return undefined
    const increase = resets.addLost(values[to - 1]! - values[from]!, from, to - 1)
    // Not one of `RATE_KINDS`: V8 computes with the literal as with constants, which takes a quarter less time.
    return extrapolated(window, increase, { isCounter: true, isRate })
  }
}

const delta: WindowFunction = window => {
  const { values, from, to } = window
  if (to - from < 2) return undefined
  return extrapolated(window, values[to - 1]! - values[from]!, { isCounter: false, isRate: false })
}

const irate: WindowFunction = ({ times, values, from, to }) => {
  if (to - from < 2) return undefined
  const [before, last] = [values[to - 2]!, values[to - 1]!]
  const elapsedMs = times[to - 1]! - times[to - 2]!
  if (elapsedMs === 0) return undefined
  return (last < before ? last : last - before) / (elapsedMs / 1000)
}

const idelta: WindowFunction = ({ values, from, to }) => (to - from < 2 ? undefined : values[to - 1]! - values[to - 2]!)

/** Least squares through a window, with its zero at `interceptMs`. */
function regression({ times, values, from, to }: Window, interceptMs: number): { slope: number; intercept: number } {
  const [sumX, sumY, sumXY, sumX2] = [new KahanSum(), new KahanSum(), new KahanSum(), new KahanSum()]
  const first = values[from]!
  let isConstant = true
  for (let i = from; i < to; i++) {
    const [x, y] = [(times[i]! - interceptMs) / 1000, values[i]!]
    if (y !== first) isConstant = false
    sumX.add(x)
    sumY.add(y)
    sumXY.add(x * y)
    sumX2.add(x * x)
  }
  if (isConstant) return Number.isFinite(first) ? { slope: 0, intercept: first } : { slope: Number.NaN, intercept: Number.NaN }
  const count = to - from
  const covariance = sumXY.value - (sumX.value * sumY.value) / count
  const slope = covariance / (sumX2.value - (sumX.value * sumX.value) / count)
  return { slope, intercept: sumY.value / count - (slope * sumX.value) / count }
}

const deriv: WindowFunction = window => {
  if (window.to - window.from < 2) return undefined
  return regression(window, window.times[window.from]!).slope
}

/** `predict_linear` for one duration in seconds per step, as seen from the time of the step. */
export function predictLinear(seconds: Float64Array, timeAt: (step: number) => number): WindowFunction {
  return (window, step) => {
    if (window.to - window.from < 2) return undefined
    const { slope, intercept } = regression(window, timeAt(step))
    return slope * seconds[step]! + intercept
  }
}

/** `double_exponential_smoothing` with its two factors per step. */
export function doubleExponentialSmoothing(smoothing: Float64Array, trend: Float64Array): WindowFunction {
  return ({ values, from, to }, step) => {
    if (to - from < 2) return undefined
    const [sf, tf] = [smoothing[step]!, trend[step]!]
    let [level, slope, before] = [values[from]!, values[from + 1]! - values[from]!, 0]
    for (let i = from + 1; i < to; i++) {
      if (i > from + 1) slope = tf * (level - before) + (1 - tf) * slope
      before = level
      level = sf * values[i]! + (1 - sf) * (level + slope)
    }
    return level
  }
}

/** Functions of how a series moves within a range; some need a look at the whole series first. */
export const MOVEMENTS: ReadonlyMap<string, (raw: RawSeries) => WindowFunction> = new Map<
  string,
  (raw: RawSeries) => WindowFunction
>([
  ['rate', raw => counterFunction(raw, true)],
  ['increase', raw => counterFunction(raw, false)],
  ['delta', () => delta],
  ['irate', () => irate],
  ['idelta', () => idelta],
  ['deriv', () => deriv]
])
