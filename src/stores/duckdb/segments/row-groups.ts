import type { DuckDBConnection } from '@duckdb/node-api'
import { literal, queryRows } from '../process/sql.js'

/** Row groups of a segment. */
interface RowGroups {
  readonly count: number
  /** Of each but perhaps the last. */
  readonly rowsPerGroup: number
}

/** The row groups of a segment; null if they are not alike, and of a segment without rows. */
export async function rowGroupsOf(connection: DuckDBConnection, segment: string): Promise<RowGroups | null> {
  const sql = `SELECT max(row_group_num_rows) AS rows
    FROM parquet_metadata(${literal(segment)}) GROUP BY row_group_id ORDER BY row_group_id`
  const rows = (await queryRows<{ rows: bigint }>(connection, sql)).map(each => Number(each.rows))
  const rowsPerGroup = rows[0] ?? 0
  const isRegular = rows.every((count, i) => count === rowsPerGroup || (i === rows.length - 1 && count < rowsPerGroup))
  return rowsPerGroup === 0 || !isRegular ? null : { count: rows.length, rowsPerGroup }
}
