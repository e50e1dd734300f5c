import { greatestDivisor, type WindowGrid } from './window-grid.js'

/** Some of the requested windows in one row of buckets: none overlap, and each is a bucket of its own. Milliseconds. */
export interface WindowTiles extends Pick<WindowGrid, 'startMs' | 'endMs' | 'stepMs' | 'count' | 'perStep'> {
  /** Places of the windows among the requested times; the first is bucket 0, the next bucket `perStep`. */
  readonly places: readonly number[]
}

/**
 * Splits windows of `windowMs` that end at times of one distance into rows of at most `maxBuckets` buckets. A value that is not
 * made of those of its parts (a percentile) is then computed of exactly the records that a read of its window alone has.
 */
export function windowTiles(ends: readonly number[], windowMs: number, maxBuckets: number): readonly WindowTiles[] {
  const distanceMs = ends.length > 1 ? ends[1]! - ends[0]! : windowMs
  const shared = greatestDivisor(windowMs, distanceMs)
  // Windows of one class are apart by a multiple of their length.
  const classes = windowMs / shared
  const perStep = distanceMs / shared
  const perRow = Math.floor((maxBuckets - 1) / perStep) + 1
  const tiles: WindowTiles[] = []
  for (let first = 0; first < Math.min(classes, ends.length); first++) {
    const places = ends.map((_, place) => place).filter(place => place % classes === first)
    for (let at = 0; at < places.length; at += perRow) tiles.push(tilesOf(ends, windowMs, perStep, places.slice(at, at + perRow)))
  }
  return tiles
}

function tilesOf(ends: readonly number[], windowMs: number, perStep: number, places: readonly number[]): WindowTiles {
  const startMs = ends[places[0]!]! - windowMs
  const endMs = ends[places.at(-1)!]!
  return { startMs, endMs, stepMs: windowMs, count: (endMs - startMs) / windowMs, perStep, places }
}
