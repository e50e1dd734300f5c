import type { DuckDBConnection } from '@duckdb/node-api'
import { gramIndexFile } from '../gram-index.js'
import type { TableKind } from '../tables.js'
import { traceIndexFile } from '../trace-index.js'
import { writeGramIndex } from './write-gram-index.js'
import { writeTraceIndex } from './write-trace-index.js'

/** A segment as its indexes need to know it. */
export interface IndexedSegment {
  readonly kind: TableKind
  readonly day: number
  readonly rows: number
  /** Logs get an index from this many rows on. */
  readonly gramIndexRows: number
}

/** An index that was written. */
export interface WrittenIndex {
  /** Its path, next to the segment. */
  readonly fileOf: (segment: string) => string
  readonly bytes: number
}

/** Writes the index of a segment of this kind; null for kinds without an index. */
export async function writeIndex(
  connection: DuckDBConnection,
  segment: string,
  { kind, day, rows, gramIndexRows }: IndexedSegment
): Promise<WrittenIndex | null> {
  if (kind === 'spans') return present(traceIndexFile, await writeTraceIndex(connection, segment, day))
  if (kind !== 'logs' || rows < gramIndexRows) return null
  return present(gramIndexFile, await writeGramIndex(connection, segment))
}

function present(fileOf: WrittenIndex['fileOf'], bytes: number): WrittenIndex | null {
  return bytes === 0 ? null : { fileOf, bytes }
}
