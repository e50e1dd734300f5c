import type { DuckDBConnection } from '@duckdb/node-api'
import { literal, queryRows } from '../process/sql.js'

/** A segment that is merged with others. */
export interface MergedSegment {
  readonly path: string
  readonly rows: number
  readonly minNs: bigint
  /** Inclusive. */
  readonly maxNs: bigint
}

/** Of the time of a segment, the part that may overlap the one before it: senders are late, and generations rotate under load. */
const OVERLAP_PARTS = 8n
/** Bytes of one value of a row that the engine sorts, in addition to the string itself. */
const VALUE_BYTES = 16

/** Segments by their last row, latest first. */
export function latestFirst(segments: readonly MergedSegment[]): readonly MergedSegment[] {
  return segments.toSorted((a, b) => (a.maxNs < b.maxNs ? 1 : a.maxNs > b.maxNs ? -1 : 0))
}

/** Whether segments, latest first, follow one another in time: their rows one after the other are nearly in order. */
export function areConsecutive(segments: readonly MergedSegment[]): boolean {
  return segments.every((later, i) => {
    const earlier = segments[i + 1]
    if (earlier === undefined) return true
    const lasts = [later, earlier].map(({ minNs, maxNs }) => maxNs - minNs)
    return (earlier.maxNs - later.minNs) * OVERLAP_PARTS <= (lasts[0]! < lasts[1]! ? lasts[0]! : lasts[1]!)
  })
}

/** About how much memory the engine takes to sort the rows of segments, in bytes. */
export async function sortBytes(connection: DuckDBConnection, segments: readonly MergedSegment[]): Promise<number> {
  const paths = segments.map(({ path }) => literal(path)).join(', ')
  const sql = `SELECT CAST(sum(total_uncompressed_size + num_values * ${VALUE_BYTES}) AS DOUBLE) AS bytes FROM parquet_metadata([${paths}])`
  const [row] = await queryRows<{ bytes: number | null }>(connection, sql)
  return row?.bytes ?? 0
}
