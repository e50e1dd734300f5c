import type { DuckDBConnection } from '@duckdb/node-api'
import { inTransaction } from '../process/sql.js'
import { newestSegment, noteNewestSegment, noteStale } from '../write/hot-file-state.js'
import { isNewer, readSegmentPath } from './segment-name.js'

/** The segment that was written last; undefined when none of the paths is a segment's. */
export function newestOf(files: readonly string[]): string | undefined {
  let newest: string | undefined
  for (const file of files) if (isWrittenAfter(file, newest)) newest = file
  return newest
}

/** The files that were written after everything that a hot file knows, whose `newestSegment` this is. */
export function writtenSince(files: readonly string[], newest: string | undefined): readonly string[] {
  return newest === undefined ? [] : files.filter(file => isWrittenAfter(file, newest))
}

function isWrittenAfter(file: string, other: string | undefined): boolean {
  const named = readSegmentPath(file)
  if (named === null) return false
  const than = readSegmentPath(other ?? '')
  return than === null || isNewer(named, than)
}

/** Notes that the hot file is older than the segments on the disk, if it is. One of an earlier version does not show it. */
export async function noteOlderHotFile(connection: DuckDBConnection, onDisk: readonly string[], isNew: boolean): Promise<void> {
  const known = await newestSegment(connection)
  const newest = newestOf(onDisk)
  const isOlder = !isNew && writtenSince(onDisk, known).length > 0
  if (known !== undefined && newest === undefined) return
  if (known !== undefined && !isWrittenAfter(newest!, known)) return
  await inTransaction(connection, async () => {
    if (isOlder) await noteStale(connection, 'older')
    await noteNewestSegment(connection, newest ?? '')
  })
}
