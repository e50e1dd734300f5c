import type { NamespaceId } from '../../../domain/ids.js'
import type { TimeRange } from '../../../domain/time-range.js'
import type { RowRange, Segment, Snapshot } from '../snapshot.js'
import { sealedSql } from '../sealed-files.js'
import type { TableKind } from '../tables.js'
import type { Params } from './params.js'

/** What a statement reads: the rows of one namespace and kind in one snapshot, within a range. */
export interface Scope {
  readonly snapshot: Snapshot
  readonly kind: TableKind
  readonly ns: NamespaceId
  readonly range: TimeRange
  readonly signal: AbortSignal
}

const MAX_INT64 = 2n ** 63n - 1n
const MIN_INT64 = -(2n ** 63n)

/** Keeps the bounds of a range within what a BIGINT column can be compared with. */
export function clampRange(range: TimeRange): TimeRange {
  const clamp = (ns: bigint) => (ns > MAX_INT64 ? MAX_INT64 : ns < MIN_INT64 ? MIN_INT64 : ns)
  return { startNs: clamp(range.startNs), endNs: clamp(range.endNs) }
}

/** What of a scope is in the range. */
export function narrowed(scope: Scope, range: TimeRange): Scope {
  const { startNs, endNs } = clampRange(range)
  const bounds = scope.range
  return {
    ...scope,
    range: {
      startNs: startNs > bounds.startNs ? startNs : bounds.startNs,
      endNs: endNs < bounds.endNs ? endNs : bounds.endNs
    }
  }
}

/** SQL of segments of the scope's kind as a table, with free columns that all of them have; see `sealedSql`. */
export function filesSql({ snapshot, kind }: Scope, files: readonly string[], free: readonly string[] = []): string {
  return sealedSql(snapshot.layout, kind, files, free)
}

/** The columns of the scope's kind, as a list of SELECT. */
export function columnsSql({ snapshot, kind }: Scope): string {
  return snapshot.layout.names(kind).join(', ')
}

function inRange(range: TimeRange, params: Params): string {
  return `ts >= ${params.add(range.startNs)} AND ts < ${params.add(range.endNs)}`
}

/** Rows of one hot table in the range. */
export function hotSql(table: string, columns: string, scope: Scope, params: Params): string {
  const where = `ns = ${params.add(scope.ns)} AND ${inRange(scope.range, params)}`
  return `SELECT ${columns} FROM ${table} WHERE ${where}`
}

/** Rows of segments in the range, in the order of the segments, with `free` columns that all of them have; files that are wholly inside are read without looking at their times. */
export function segmentsSql(
  scope: Scope,
  segments: readonly Segment[],
  columns: string,
  params: Params,
  free: readonly string[] = []
): string | null {
  const { range } = scope
  const parts: { readonly conditions: readonly string[]; readonly isWhole: boolean; readonly files: string[] }[] = []
  for (const { file, minNs, maxNs, skips } of segments) {
    const isInside = minNs >= range.startNs && maxNs < range.endNs
    const last = parts.at(-1)
    if (!skips && last?.isWhole && (last.conditions.length === 0) === isInside) {
      last.files.push(file)
      continue
    }
    const conditions = [...(skips ?? []).map(outside), ...(isInside ? [] : [inRange(range, params)])]
    parts.push({ conditions, isWhole: !skips, files: [file] })
  }
  if (parts.length === 0) return null
  return parts
    .map(
      ({ conditions, files }) =>
        `SELECT ${[columns, ...free].join(', ')} FROM ${filesSql(scope, files, free)}${whereSql(conditions)}`
    )
    .join(' UNION ALL ')
}

function whereSql(conditions: readonly string[]): string {
  return conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`
}

/** In this form, and not as a list of what is to be read, the engine leaves out row groups without reading them. */
function outside({ from, to }: RowRange): string {
  return `(file_row_number < ${from} OR file_row_number >= ${to})`
}

/**
 * All rows of the scope as one table with the columns of its kind. The engine drops unused columns and
 * pushes conditions into the parts. Older parts tend to come first, but the order is not promised. Not for the first rows of
 * an order: ORDER BY over UNION ALL sorts everything.
 */
export function allRowsSql(scope: Scope, params: Params): string {
  const columns = columnsSql(scope)
  const sealed = segmentsSql(scope, overlapping(scope), columns, params)
  const hot = scope.snapshot.hotTables.map(table => hotSql(table, columns, scope, params))
  const parts = sealed === null ? hot : [sealed, ...hot]
  return parts.length === 0 ? emptySql(scope) : `(${parts.join(' UNION ALL ')})`
}

/** Segments of the snapshot that have rows in the scope's range, by their first row. */
export function overlapping({ snapshot, range }: Scope): readonly Segment[] {
  const found = snapshot.segments.filter(({ minNs, maxNs }) => maxNs >= range.startNs && minNs < range.endNs)
  return found.sort((a, b) => (a.minNs < b.minNs ? -1 : a.minNs > b.minNs ? 1 : 0))
}

/** A table without rows, with the columns of the scope's kind. */
export function emptySql({ snapshot, kind }: Scope): string {
  const columns = Object.entries(snapshot.layout.tables[kind]).map(([name, type]) => `CAST(NULL AS ${type}) AS ${name}`)
  return `(SELECT ${columns.join(', ')} WHERE FALSE)`
}

/** The scope of one segment alone. */
export function inSegment(scope: Scope, segment: Segment): Scope {
  return { ...scope, snapshot: { ...scope.snapshot, segments: [segment], hotTables: [] } }
}

/** The scope without some segments. */
export function without(scope: Scope, segments: readonly Segment[]): Scope {
  const left = new Set(scope.snapshot.segments)
  for (const segment of segments) left.delete(segment)
  return { ...scope, snapshot: { ...scope.snapshot, segments: [...left] } }
}
