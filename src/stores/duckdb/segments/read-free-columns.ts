import type { DuckDBConnection } from '@duckdb/node-api'
import { decodeFreeColumns, type FreeColumnList } from '../free-columns.js'
import { literal, queryRows } from '../process/sql.js'
import { FREE_KEY } from './segment-mark.js'

interface Entry {
  readonly path: string
  readonly value: string
}

/** The free columns that segments list, by path; null for segments that list none. Throws when one cannot be read. */
export async function readFreeColumns(
  connection: DuckDBConnection,
  paths: readonly string[]
): Promise<Map<string, FreeColumnList | null>> {
  const found = new Map<string, FreeColumnList | null>(paths.map(path => [path, null]))
  if (paths.length === 0) return found
  const sql = `SELECT file_name AS path, decode(value) AS value FROM parquet_kv_metadata([${paths.map(literal).join(', ')}])
    WHERE decode(key) = ?`
  for (const { path, value } of await queryRows<Entry>(connection, sql, [FREE_KEY])) found.set(path, decodeFreeColumns(value))
  return found
}
