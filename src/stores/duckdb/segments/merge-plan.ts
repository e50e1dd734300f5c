import { groupedBy } from '../../../domain/grouped-by.js'
import type { ManifestRow } from './manifest.js'

/** Files of one namespace and day; the logarithm is of their rows. */
const BASE_FILES = 8
const GROWTH = 8
/** How many are left of the small files after a merge. */
const LEFT_FILES = 4

/** How many files one namespace, kind and day may have: 8 + log8(rows). */
export function maxFiles(rows: number): number {
  return BASE_FILES + Math.floor(Math.log(Math.max(rows, 1)) / Math.log(GROWTH))
}

/**
 * Which files of one namespace, kind and day to make into one: the smallest, once there are more than 8. Files that are
 * at least half full are left alone, so that a row is written a few times at most. Null: nothing to do.
 */
export function planMerge(files: readonly ManifestRow[], maxSegmentRows: number): readonly ManifestRow[] | null {
  const small = files.filter(({ rows }) => rows < maxSegmentRows / 2).sort((a, b) => a.rows - b.rows)
  if (small.length <= BASE_FILES) return null
  const inputs: ManifestRow[] = []
  let rows = 0
  for (const file of small) {
    const isEnough = inputs.length > small.length - LEFT_FILES && file.rows > rows
    if (isEnough || (inputs.length >= 2 && rows + file.rows > maxSegmentRows)) break
    inputs.push(file)
    rows += file.rows
  }
  return inputs
}

/** The files of each namespace, kind and day. */
export function groupByDay(rows: readonly ManifestRow[]): readonly (readonly ManifestRow[])[] {
  return [...groupedBy(rows, ({ kind, ns, day }) => `${kind} ${ns} ${day}`).values()]
}
