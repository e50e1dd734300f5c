import type { DuckDBConnection } from '@duckdb/node-api'
import { GatewayError } from '../../../domain/errors.js'
import { literal } from '../process/sql.js'
import { LogRepair } from './repair-log.js'

const LOCK_RETRY_MS = 100
/** A log can be torn once; more repairs than this mean that the file itself is bad. */
const MAX_REPAIRS = 3
const LOCK_HELD = /Could not set lock|Conflicting lock|being used by another process/i
const NO_DATABASE = /not a valid DuckDB database|Corrupt database file|checksum|Could not read enough bytes|Serialization Error/i

/** What attaching needs from outside. */
export interface AttachOptions {
  readonly dataDir: string
  readonly lockWaitMs: number
  readonly nowMs: () => number
  readonly sleep: (ms: number) => Promise<void>
}

/** What was done to the log, and whether transactions are lost with it, unless the journal has them. */
export interface Attached {
  readonly repairs: readonly string[]
  readonly isLogLost: boolean
}

/** Attaches the hot file as `hot`, once no other process has it; repairs its log. `conflict` when it stays locked. */
export async function attachHotFile(connection: DuckDBConnection, hotFile: string, options: AttachOptions): Promise<Attached> {
  let log = await examinedLog(hotFile)
  const deadlineMs = options.nowMs() + options.lockWaitMs
  for (;;) {
    try {
      await connection.run(`ATTACH ${literal(hotFile)} AS hot`)
      return { repairs: log.sentences, isLogLost: log.isLost }
    } catch (error) {
      const { message } = error as Error
      if (LOCK_HELD.test(message)) {
        await log.takeBack()
        requireTimeLeft(deadlineMs, options, error)
        await options.sleep(LOCK_RETRY_MS)
        // What was seen is what the other process was writing.
        log = await examinedLog(hotFile)
        continue
      }
      const isRepaired = log.sentences.length < MAX_REPAIRS && (await log.repair(message))
      if (!isRepaired) throw unreadable(message, options, error)
    }
  }
}

async function examinedLog(hotFile: string): Promise<LogRepair> {
  const log = new LogRepair(`${hotFile}.wal`)
  await log.recallLoss()
  await log.findSilent()
  return log
}

function requireTimeLeft(deadlineMs: number, { nowMs, dataDir }: AttachOptions, cause: unknown): void {
  if (nowMs() < deadlineMs) return
  throw new GatewayError('conflict', `another process is using the data folder ${dataDir}`, { cause })
}

function unreadable(message: string, { dataDir }: AttachOptions, cause: unknown): unknown {
  if (!NO_DATABASE.test(message)) return cause
  const remedy = 'restore a backup, or move it and its .wal away: the next start lists the segments again'
  return new GatewayError('conflict', `hot.duckdb in ${dataDir} cannot be opened: ${message.split('\n', 1)[0]}; ${remedy}`, {
    cause
  })
}
