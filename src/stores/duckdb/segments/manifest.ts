import type { DuckDBConnection } from '@duckdb/node-api'
import type { NamespaceId } from '../../../domain/ids.js'
import { queryRows, run } from '../process/sql.js'
import type { TableKind } from '../tables.js'
import type { WrittenSegment } from './segment-files.js'

/** A segment as the manifest lists it. */
export interface ManifestRow extends WrittenSegment {
  readonly minNs: bigint
  readonly maxNs: bigint
}

interface Stored {
  readonly kind: TableKind
  readonly ns: NamespaceId
  readonly day: number
  readonly file: string
  readonly rows: bigint
  readonly bytes: bigint
  readonly min_ns: bigint
  readonly max_ns: bigint
}

/** Segments of a kind, or all. */
export async function readManifest(connection: DuckDBConnection, kind?: TableKind): Promise<ManifestRow[]> {
  const rows = await queryRows<Stored>(
    connection,
    `SELECT * FROM hot.main.segments ${kind === undefined ? '' : 'WHERE kind = ?'}`,
    kind === undefined ? [] : [kind]
  )
  return rows.map(({ min_ns: minNs, max_ns: maxNs, rows: count, bytes, ...row }) => {
    return { ...row, rows: Number(count), bytes: Number(bytes), minNs, maxNs }
  })
}

/** Lists a segment; within the caller's transaction. */
export function addSegment(connection: DuckDBConnection, row: ManifestRow): Promise<void> {
  const { kind, ns, day, file, rows, bytes, minNs, maxNs } = row
  const sql = 'INSERT INTO hot.main.segments VALUES (?, ?, ?, ?, ?, ?, ?, ?)'
  return run(connection, sql, [kind, ns, day, file, rows, bytes, minNs, maxNs])
}

/** Strikes segments off the list and puts their files among the garbage; within the caller's transaction. */
export async function retireSegments(connection: DuckDBConnection, files: readonly string[]): Promise<void> {
  for (const file of files) {
    await run(connection, 'DELETE FROM hot.main.segments WHERE file = ?', [file])
    await run(connection, "INSERT INTO hot.main.garbage VALUES ('file', ?)", [file])
  }
}
