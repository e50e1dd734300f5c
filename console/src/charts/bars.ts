/** Stacked bars over a grid of time. Pure: what is drawn where, in shares of width and height. */

/** Counts per bucket of one series. */
export interface BarSeries {
  readonly key: string | null
  readonly counts: readonly number[]
}

/** A rectangle; all members are shares from 0 to 1, `y` from the top. */
export interface Bar {
  readonly key: string | null
  readonly bucket: number
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Gap between two bars, as a share of a bucket. */
const GAP = 0.15

/** Bars of all series, stacked in the given order from the bottom, and the value at the upper edge: the largest sum, at least `least`. */
export function stackBars(
  series: readonly BarSeries[],
  length: number,
  least = 0
): { readonly bars: readonly Bar[]; readonly max: number } {
  const sums = Array.from({ length }, (_, bucket) => series.reduce((sum, { counts }) => sum + (counts[bucket] ?? 0), 0))
  const max = Math.max(least, ...sums)
  if (max === 0) return { bars: [], max }
  const bars: Bar[] = []
  for (let bucket = 0; bucket < length; bucket++) {
    let below = 0
    for (const { key, counts } of series) {
      const count = counts[bucket] ?? 0
      if (count === 0) continue
      below += count
      const x = (bucket + GAP / 2) / length
      bars.push({ key, bucket, x, y: 1 - below / max, width: (1 - GAP) / length, height: count / max })
    }
  }
  return { bars, max }
}
