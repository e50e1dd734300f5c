import type { DuckDBConnection } from '@duckdb/node-api'
import { inTransaction, literal, queryRows, run } from '../process/sql.js'
import { noteNewestSegment } from '../write/hot-file-state.js'
import { newestOf } from './older-hot-file.js'

// Names of files are in the table of garbage, marked as being written, from before their first byte until the transaction
// that lists them. Only so does a start know which of the files that the manifest does not list are its own leftovers.

/** Notes files that are about to be written; on the disk when this resolves. */
export async function announceFiles(connection: DuckDBConnection, files: readonly string[]): Promise<void> {
  if (files.length === 0) return
  await inTransaction(connection, async () => {
    await run(connection, `INSERT INTO hot.main.garbage VALUES ${files.map(file => `('writing', ${literal(file)})`).join(', ')}`)
    await noteNewestSegment(connection, newestOf(files)!)
  })
}

/** Strikes files off again: they are listed by this transaction, or removed. */
export async function settleFiles(connection: DuckDBConnection, files: readonly string[]): Promise<void> {
  if (files.length === 0) return
  await run(connection, `DELETE FROM hot.main.garbage WHERE what = 'writing' AND name IN (${files.map(literal).join(', ')})`)
}

/** Files that were being written when the process ended. */
export async function announcedFiles(connection: DuckDBConnection): Promise<readonly string[]> {
  const rows = await queryRows<{ name: string }>(connection, "SELECT name FROM hot.main.garbage WHERE what = 'writing'")
  return rows.map(({ name }) => name)
}
