import type { DuckDBConnection } from '@duckdb/node-api'
import { literal, queryRows } from '../process/sql.js'
import type { AdoptionDeps } from './adoption.js'
import { noteLost } from './lost-rows.js'
import { readSegmentPath } from './segment-name.js'
import type { Stranger, Unlisted, UnlistedSegment } from './unlisted-segments.js'

const NS_PER_DAY = 86_400_000_000_000n

/**
 * Notes what results lack of files that the manifest does not list: the rows of unreadable segments, and points of series whose
 * names are gone. If the hot file was not lost, an unreadable file is what an unfinished write left
 * behind: nothing is missing.
 */
export async function noteUnreadable(
  { connection, files, deletions }: Pick<AdoptionDeps, 'connection' | 'files' | 'deletions'>,
  { segments, strangers }: Unlisted,
  hasLostHotFile: boolean
): Promise<void> {
  if (hasLostHotFile) for (const stranger of strangers) await noteDay(connection, stranger)
  for (const segment of segments) {
    if (segment.kind === 'points' && !deletions.isDropped('points', segment.ns))
      await noteNameless(connection, segment, files.pathOf(segment.file))
  }
}

async function noteDay(connection: DuckDBConnection, { file, reason }: Stranger): Promise<void> {
  const named = readSegmentPath(file)
  if (named === null) return
  const { kind, ns, day } = named
  const minNs = BigInt(day) * NS_PER_DAY
  await noteLost(connection, {
    kind,
    ns,
    minNs,
    maxNs: minNs + NS_PER_DAY - 1n,
    rows: null,
    reason: `segments/${file} ${reason}`
  })
}

async function noteNameless(connection: DuckDBConnection, { kind, ns, file }: UnlistedSegment, path: string): Promise<void> {
  const sql = `SELECT min(ts) AS low, max(ts) AS high FROM read_parquet(${literal(path)})
    WHERE series NOT IN (SELECT id FROM hot.main.series)`
  const { low, high } = (await queryRows<{ low: bigint | null; high: bigint | null }>(connection, sql))[0]!
  if (low === null || high === null) return
  const reason = `segments/${file} has points of unknown series`
  await noteLost(connection, { kind, ns, minNs: low, maxNs: high, rows: null, reason })
}
