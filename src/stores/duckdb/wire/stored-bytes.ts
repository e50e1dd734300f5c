import type { Columns } from '../field-columns.js'
import { TABLES } from '../tables.js'
import type { AppendRequest, PointsAppend, RowsAppend } from './calls.js'

/** What a value takes in the engine's log, a missing one too; for a string the overhead in addition to its bytes. */
const VALUE_BYTES: Readonly<Record<Columns[string], number>> = { VARCHAR: 2, BIGINT: 8, INTEGER: 4, UTINYINT: 1, DOUBLE: 8 }
/** A request's own row among the batches. */
const REQUEST_BYTES = 160
// Packed points have the position of their series (4 bytes) and their own (4), rows the number of the series and of the commit.
const MORE_PER_POINT = 8
const HISTOGRAM_BYTES = 3 * VALUE_BYTES.BIGINT + VALUE_BYTES.VARCHAR

/**
 * Bytes of a request of `packedBytes` in a table and, uncompressed, in the engine's log: there each row has its namespace and
 * request, every column though it is empty, and a string that the rows share.
 */
export function storedBytes(request: AppendRequest, packedBytes: number): number {
  const perRow = request.ns.length + VALUE_BYTES.VARCHAR
  const more = request.kind === 'points' ? moreOfPoints(request, perRow) : moreOfRows(request, perRow)
  return packedBytes + REQUEST_BYTES + more
}

function moreOfPoints({ rows, histogram }: PointsAppend, perRow: number): number {
  const histograms = histogram === null ? 0 : rows * (HISTOGRAM_BYTES + perRow)
  return rows * (MORE_PER_POINT + perRow) + histograms
}

function moreOfRows({ kind, ingestId, rows, columns }: RowsAppend, perRow: number): number {
  let bytes = perRow
  let shared = 0
  for (const [name, type] of Object.entries(TABLES[kind])) {
    const column = columns[name] ?? null
    if (column === null) bytes += VALUE_BYTES[type] + (name === 'ingest_id' ? ingestId.length : 0)
    else if ('shared' in column) shared += column.shared.length * Math.max(rows - 1, 0) + VALUE_BYTES.VARCHAR * rows
  }
  return bytes * rows + shared
}
