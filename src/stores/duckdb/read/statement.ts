import type { DuckDBValue } from '@duckdb/node-api'
import type { Params } from './params.js'
import type { Scope } from './source.js'

/** One row of a result by column name. */
export type ResultRow = Readonly<Record<string, DuckDBValue>>

/**
 * Runs one statement and returns its rows; meant for results that are small or already cut. An abort interrupts only a
 * statement that is running, so the signal is looked at before and after as well.
 */
export async function runStatement({ snapshot, signal }: Scope, sql: string, params: Params): Promise<ResultRow[]> {
  signal.throwIfAborted()
  const result = await snapshot.connection.run(sql, params.values, params.types)
  signal.throwIfAborted()
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
