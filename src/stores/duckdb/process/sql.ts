import { BIGINT, DOUBLE, type DuckDBConnection, type DuckDBType, type DuckDBValue, VARCHAR } from '@duckdb/node-api'

/** A bound parameter. */
export type BoundParameter = string | number | bigint | null

function typeOf(value: BoundParameter): DuckDBType {
  // Left to itself the driver binds bigint as HUGEINT, which keeps DuckDB from pruning by its BIGINT statistics.
  if (typeof value === 'bigint') return BIGINT
  return typeof value === 'number' ? (Number.isInteger(value) ? BIGINT : DOUBLE) : VARCHAR
}

function toValue(value: BoundParameter): DuckDBValue {
  return typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : value
}

/** Runs one statement with positional parameters. */
export async function run(connection: DuckDBConnection, sql: string, bound: readonly BoundParameter[] = []): Promise<void> {
  if (bound.length === 0) await connection.run(sql)
  else await connection.run(sql, bound.map(toValue), bound.map(typeOf))
}

/** The rows of one statement. `Row` is what the statement selects; 64-bit integers are bigint. */
export async function queryRows<Row>(
  connection: DuckDBConnection,
  sql: string,
  bound: readonly BoundParameter[] = []
): Promise<Row[]> {
  const reader =
    bound.length === 0
      ? await connection.runAndReadAll(sql)
      : await connection.runAndReadAll(sql, bound.map(toValue), bound.map(typeOf))
  return reader.getRowObjects() as Row[]
}

/** Runs `work` in one transaction; rolls back when it throws. */
export async function inTransaction<T>(connection: DuckDBConnection, work: () => Promise<T>): Promise<T> {
  await connection.run('BEGIN')
  try {
    const result = await work()
    await connection.run('COMMIT')
    return result
  } catch (error) {
    // DuckDB may have rolled back by itself already.
    await connection.run('ROLLBACK').catch(() => undefined)
    throw error
  }
}

/** A string as an SQL literal, for the few places that take no parameters (file names in COPY). */
export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
