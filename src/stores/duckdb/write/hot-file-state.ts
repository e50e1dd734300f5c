import type { DuckDBConnection } from '@duckdb/node-api'
import { queryRows, run } from '../process/sql.js'

/** Of a hot file that no start has distinguished yet from one that was lost: this may take several starts. */
const NEW_KEY = 'new'
/** Why rows may lack that the hot file held before. */
const STALE_KEY = 'stale'
/** The last segment that was written: a later one on the disk shows that the hot file is an older copy. */
const NEWEST_KEY = 'newest_segment'

/** `older`: other files know of a later start or segment. `log`: entries of the write-ahead log are lost. */
export type StaleReason = 'older' | 'log'

/** A value in the metadata of the hot file. */
export async function readMeta(connection: DuckDBConnection, key: string): Promise<string | undefined> {
  const rows = await queryRows<{ value: string }>(connection, 'SELECT value FROM hot.main.meta WHERE key = ?', [key])
  return rows[0]?.value
}

async function writeMeta(connection: DuckDBConnection, key: string, value: string): Promise<void> {
  const isThere = (await readMeta(connection, key)) !== undefined
  const sql = isThere ? 'UPDATE hot.main.meta SET value = $2 WHERE key = $1' : 'INSERT INTO hot.main.meta VALUES ($1, $2)'
  await run(connection, sql, [key, value])
}

/** Notes that the hot file was made by this start. Within the caller's transaction. */
export function noteNew(connection: DuckDBConnection): Promise<void> {
  return writeMeta(connection, NEW_KEY, '1')
}

/** Whether the hot file was made by a start since which none came to its end. */
export async function isNewHotFile(connection: DuckDBConnection): Promise<boolean> {
  return (await readMeta(connection, NEW_KEY)) !== undefined
}

/** Notes that rows of the hot file may be lost, until a start has reported it. The first reason counts. */
export async function noteStale(connection: DuckDBConnection, reason: StaleReason): Promise<void> {
  if ((await staleReason(connection)) === null) await writeMeta(connection, STALE_KEY, reason)
}

/** Why rows of the hot file may be lost; null when it is what the last start left. */
export async function staleReason(connection: DuckDBConnection): Promise<StaleReason | null> {
  return ((await readMeta(connection, STALE_KEY)) ?? null) as StaleReason | null
}

/** Notes that what the hot file lacked is settled. Within the caller's transaction, if it has one. */
export function settleHotFile(connection: DuckDBConnection): Promise<void> {
  return run(connection, 'DELETE FROM hot.main.meta WHERE key IN (?, ?)', [NEW_KEY, STALE_KEY])
}

/** The path of the last segment that was written; undefined in hot files of earlier versions, empty before the first one. */
export function newestSegment(connection: DuckDBConnection): Promise<string | undefined> {
  return readMeta(connection, NEWEST_KEY)
}

/** Notes the last segment. Within the caller's transaction, if it has one. */
export function noteNewestSegment(connection: DuckDBConnection, file: string): Promise<void> {
  return writeMeta(connection, NEWEST_KEY, file)
}
