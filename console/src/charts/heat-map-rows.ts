import type { DurationAxis } from './duration-axis.js'
import type { TimeGrid } from './chart-data.js'

/** As `DurationHeatmap` of the API: a list per bucket of duration, of counts per bucket of time. */
export interface HeatmapCounts {
  readonly grid: TimeGrid
  readonly boundsMs: readonly number[]
  readonly counts: readonly (readonly number[])[]
}

/** The buckets of duration that are drawn, from the shortest. */
export interface HeatmapRows {
  readonly first: number
  readonly last: number
  readonly max: number
  readonly axis: DurationAxis
}

/** Empty buckets around those that have something, so that one row does not fill the picture. */
const MARGIN_ROWS = 2
/** The buckets of duration with counts, and some around them. Null when there are no counts. */
export function occupiedRows({ boundsMs, counts }: HeatmapCounts): HeatmapRows | null {
  const largest = counts.map(row => row.reduce((max, count) => Math.max(max, count), 0))
  const first = largest.findIndex(count => count > 0)
  if (first === -1 || boundsMs.length < 2) return null
  const ratio = boundsMs[1]! / boundsMs[0]!
  const from = Math.max(0, first - MARGIN_ROWS)
  const to = Math.min(counts.length - 1, largest.findLastIndex(count => count > 0) + MARGIN_ROWS)
  // The first and the last bucket are open; in the picture they are as high as the others.
  const axis = { fromMs: boundsMs[from - 1] ?? boundsMs[0]! / ratio, toMs: boundsMs[to] ?? boundsMs.at(-1)! * ratio }
  return { first: from, last: to, max: Math.max(...largest), axis }
}
