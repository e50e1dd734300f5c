import type { TimeRange } from '../../domain/time-range.js'
import type { SpanStats } from '../../ports/trace-store.js'
import { boundedCount } from '../bounds.js'
import type { Grid } from '../result.js'
import { gridOf } from '../time-grid.js'

/** The shortest and the longest duration that have buckets of their own: 1 us and 1,000 s. */
const SHORTEST_NS = 1e3
const LONGEST_NS = 1e12

/**
 * The upper bounds of `buckets` logarithmic buckets of durations, in nanoseconds, one less than there are buckets: the
 * last holds what lasts longer. They do not depend on the data, so that two histograms can be laid on each other.
 */
export function durationBounds(buckets: number): readonly bigint[] {
  const steps = Math.max(buckets - 2, 1)
  const factor = (LONGEST_NS / SHORTEST_NS) ** (1 / steps)
  return Array.from({ length: buckets - 1 }, (_, i) => BigInt(Math.round(SHORTEST_NS * factor ** i)))
}

const DEFAULT_COLUMNS = 60
const MAX_COLUMNS = 300
/** Buckets of duration, six in a decade. */
const ROWS = 56

/** Matching spans by time and duration. */
export interface DurationHeatmap {
  readonly grid: Grid
  /** Upper bounds, in nanoseconds. */
  readonly boundsNs: readonly bigint[]
  /** `counts[i][j]` spans start in bucket `j` of the grid and last as `counts[i]` of a `DurationHistogram` does. */
  readonly counts: readonly (readonly number[])[]
}

/** The parts of a request to the store for a heat map. */
export type HeatmapRequest = Pick<DurationHeatmap, 'grid' | 'boundsNs'>

/** A heat map of about so many columns over the range. Throws `invalid_field` for more than 300. */
export function heatmapRequest(columns: number, range: TimeRange): HeatmapRequest {
  const bounds = { least: 1, most: MAX_COLUMNS, otherwise: DEFAULT_COLUMNS }
  return { grid: gridOf(range, boundedCount(columns, 'buckets', bounds)), boundsNs: durationBounds(ROWS) }
}

/** The heat map from a store's result for `request`. */
export function toHeatmap({ grid, boundsNs }: HeatmapRequest, { rows: [all] }: SpanStats): DurationHeatmap {
  const empty = (): readonly number[] => Array.from({ length: grid.length }, () => 0)
  return { grid, boundsNs, counts: all?.grid?.buckets ?? Array.from({ length: boundsNs.length + 1 }, empty) }
}
