import { rename, rm } from 'node:fs/promises'
import path from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import { syncFile, syncFolder } from '../../disk/durable-files.js'
import { literal, queryRows } from '../process/sql.js'

const MAX_FREE_SHARE = 0.75

async function isSparse(connection: DuckDBConnection, minBytes: number): Promise<boolean> {
  const rows = await queryRows<{ total: bigint; free: bigint; size: bigint }>(
    connection,
    `SELECT total_blocks AS total, free_blocks AS free, block_size * total_blocks AS size
       FROM pragma_database_size() WHERE database_name = 'hot'`
  )
  const { total, free, size } = rows[0]!
  return Number(size) >= minBytes && Number(free) > Number(total) * MAX_FREE_SHARE
}

/**
 * Rewrites the attached hot file when it is large and mostly free, since DuckDB gives back only free blocks at its
 * end. Returns true if it did; the file must then be attached again.
 */
export async function rebuildIfSparse(connection: DuckDBConnection, hotFile: string, minBytes: number): Promise<boolean> {
  const fresh = `${hotFile}.new`
  await rm(fresh, { force: true })
  await rm(`${fresh}.wal`, { force: true })
  // Windows cannot replace a file that is open, and the lock on it must not be let go before.
  if (process.platform === 'win32' || !(await isSparse(connection, minBytes))) return false
  await connection.run('CHECKPOINT hot')
  await connection.run(`ATTACH ${literal(fresh)} AS fresh`)
  await connection.run('COPY FROM DATABASE hot TO fresh')
  await connection.run('CHECKPOINT fresh')
  await connection.run('DETACH fresh')
  await syncFile(fresh)
  await rename(fresh, hotFile)
  await syncFolder(path.dirname(hotFile))
  await connection.run('DETACH hot')
  return true
}
