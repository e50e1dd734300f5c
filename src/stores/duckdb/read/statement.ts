import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api'
import type { Params } from './params.js'

/** One row of a result by column name. */
export type ResultRow = Readonly<Record<string, DuckDBValue>>

/** Runs one statement and returns its rows; meant for results that are small or already cut. */
export async function runStatement(connection: DuckDBConnection, sql: string, params: Params): Promise<ResultRow[]> {
  const result = await connection.run(sql, params.values, params.types)
  const names = result.columnNames()
  const columns = await result.getColumns()
  const rows: ResultRow[] = []
  const length = columns[0]?.length ?? 0
  for (let i = 0; i < length; i++) {
    const row: Record<string, DuckDBValue> = {}
    for (let c = 0; c < names.length; c++) row[names[c]!] = columns[c]![i]!
    rows.push(row)
  }
  return rows
}

/** A count: DuckDB gives 64 bits (sums 128), counts of rows fit a double. */
export function toCount(value: DuckDBValue | undefined): number {
  return Number(value ?? 0)
}
