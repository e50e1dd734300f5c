import type { DuckDBDataChunk, DuckDBMaterializedResult, DuckDBPreparedStatement, DuckDBValue } from '@duckdb/node-api'
import { Pace } from '../../../threads/pace.js'
import type { Params } from './params.js'
import type { Scope } from './source.js'

/** Values that are taken out of a chunk without yielding to the event loop: two columns of a full one, some milliseconds. */
const VALUES_AT_ONCE = 4_096

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
  const pace = new Pace(VALUES_AT_ONCE, signal)
  for (let i = 0; i < result.chunkCount; i++) addRows(rows, names, await columnsInSlices(result.getChunk(i), pace))
  return rows
}

/** The columns of a chunk; of a large one other work runs between them. Throws the reason of an abort. */
async function columnsInSlices(chunk: DuckDBDataChunk, pace: Pace): Promise<DuckDBValue[][]> {
  const columns: DuckDBValue[][] = []
  for (let at = 0; at < chunk.columnCount; at++) {
    if (pace.isDue(chunk.rowCount)) await pace.rest()
    columns.push(chunk.getColumnValues(at))
  }
  return columns
}

/** The rows of a whole result. They are taken out on this thread: fetching them on one of the pool goes there and back twice. */
export function resultRows(result: DuckDBMaterializedResult): ResultRow[] {
  const names = result.columnNames()
  const rows: ResultRow[] = []
  for (let i = 0; i < result.chunkCount; i++) addRows(rows, names, result.getChunk(i).getColumns())
  return rows
}

/** Some rows of a result as the engine has them. */
export interface ResultChunk {
  readonly rowCount: number
  /** The value of a column in the last row. */
  last(column: string): DuckDBValue
  /** The rows as values; other work runs between the columns. Throws the reason of an abort. */
  rows(): Promise<readonly ResultRow[]>
}

/** Runs one statement and yields its chunks as they are found; what is not taken out of a chunk costs nothing here. */
export async function* streamChunks(scope: Scope, sql: string, params: Params): AsyncGenerator<ResultChunk, void> {
  const result = await bound(scope, sql, params, statement => statement.stream())
  const names = result.columnNames()
  const pace = new Pace(VALUES_AT_ONCE, scope.signal)
  for await (const chunk of result) {
    scope.signal.throwIfAborted()
    yield {
      rowCount: chunk.rowCount,
      last: column => chunk.getColumnVector(names.indexOf(column)).getItem(chunk.rowCount - 1),
      rows: async () => addRows([], names, await columnsInSlices(chunk, pace))
    }
  }
}

/** Runs one statement and gives its rows as they are found, some at a time. */
export async function* streamRows(scope: Scope, sql: string, params: Params): AsyncGenerator<readonly ResultRow[], void> {
  for await (const chunk of streamChunks(scope, sql, params)) yield await chunk.rows()
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
