import { stat } from 'node:fs/promises'
import type { DuckDBConnection } from '@duckdb/node-api'
import { literal, queryRows } from '../process/sql.js'
import { indexFilesOf, segmentOfIndex } from '../segment-indexes.js'
import type { ManifestRow } from './manifest.js'
import type { SegmentFiles } from './segment-files.js'
import { readSegmentMark } from './segment-mark.js'
import { type NamedSegment, readSegmentPath } from './segment-name.js'

/** A segment that is on the disk and that the manifest does not list, from its name and its own metadata. */
export interface UnlistedSegment extends ManifestRow {
  readonly named: NamedSegment
  /** Segments whose rows are in it; null if it does not state them. */
  readonly replaces: readonly string[] | null
  readonly writtenMs: number
}

/** A file that is not a readable segment. */
export interface Stranger {
  readonly file: string
  readonly reason: string
}

/** Files in the folder of segments that are neither listed nor garbage. */
export interface Unlisted {
  readonly segments: readonly UnlistedSegment[]
  readonly strangers: readonly Stranger[]
}

/** Files in the folder of segments that neither the manifest nor the garbage names, nor are indexes of such files. */
export function unlistedFiles(onDisk: readonly string[], known: ReadonlySet<string>): readonly string[] {
  const present = new Set(onDisk)
  return onDisk.filter(file => {
    const segment = segmentOfIndex(file)
    // The index of an unlisted segment goes where that goes.
    return segment === null ? !known.has(file) : !known.has(segment) && !present.has(segment)
  })
}

/** Reads what segments state about themselves. */
export async function examineUnlisted(
  connection: DuckDBConnection,
  files: SegmentFiles,
  names: readonly string[]
): Promise<Unlisted> {
  const segments: UnlistedSegment[] = []
  const strangers: Stranger[] = []
  for (const file of names) {
    const named = readSegmentPath(file)
    if (named === null) {
      strangers.push({ file, reason: 'is not a segment of this version' })
      continue
    }
    try {
      const segment = await examine(connection, files, { file, named })
      if (segment) segments.push(segment)
      else strangers.push({ file, reason: 'has no rows' })
    } catch (error) {
      strangers.push({ file, reason: `cannot be read: ${firstLine(error)}` })
    }
  }
  return { segments, strangers }
}

async function examine(
  connection: DuckDBConnection,
  files: SegmentFiles,
  { file, named }: { readonly file: string; readonly named: NamedSegment }
): Promise<UnlistedSegment | null> {
  const path = files.pathOf(file)
  // Every column is read: a page that is damaged must be found here, and not by the transaction that lists the file.
  const sql = `SELECT count(*) AS rows, min(ts) AS low, max(ts) AS high, count(COLUMNS(*)) FROM read_parquet(${literal(path)})`
  const [found] = await queryRows<{ rows: bigint; low: bigint | null; high: bigint | null }>(connection, sql)
  const { rows, low, high } = found!
  if (low === null || high === null) return null
  const { mtimeMs } = await stat(path)
  const { ns, kind, day } = named
  return {
    ...{ named, ns, kind, day, file, rows: Number(rows), minNs: low, maxNs: high },
    bytes: await bytesOf(path),
    replaces: await readSegmentMark(connection, path),
    writtenMs: mtimeMs
  }
}

async function bytesOf(segment: string): Promise<number> {
  let bytes = 0
  for (const file of [segment, ...indexFilesOf(segment)]) {
    // It only sizes a report.
    bytes += await stat(file).then(
      ({ size }) => size,
      () => 0
    )
  }
  return bytes
}

/** The first line of an error's sentence: what follows in DuckDB's are statements. */
export function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n', 1)[0]!
}
