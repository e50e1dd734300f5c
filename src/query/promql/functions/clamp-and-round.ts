import { mapValues } from '../evaluate/merge-series.js'
import { type GridSeries, withValues } from '../evaluate/values.js'

/** As Go's math.Max: an infinity wins over NaN. */
export function largerOf(a: number, b: number): number {
  return a === Infinity || b === Infinity ? Infinity : Math.max(a, b)
}

/** As Go's math.Min. */
export function smallerOf(a: number, b: number): number {
  return a === -Infinity || b === -Infinity ? -Infinity : Math.min(a, b)
}

/** `clamp` and its variants, for bounds per step; null for an open end. Where they cross there is no value. */
export function clamp(
  series: readonly GridSeries[],
  least: Float64Array | null,
  most: Float64Array | null
): readonly GridSeries[] {
  const possible = series.map(one => {
    if (least === null || most === null) return one
    return { ...one, present: one.present.map((has, i) => (least[i]! > most[i]! ? 0 : has)) }
  })
  return withValues(
    mapValues(possible, (value, i) => {
      const low = most === null ? value : smallerOf(most[i]!, value)
      return least === null ? low : largerOf(least[i]!, low)
    })
  )
}

/** `round` to multiples of a number per step, of one for null. */
export function round(series: readonly GridSeries[], nearest: Float64Array | null): readonly GridSeries[] {
  // Ties round up; the inverse keeps 0.1 and the like exact.
  return mapValues(series, (value, i) => {
    const inverse = 1 / (nearest?.[i] ?? 1)
    return Math.floor(value * inverse + 0.5) / inverse
  })
}
