import type { DuckDBConnection } from '@duckdb/node-api'
import type { PartFault } from '../../../ports/unassigned-logs.js'
import type { DuckDbLimits } from '../limits.js'
import type { FailPoints } from '../process/fail-points.js'
import { literal, queryRows } from '../process/sql.js'
import type { TableLayout } from '../table-layout.js'
import { assignedCount, assignedRows } from './assigned-rows.js'
import type { DamagedSegments } from './damaged-segments.js'
import type { Deletions } from './deletions.js'
import type { KnownManifest } from './known-manifest.js'
import { addSegment, type ManifestRow, readManifest, retireSegments } from './manifest.js'
import type { SegmentRows } from './free-copy.js'
import { rowsOfSegments } from './rows-of-segments.js'
import type { SegmentFiles } from './segment-files.js'
import { groupedBy } from '../../../domain/grouped-by.js'

/** Files of one namespace and day; the logarithm is of their rows. */
const BASE_FILES = 8
const GROWTH = 8
/** How many are left of the small files after a merge. */
const LEFT_FILES = 4
const BYTES_PER_MIB = 1024 * 1024
/** Of the engine's memory, what a sort may take: what does not fit is sorted on the disk, at four times the cost. */
const SORT_SHARE = 0.5

/** The limit of files of one namespace, kind and day: 8 + log8(rows). */
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
function groupByDay(rows: readonly ManifestRow[]): readonly (readonly ManifestRow[])[] {
  return [...groupedBy(rows, ({ kind, ns, day }) => `${kind} ${ns} ${day}`).values()]
}

/** What merging works with. */
export interface MergeDeps {
  readonly layout: TableLayout
  readonly connection: DuckDBConnection
  readonly files: SegmentFiles
  readonly deletions: Deletions
  readonly manifest: KnownManifest
  readonly damaged: Pick<DamagedSegments, 'has' | 'verify'>
  readonly failPoints: FailPoints
  readonly limits: DuckDbLimits
}

/** Makes one segment of several small ones. */
export class Merger {
  readonly #parts: MergeDeps

  constructor(parts: MergeDeps) {
    this.#parts = parts
  }

  /** Does the first merge that is due; false if none is. */
  async mergeNext(): Promise<boolean> {
    const { connection, limits, deletions, damaged } = this.#parts
    for (const group of groupByDay(await readManifest(connection))) {
      // Its files go as they are.
      if (deletions.isDropped(group[0]!.kind, group[0]!.ns)) continue
      const whole = group.filter(({ file }) => !damaged.has(file))
      const inputs = planMerge(whole, limits.maxSegmentRows)
      if (inputs === null) continue
      // What a damaged file still yields is not put in its place: it stays as it is, and the others are planned again.
      if (!(await damaged.verify(inputs))) await this.#merge(inputs)
      return true
    }
    return false
  }

  /** Rewrites a segment without what is deleted; one that is damaged stays as it is. */
  async rewrite(segment: ManifestRow): Promise<void> {
    const { damaged } = this.#parts
    if (!damaged.has(segment.file) && !(await damaged.verify([segment]))) await this.#merge([segment])
  }

  /**
   * Rewrites a segment with the patterns of `ASSIGNED_TABLE`; `part` is the new one, null when nothing was left to keep.
   * `assigned` counts the rows of it that got theirs.
   */
  async assignPatterns(segment: ManifestRow): Promise<{ readonly part: string | null; readonly assigned: number } | PartFault> {
    const { layout, files, connection, damaged } = this.#parts
    if (damaged.has(segment.file) || (await damaged.verify([segment]))) return 'damaged'
    let assigned = 0
    const part = await this.#merge([segment], async markNs => {
      const read = { ...segment, path: files.pathOf(segment.file), markNs }
      assigned = await assignedCount(connection, layout, read)
      return assignedRows(connection, layout, read)
    })
    return part === undefined ? 'gone' : { part, assigned }
  }

  /** The new segment, null when nothing was left to keep; undefined when the inputs are not listed any more: then nothing has changed. */
  async #merge(
    inputs: readonly ManifestRow[],
    rowsSince = (markNs: bigint): Promise<SegmentRows> => this.#rows(inputs, markNs)
  ): Promise<string | null | undefined> {
    const { connection, files, failPoints, deletions, manifest } = this.#parts
    const { kind, ns, day } = inputs[0]!
    const markNs = deletions.markOf(kind, ns) ?? 0n
    const replaces = [...inputs.map(({ file }) => file), ...(await this.#leftovers(inputs[0]!))]
    const size = { names: [{ kind, ns, day }], sizeBytes: inputs.reduce((sum, { bytes }) => sum + bytes, 0) }
    const { result: written, sums } = await files.keepOrDiscard(connection, size, async ([file]) => {
      const target = { file: file!, name: { kind, ns, day }, replaces }
      const segment = await files.write(connection, await rowsSince(markNs), target)
      failPoints.reach('merge.copied')
      return segment
    })
    failPoints.reach('merge.synced')
    const lows = inputs.map(({ minNs }) => (minNs < markNs ? markNs : minNs))
    const minNs = lows.reduce((a, b) => (a < b ? a : b))
    const maxNs = inputs.map(input => input.maxNs).reduce((a, b) => (a > b ? a : b))
    const isPublished = await manifest.change(connection, async () => {
      if (!(await this.#areListed(inputs))) return false
      await retireSegments(
        connection,
        inputs.map(({ file }) => file)
      )
      if (written.rows > 0) await addSegment(connection, { ...written, minNs, maxNs }, sums)
      return true
    })
    // Retention or a deletion was faster than the merge, or nothing was left to keep: its file is not listed.
    if (!isPublished || written.rows === 0) await files.discard(connection, [written.file])
    failPoints.reach('merge.committed')
    if (!isPublished) return undefined
    return written.rows === 0 ? null : written.file
  }

  /** Files of the same day that were replaced before and are not gone yet: their rows are in the inputs. */
  async #leftovers({ kind, ns, day }: ManifestRow): Promise<readonly string[]> {
    const rows = await queryRows<{ name: string }>(
      this.#parts.connection,
      "SELECT name FROM hot.main.garbage WHERE what = 'file' AND starts_with(name, ?)",
      [`${ns}/${kind}-${day}-`]
    )
    return rows.map(({ name }) => name)
  }

  #rows(inputs: readonly ManifestRow[], markNs: bigint): Promise<SegmentRows> {
    const { layout, files, connection, limits } = this.#parts
    const segments = inputs.map(({ file, rows, minNs, maxNs }) => ({ path: files.pathOf(file), rows, minNs, maxNs }))
    const maxSortBytes = limits.memoryLimitMiB * BYTES_PER_MIB * SORT_SHARE
    return rowsOfSegments(connection, layout, { kind: inputs[0]!.kind, segments, markNs, maxSortBytes })
  }

  async #areListed(inputs: readonly ManifestRow[]): Promise<boolean> {
    const files = inputs.map(({ file }) => literal(file)).join(', ')
    const sql = `SELECT count(*) AS found FROM hot.main.segments WHERE file IN (${files})`
    const rows = await queryRows<{ found: bigint }>(this.#parts.connection, sql)
    return Number(rows[0]!.found) === inputs.length
  }
}
