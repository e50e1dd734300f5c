import type { DuckDBConnection } from '@duckdb/node-api'
import { inTransaction, queryRows } from '../process/sql.js'
import { createTable, SERIES_COLUMNS } from '../write/schema.js'

const FILL = 'scrub_fill'
const SERIES_COPY = 'scrub_series'
/** Other work frees blocks meanwhile; those that a fill leaves are filled by the next. */
const MAX_FILLS = 4
const VALUE_BYTES = 8
const META_TABLES = `SELECT table_name AS name FROM duckdb_tables() WHERE database_name = 'hot' AND table_name LIKE 'scrub\\_%' ESCAPE '\\'`

async function dropLeftovers(connection: DuckDBConnection): Promise<void> {
  for (const { name } of await queryRows<{ name: string }>(connection, META_TABLES)) {
    await connection.run(`DROP TABLE hot.main.${name}`)
  }
}

/**
 * Rewrites the table of series: DuckDB only marks deleted rows, and keeps their bytes in the blocks of the rows around
 * them. No append may be running, and no appender be open.
 */
export async function rewriteSeries(connection: DuckDBConnection): Promise<void> {
  await inTransaction(connection, async () => {
    await connection.run(createTable(SERIES_COPY, SERIES_COLUMNS))
    await connection.run(`INSERT INTO hot.main.${SERIES_COPY} SELECT * FROM hot.main.series`)
    await connection.run('DROP TABLE hot.main.series')
    await connection.run(`ALTER TABLE hot.main.${SERIES_COPY} RENAME TO series`)
  })
}

interface Blocks {
  readonly free: bigint
  readonly size: bigint
}

async function freeBytes(connection: DuckDBConnection): Promise<number> {
  const sql = "SELECT free_blocks AS free, block_size AS size FROM pragma_database_size() WHERE database_name = 'hot'"
  const { free, size } = (await queryRows<Blocks>(connection, sql))[0]!
  return Number(free) * Number(size)
}

/**
 * Overwrites the free blocks of the hot file: DuckDB leaves in them what they held. A table that takes as many bytes is
 * written and dropped again, since only the engine knows which blocks are free. `checkpoint` must run between two commits.
 */
export async function scrubFreeBlocks(connection: DuckDBConnection, checkpoint: () => Promise<void>): Promise<void> {
  await dropLeftovers(connection)
  // Blocks of dropped tables are free only behind a checkpoint.
  await checkpoint()
  for (let i = 0; i < MAX_FILLS; i++) {
    const bytes = await freeBytes(connection)
    if (bytes === 0) break
    await connection.run(`CREATE TABLE hot.main.${FILL}_${i} AS SELECT range AS n FROM range(${Math.ceil(bytes / VALUE_BYTES)})`)
    await checkpoint()
  }
  await dropLeftovers(connection)
  await checkpoint()
}
