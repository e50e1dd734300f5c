import type { DuckDBConnection } from '@duckdb/node-api'
import { freeColumnName } from '../free-columns.js'
import { queryRows } from '../process/sql.js'
import { sealedSql } from '../sealed-files.js'
import type { TableLayout } from '../table-layout.js'
import { segmentOrder } from '../write/schema.js'
import type { SegmentRows } from './free-copy.js'
import { readFreeColumns } from './read-free-columns.js'

/** The rows that are about to get a pattern, by their position in their segment; a table of the connection of upkeep. */
export const ASSIGNED_TABLE = 'temp.main.assigned_patterns'

/** A segment of logs. */
interface AssignedSegment {
  readonly path: string
  readonly rows: number
  /** Rows before are deleted. */
  readonly markNs: bigint
}

/** How many rows of a segment of logs get a pattern of `ASSIGNED_TABLE`. */
export async function assignedCount(
  connection: DuckDBConnection,
  layout: TableLayout,
  { path, markNs }: AssignedSegment
): Promise<number> {
  const sql = `SELECT count(*) AS rows FROM ${sealedSql(layout, 'logs', [path])}
    JOIN ${ASSIGNED_TABLE} ON assigned_row = file_row_number WHERE ts >= ${markNs} AND pattern_id IS NULL`
  const [row] = await queryRows<{ rows: bigint }>(connection, sql)
  return Number(row!.rows)
}

/** The rows of a segment of logs as those of a new one, with the patterns of `ASSIGNED_TABLE` where they have none. */
export async function assignedRows(
  connection: DuckDBConnection,
  layout: TableLayout,
  { path, rows, markNs }: AssignedSegment
): Promise<SegmentRows> {
  const columns = layout.names('logs')
  const free = (await readFreeColumns(connection, [path])).get(path) ?? null
  const names = free?.columns.map(freeColumnName) ?? []
  const own = columns.map(name => (name === 'pattern_id' ? 'coalesce(pattern_id, assigned_id) AS pattern_id' : `"${name}"`))
  const sql = `SELECT ${[...own, ...names].join(', ')} FROM ${sealedSql(layout, 'logs', [path], names)}
    LEFT JOIN ${ASSIGNED_TABLE} ON assigned_row = file_row_number WHERE ts >= ${markNs}`
  // A join does not keep the order of its rows.
  return { parts: [{ sql, free }], rows, columns, order: segmentOrder('logs') }
}
