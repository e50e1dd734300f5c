import { parseRecordId, recordId, type IngestId } from '../../../domain/ids.js'
import type { Order, Position } from '../../../domain/search.js'
import type { Params } from './params.js'
import type { ResultRow } from './statement.js'

/** Columns that order records: unique together. */
export const ORDER_COLUMNS = ['ts', 'ingest_id', 'idx'] as const

/** ORDER BY of records. */
export function orderSql(order: Order): string {
  return ORDER_COLUMNS.map(column => `${column} ${order === 'asc' ? 'ASC' : 'DESC'}`).join(', ')
}

/** Condition for rows strictly beyond a position; the plain bound on `ts` comes first, since files can be cut by it. */
export function beyondSql(position: Position, order: Order, params: Params): string {
  const op = order === 'asc' ? '>' : '<'
  const ts = params.add(position.timestampNs)
  const id = parseRecordId(position.id)
  if (!id) return `ts ${op} ${ts}`
  const ingestId = params.add(id.ingestId)
  const later = `ingest_id ${op} ${ingestId} OR (ingest_id = ${ingestId} AND idx ${op} ${params.add(id.index)})`
  return `ts ${op}= ${ts} AND (ts ${op} ${ts} OR ${later})`
}

/** Compares rows in ascending order. */
export function compareRows(a: ResultRow, b: ResultRow): number {
  for (const column of ORDER_COLUMNS) {
    const left = a[column]!
    const right = b[column]!
    if (left !== right) return left < right ? -1 : 1
  }
  return 0
}

/** Time and id of a row. */
export function positionOf(row: ResultRow): Position {
  return { timestampNs: row['ts'] as bigint, id: recordId(row['ingest_id'] as IngestId, row['idx'] as number) }
}
