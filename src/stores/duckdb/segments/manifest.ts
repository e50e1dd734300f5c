import type { DuckDBConnection } from '@duckdb/node-api'
import type { NamespaceId } from '../../../domain/ids.js'
import { queryRows, run } from '../process/sql.js'
import type { TableKind } from '../tables.js'
import { indexFilesOf } from '../segment-indexes.js'
import type { FileSums, WrittenSegment } from './segment-files.js'
import { settleFiles } from './write-intents.js'

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

/** Lists a segment, with the checksums of its files; within the caller's transaction. */
export async function addSegment(connection: DuckDBConnection, row: ManifestRow, sums: FileSums): Promise<void> {
  const { kind, ns, day, file, rows, bytes, minNs, maxNs } = row
  const sql = 'INSERT INTO hot.main.segments VALUES (?, ?, ?, ?, ?, ?, ?, ?)'
  await run(connection, sql, [kind, ns, day, file, rows, bytes, minNs, maxNs])
  for (const each of [file, ...indexFilesOf(file)]) {
    const sum = sums.get(each)
    if (sum) await run(connection, 'INSERT INTO hot.main.sums VALUES (?, ?, ?)', [each, sum.bytes, sum.crc])
  }
  await settleFiles(connection, [file])
}

/** Strikes segments off the list; their files stay. Within the caller's transaction. */
export async function unlistSegments(connection: DuckDBConnection, files: readonly string[]): Promise<void> {
  for (const file of files) {
    await run(connection, 'DELETE FROM hot.main.segments WHERE file = ?', [file])
    for (const each of [file, ...indexFilesOf(file)]) await run(connection, 'DELETE FROM hot.main.sums WHERE file = ?', [each])
  }
}

/** Strikes segments off the list and puts their files among the garbage; within the caller's transaction. */
export async function retireSegments(connection: DuckDBConnection, files: readonly string[]): Promise<void> {
  await unlistSegments(connection, files)
  for (const file of files) await run(connection, "INSERT INTO hot.main.garbage VALUES ('file', ?)", [file])
}

/** Sizes and checksums of files, as they were when they were written; none for those of earlier versions. */
export async function readSums(connection: DuckDBConnection): Promise<FileSums> {
  const rows = await queryRows<{ file: string; bytes: bigint; crc: bigint }>(connection, 'SELECT * FROM hot.main.sums')
  return new Map(rows.map(({ file, bytes, crc }) => [file, { bytes: Number(bytes), crc: Number(crc) }]))
}
