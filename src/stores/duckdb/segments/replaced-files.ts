import type { DuckDBConnection } from '@duckdb/node-api'
import { literal, queryRows } from '../process/sql.js'
import type { ManifestRow } from './manifest.js'
import type { SegmentFiles } from './segment-files.js'
import { readSegmentMark } from './segment-mark.js'
import { isNewer, readSegmentPath } from './segment-name.js'

/**
 * The replaced files that may be all that is left of a damaged segment: older ones of its kind, namespace and day, of times
 * that it has, too, unless it states that it was made of others.
 */
export async function replacedBy(
  { connection, files }: { readonly connection: DuckDBConnection; readonly files: SegmentFiles },
  replaced: readonly string[],
  damaged: readonly ManifestRow[]
): Promise<readonly string[]> {
  const concerned: string[] = []
  for (const file of replaced) {
    const near = damaged.filter(row => canReplace(row, file))
    if (near.length === 0) continue
    const range = await rangeOf(connection, files.pathOf(file))
    for (const row of near) {
      if (range !== null && (range.maxNs < row.minNs || range.minNs > row.maxNs)) continue
      // The mark of one that is missing or cut cannot be read.
      const mark = await readSegmentMark(connection, files.pathOf(row.file)).catch(() => null)
      if (mark !== null && !mark.includes(file)) continue
      concerned.push(file)
      break
    }
  }
  return concerned
}

function canReplace({ ns, kind, day, file }: ManifestRow, replaced: string): boolean {
  const old = readSegmentPath(replaced)
  // Names of another form have no information.
  if (old === null) return true
  const named = readSegmentPath(file)
  return old.ns === ns && old.kind === kind && old.day === day && (named === null || isNewer(named, old))
}

interface TimeRange {
  readonly minNs: bigint
  readonly maxNs: bigint
}

/** Null for a file that cannot be read, or has no rows. */
async function rangeOf(connection: DuckDBConnection, path: string): Promise<TimeRange | null> {
  const sql = `SELECT min(ts) AS low, max(ts) AS high FROM read_parquet(${literal(path)})`
  // One that cannot be read is kept.
  const rows = await queryRows<{ low: bigint | null; high: bigint | null }>(connection, sql).catch(() => [])
  const { low, high } = rows[0] ?? { low: null, high: null }
  return low === null || high === null ? null : { minNs: low, maxNs: high }
}
