import type { DuckDBConnection } from '@duckdb/node-api'
import { groupedBy } from '../../../domain/grouped-by.js'
import { distinctPoints } from '../distinct-points.js'
import { type FreeColumnList, freeColumnName } from '../free-columns.js'
import { sealedSql, segmentFormat } from '../sealed-files.js'
import type { TableLayout } from '../table-layout.js'
import { isSampled, type TableKind } from '../tables.js'
import { segmentOrder } from '../write/schema.js'
import type { SegmentRows } from './free-copy.js'
import { joinedLists, type RowsPart } from './free-plan.js'
import { areConsecutive, latestFirst, type MergedSegment, sortBytes } from './merge-order.js'
import { readFreeColumns } from './read-free-columns.js'

/** Segments that become one. */
interface MergedSegments {
  readonly kind: TableKind
  readonly segments: readonly MergedSegment[]
  /** Rows before are deleted. */
  readonly markNs: bigint
  /** Memory that sorting may take. */
  readonly maxSortBytes: number
}

/** A segment with its free columns; null where it lists none. */
interface ListedSegment {
  readonly path: string
  readonly free: FreeColumnList | null
}

/** Equal for segments that one scan reads: they have the same columns. */
function columnsKey({ path, free }: ListedSegment): string {
  return [segmentFormat(path), ...(free?.columns.map(freeColumnName).sort() ?? ['none'])].join(' ')
}

/** Segments next to each other that have the same columns. */
function runsOf(segments: readonly ListedSegment[]): readonly (readonly ListedSegment[])[] {
  const runs: ListedSegment[][] = []
  for (const segment of segments) {
    const last = runs.at(-1)
    if (last && columnsKey(last[0]!) === columnsKey(segment)) last.push(segment)
    else runs.push([segment])
  }
  return runs
}

/**
 * The rows of segments as those of a new one, in parts with the same free columns: their values are not taken out of the
 * JSON again. Samples are sorted. Other rows are sorted where the times of segments overlap and the memory holds them; else
 * the segments follow one another, latest first, each in its own order (docs/adr/0079).
 */
export async function rowsOfSegments(
  connection: DuckDBConnection,
  layout: TableLayout,
  { kind, segments, markNs, maxSortBytes }: MergedSegments
): Promise<SegmentRows> {
  const columns = layout.names(kind)
  const ordered = latestFirst(segments)
  const isSorted = isSampled(kind) || (!areConsecutive(ordered) && (await sortBytes(connection, ordered)) <= maxSortBytes)
  const paths = ordered.map(({ path }) => path)
  const lists = await readFreeColumns(connection, paths)
  const listed = paths.map(path => ({ path, free: lists.get(path) ?? null }))
  const groups = isSorted ? [...groupedBy(listed, columnsKey).values()] : runsOf(listed)
  const parts = groups.map((group): RowsPart => {
    const free = joinedLists(group.map(each => each.free))
    const names = free?.columns.map(freeColumnName) ?? []
    const quoted = [...columns.map(column => `"${column}"`), ...names]
    const files = sealedSql(
      layout,
      kind,
      group.map(({ path }) => path),
      names
    )
    const sql = `SELECT ${quoted.join(', ')} FROM ${files} WHERE ts >= ${markNs}`
    return { sql: isSampled(kind) ? distinctPoints(sql) : sql, free }
  })
  const rows = segments.reduce((sum, each) => sum + each.rows, 0)
  return { parts, rows, columns, order: isSorted ? segmentOrder(kind) : null }
}
