import type { Window, WindowFunction } from '../evaluate/windows.js'
import { KahanSum } from '../../../domain/kahan.js'
import { mean, sum } from '../../../domain/sums.js'
import { quantileOf } from './quantile.js'

function extreme({ values, from, to }: Window, isBetter: (value: number, best: number) => boolean): number {
  let at = from
  for (let i = from + 1; i < to; i++) {
    const best = values[at]!
    if (isBetter(values[i]!, best) || Number.isNaN(best)) at = i
  }
  return at
}

// Of equal values the first one is the extreme, and the last one has its time.
const highest = (window: Window): number => extreme(window, (value, best) => value > best)
const lowest = (window: Window): number => extreme(window, (value, best) => value < best)

/** Welford's method with corrected sums. */
function variance({ values, from, to }: Window): number {
  const average = new KahanSum()
  const squares = new KahanSum()
  for (let i = from; i < to; i++) {
    const delta = values[i]! - average.value
    average.add(delta / (i - from + 1))
    squares.add(delta * (values[i]! - average.value))
  }
  return squares.value / (to - from)
}

function changes({ values, from, to }: Window): number {
  let count = 0
  for (let i = from + 1; i < to; i++) {
    const [before, value] = [values[i - 1]!, values[i]!]
    if (value !== before && !(Number.isNaN(value) && Number.isNaN(before))) count++
  }
  return count
}

function resets({ values, from, to }: Window): number {
  let count = 0
  for (let i = from + 1; i < to; i++) if (values[i]! < values[i - 1]!) count++
  return count
}

/** Unlike quantiles it is NaN where any sample is. */
function medianDeviation({ values, from, to }: Window): number {
  for (let i = from; i < to; i++) if (Number.isNaN(values[i]!)) return Number.NaN
  const median = quantileOf(values.slice(from, to), 0.5)
  return quantileOf(
    values.slice(from, to).map(value => Math.abs(value - median)),
    0.5
  )
}

/** `quantile_over_time` for one quantile per step. */
export function quantileOverTime(quantiles: Float64Array): WindowFunction {
  return ({ values, from, to }, step) => quantileOf(values.slice(from, to), quantiles[step]!)
}

/** Functions of a range without further arguments. */
export const OVER_TIME: ReadonlyMap<string, WindowFunction> = new Map<string, WindowFunction>([
  ['avg_over_time', ({ values, from, to }) => mean(values, from, to)],
  ['changes', changes],
  ['count_over_time', ({ from, to }) => to - from],
  ['first_over_time', ({ values, from }) => values[from]!],
  ['last_over_time', ({ values, to }) => values[to - 1]!],
  ['mad_over_time', medianDeviation],
  ['max_over_time', window => window.values[highest(window)]!],
  ['min_over_time', window => window.values[lowest(window)]!],
  ['present_over_time', () => 1],
  ['resets', resets],
  ['stddev_over_time', window => Math.sqrt(variance(window))],
  ['stdvar_over_time', variance],
  ['sum_over_time', ({ values, from, to }) => sum(values, from, to)],
  ['ts_of_first_over_time', ({ times, from }) => times[from]! / 1000],
  ['ts_of_last_over_time', ({ times, to }) => times[to - 1]! / 1000],
  ['ts_of_max_over_time', window => window.times[extreme(window, (value, best) => value >= best)]! / 1000],
  ['ts_of_min_over_time', window => window.times[extreme(window, (value, best) => value <= best)]! / 1000]
])
