import type { DuckDBMaterializedResult, DuckDBPreparedStatement, DuckDBValue } from '@duckdb/node-api'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { Params } from './params.js'
import type { Scope } from './source.js'

/** One row of a result by column name. */
export type ResultRow = Readonly<Record<string, DuckDBValue>>

/** Prepares, binds and runs one statement. Binding blocks the thread, so nothing is bound for a caller who has left. */
export async function bound<T>(
  { snapshot, signal }: Scope,
  sql: string,
  params: Params,
  run: (statement: DuckDBPreparedStatement) => Promise<T>
): Promise<T> {
  signal.throwIfAborted()
  const statement = await snapshot.connection.prepare(sql)
  try {
    signal.throwIfAborted()
    statement.bind(params.values, params.types)
    return await run(statement)
  } finally {
    statement.destroySync()
  }
}

/**
 * Runs one statement and returns its rows; meant for results that are small or already cut. An abort interrupts only a
 * statement that is running, so the signal is looked at before and after as well.
 */
export async function runStatement(scope: Scope, sql: string, params: Params): Promise<ResultRow[]> {
  const result = await bound(scope, sql, params, statement => statement.run())
  scope.signal.throwIfAborted()
  return rowsInSlices(result, scope.signal)
}

/** As `resultRows`; of a large result other work runs between its chunks. */
async function rowsInSlices(result: DuckDBMaterializedResult, signal: AbortSignal): Promise<ResultRow[]> {
  const names = result.columnNames()
  const rows: ResultRow[] = []
  for (let i = 0; i < result.chunkCount; i++) {
    if (i > 0) await yieldToEventLoop()
    signal.throwIfAborted()
    addRows(rows, names, result.getChunk(i).getColumns())
  }
  return rows
}

/** The rows of a whole result. They are taken out on this thread: fetching them on one of the pool goes there and back twice. */
export function resultRows(result: DuckDBMaterializedResult): ResultRow[] {
  const names = result.columnNames()
  const rows: ResultRow[] = []
  for (let i = 0; i < result.chunkCount; i++) addRows(rows, names, result.getChunk(i).getColumns())
  return rows
}

/** Runs one statement and gives its rows as they are found, some at a time. */
export async function* streamRows(scope: Scope, sql: string, params: Params): AsyncGenerator<readonly ResultRow[], void> {
  const result = await bound(scope, sql, params, statement => statement.stream())
  const names = result.columnNames()
  for await (const chunk of result) {
    scope.signal.throwIfAborted()
    yield addRows([], names, chunk.getColumns())
  }
}

function addRows(rows: ResultRow[], names: readonly string[], columns: readonly (readonly DuckDBValue[])[]): ResultRow[] {
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
