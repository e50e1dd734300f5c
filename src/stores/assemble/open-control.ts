import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { GatewayError, isGatewayError } from '../../domain/errors.js'
import type { BackgroundJobs } from '../../ports/background-jobs.js'
import type { Clock } from '../../ports/clock.js'
import type { ControlStore } from '../../ports/control-store.js'
import { openSqliteControlStore } from '../control/open-sqlite.js'
import { wordsOf } from '../shared/finding.js'

/** File of the embedded control database below its folder. */
export const CONTROL_FILE = 'control.db'
/** How long a start waits for PostgreSQL; without users and keys there is nothing to serve. */
export const DATABASE_WAIT_MS = 60_000
const RETRY_MS = 1_000
const PRIVATE_MODE = 0o700
/** Classes of SQLSTATE that waiting does not mend: wrong user or password, no such database. */
const REFUSALS: ReadonlySet<string> = new Set(['28', '3D'])

/** Opens the embedded control database; the data folder's lock must be held. */
export async function openEmbeddedControl(folder: string): Promise<ControlStore> {
  await mkdir(folder, { recursive: true, mode: PRIVATE_MODE })
  return openSqliteControlStore({ file: join(folder, CONTROL_FILE) })
}

/** How to open the control database in PostgreSQL. */
export interface SharedControlOptions {
  readonly url: string
  readonly clock: Clock
  readonly jobs: BackgroundJobs
  readonly waitMs: number
  /** Called once when the start has to wait. */
  readonly onWait: (sentence: string) => void
}

function isRefused(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' && REFUSALS.has(cause.code.slice(0, 2))
}

/**
 * Opens the control database in PostgreSQL; waits for a server that is not there yet. `store_unavailable` with the
 * server's own words when it refuses user, password or database, or when time is up.
 */
export async function openSharedControl({ url, clock, jobs, waitMs, onWait }: SharedControlOptions): Promise<ControlStore> {
  const { openPostgresControlStore } = await import('../control/open-postgres.js')
  const { host } = new URL(url)
  const deadlineMs = clock.monotonicMs() + waitMs
  for (let attempt = 1; ; attempt++) {
    try {
      return await openPostgresControlStore({ url, jobs })
    } catch (error) {
      if (!isGatewayError(error, 'store_unavailable')) throw error
      const sentence = `PostgreSQL at ${host} cannot be used: ${wordsOf(error)}`
      if (isRefused(error) || clock.monotonicMs() >= deadlineMs) {
        throw new GatewayError('store_unavailable', sentence, { cause: error })
      }
      if (attempt === 1) onWait(`${sentence}; waiting for it`)
      await sleep(RETRY_MS)
    }
  }
}
