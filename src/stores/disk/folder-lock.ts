import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'libsql'
import { GatewayError } from '../../domain/errors.js'
import type { Clock } from '../../ports/clock.js'

const RETRY_MS = 50

function isHeld(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'SQLITE_BUSY'
}

function tryLock(file: string): Database.Database | null {
  const database = new Database(file)
  try {
    database.exec('PRAGMA busy_timeout = 0')
    // Nothing is ever written, so nothing has to be undone from a file.
    database.exec('PRAGMA journal_mode = MEMORY')
    database.exec('BEGIN EXCLUSIVE')
    return database
  } catch (error) {
    database.close()
    if (isHeld(error)) return null
    throw error
  }
}

/**
 * Holds a data folder for this process until the result is called. SQLite's lock on an empty file, because it ends with the
 * process however that ends and also separates two openings within one process; a file with a process id does
 * neither. `conflict` when another holds it for longer than `waitMs`.
 */
export async function lockFolder(file: string, waitMs: number, clock: Clock): Promise<() => void> {
  const deadlineMs = clock.monotonicMs() + waitMs
  for (;;) {
    const lock = tryLock(file)
    if (lock) return () => lock.close()
    if (clock.monotonicMs() >= deadlineMs)
      throw new GatewayError('conflict', `another process has the data folder open (${file})`)
    await sleep(RETRY_MS)
  }
}
