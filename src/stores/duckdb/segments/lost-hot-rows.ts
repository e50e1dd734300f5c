import type { DuckDBConnection } from '@duckdb/node-api'
import { inTransaction, queryRows } from '../process/sql.js'
import type { HotDatabase } from '../write/hot-database.js'
import { settleHotFile, type StaleReason, staleReason } from '../write/hot-file-state.js'
import { LATE_MS } from '../write/journal/lost-files.js'
import { noteLost } from './lost-rows.js'
import type { UnlistedSegment } from './unlisted-segments.js'

/** What noting works with. */
export interface LostHotRowsDeps {
  readonly connection: DuckDBConnection
  readonly database: HotDatabase
  readonly nowMs: () => number
  /** How long rows wait in the hot tier at most, per table that they wait in. */
  readonly sealAgeMs: number
}

/** Hot tables in which a row may wait, one after the other, before it is sealed. */
const WAITS = 2n
const NS_PER_MS = 1_000_000n

const STALE: Readonly<Record<StaleReason, string>> = {
  older: 'hot.duckdb was older than other files at a start',
  log: 'the write-ahead log of hot.duckdb was damaged'
}

/**
 * Notes as lost what was in the hot file alone: of one that is missing, and of one that is older than the files next to it.
 * A start that ends before this leaves it to the next one.
 */
export async function noteLostHotRows(
  parts: LostHotRowsDeps,
  unlisted: readonly UnlistedSegment[],
  hasLostHotFile: boolean
): Promise<readonly string[]> {
  const { connection, database } = parts
  const stale = await staleReason(connection)
  if (!database.isNew && stale === null) return []
  return inTransaction(connection, async () => {
    await settleHotFile(connection)
    if (hasLostHotFile) return [await noteMissing(parts, unlisted)]
    return database.isNew || stale === null ? [] : [await noteStaleRows(parts, stale, unlisted)]
  })
}

async function noteMissing(parts: LostHotRowsDeps, unlisted: readonly UnlistedSegment[]): Promise<string> {
  const { isEmpty } = parts.database
  const what = `hot.duckdb was ${isEmpty ? 'empty' : 'missing'} at a start`
  const reason = `${what}: what was in it and not in the journal is lost`
  const minNs = sealedUntilNs(parts, unlisted)
  await noteSince(parts, minNs, reason)
  return unlisted.length === 0 ? reason : `${reason}: ${sinceSentence(minNs)}`
}

async function noteStaleRows(parts: LostHotRowsDeps, stale: StaleReason, unlisted: readonly UnlistedSegment[]): Promise<string> {
  const [sealedNs, keptNs] = [sealedUntilNs(parts, unlisted), await keptUntilNs(parts.connection)]
  const minNs = sealedNs > keptNs ? sealedNs : keptNs
  await noteSince(parts, minNs, STALE[stale])
  return `${STALE[stale]}: ${sinceSentence(minNs)}`
}

function noteSince({ connection, nowMs }: LostHotRowsDeps, minNs: bigint, reason: string): Promise<void> {
  const maxNs = BigInt(nowMs()) * NS_PER_MS
  return noteLost(connection, { kind: null, ns: null, minNs, maxNs, rows: null, reason })
}

function sinceSentence(minNs: bigint): string {
  return `records that arrived after ${new Date(Number(minNs / NS_PER_MS)).toISOString()} may be incomplete`
}

/** What arrived before this is in segments: the last one is from a time at which the service ran. */
function sealedUntilNs({ sealAgeMs }: LostHotRowsDeps, unlisted: readonly UnlistedSegment[]): bigint {
  let last: bigint | null = null
  for (const { maxNs, writtenMs } of unlisted) {
    const writtenNs = BigInt(Math.floor(writtenMs)) * NS_PER_MS
    const aliveNs = maxNs < writtenNs ? maxNs : writtenNs
    if (last === null || aliveNs > last) last = aliveNs
  }
  if (last === null) return 0n
  const sealedNs = last - WAITS * BigInt(sealAgeMs) * NS_PER_MS
  return sealedNs < 0n ? 0n : sealedNs
}

/** What arrived before this is in the hot file or was sealed out of it: its youngest table was begun then. */
async function keptUntilNs(connection: DuckDBConnection): Promise<bigint> {
  const sql = 'SELECT coalesce(max(created_ms), 0) AS ms FROM hot.main.hot_tables'
  const [row] = await queryRows<{ ms: bigint }>(connection, sql)
  const keptMs = row!.ms - BigInt(LATE_MS)
  return keptMs < 0n ? 0n : keptMs * NS_PER_MS
}
