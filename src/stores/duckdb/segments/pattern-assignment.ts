import type { DuckDBConnection } from '@duckdb/node-api'
import type { NamespaceId } from '../../../domain/ids.js'
import type {
  AssignedPatterns,
  PartFault,
  PartPlace,
  UnassignedLog,
  UnassignedPart,
  WrittenPatterns
} from '../../../ports/unassigned-logs.js'
import { literal, queryRows } from '../process/sql.js'
import { sealedSql } from '../sealed-files.js'
import type { TableLayout } from '../table-layout.js'
import { ASSIGNED_TABLE } from './assigned-rows.js'
import type { DamagedSegments } from './damaged-segments.js'
import type { Deletions } from './deletions.js'
import { readManifest, type ManifestRow } from './manifest.js'
import type { Merger } from './merger.js'
import type { SegmentFiles } from './segment-files.js'

/** Logs of one page at most. */
const PAGE_ROWS = 2_000
/** Bytes of the messages of a page; a longer message is a page of its own. */
const PAGE_BYTES = 4 * 1024 * 1024
/** Rows of one statement that fills `ASSIGNED_TABLE`. */
const INSERTED_ROWS = 10_000

/** What assigning patterns works with. */
export interface PatternAssignmentDeps {
  readonly layout: TableLayout
  readonly connection: DuckDBConnection
  readonly files: SegmentFiles
  readonly merger: Merger
  readonly damaged: Pick<DamagedSegments, 'has' | 'verify'>
  readonly deletions: Pick<Deletions, 'isDropped' | 'markOf'>
}

/** Gives logs of segments the patterns that they lack: a segment is replaced by one with the same logs (docs/adr/0092). */
export class PatternAssignment {
  readonly #parts: PatternAssignmentDeps

  constructor(parts: PatternAssignmentDeps) {
    this.#parts = parts
  }

  /** As `UnassignedLogs.parts`. */
  async segments(ns: NamespaceId): Promise<readonly UnassignedPart[]> {
    const found: UnassignedPart[] = []
    const listed = (await this.#listed(ns)).toSorted((a, b) => Number(b.maxNs - a.maxNs))
    for (const segment of listed) {
      const logs = await this.#read(segment, () => this.#count(segment))
      if (logs !== 0) found.push({ part: segment.file, logs: logs === 'damaged' ? null : logs })
    }
    return found
  }

  /** As `UnassignedLogs.page`. */
  async page(ns: NamespaceId, { part: file, after }: PartPlace): Promise<readonly UnassignedLog[] | PartFault> {
    const segment = await this.#segment(ns, file)
    return segment === undefined ? 'gone' : this.#read(segment, () => this.#page(segment, after))
  }

  /** As `UnassignedLogs.assign`. */
  async assign(ns: NamespaceId, file: string, assigned: AssignedPatterns): Promise<WrittenPatterns | PartFault> {
    const { connection, merger } = this.#parts
    const segment = await this.#segment(ns, file)
    if (segment === undefined) return 'gone'
    try {
      await this.#fill(assigned)
      const written = await merger.assignPatterns(segment)
      if (typeof written === 'string') return written
      const { part, assigned: rows } = written
      const outcome = { assigned: rows, missed: assigned.places.length - rows, refused: 0, refusal: null, isWhole: true }
      // A rewrite sorts: the logs that are left have other places.
      return { ...outcome, next: part === null ? null : { part, after: -1 } }
    } finally {
      await connection.run(`DROP TABLE IF EXISTS ${ASSIGNED_TABLE}`)
    }
  }

  async #count(segment: ManifestRow): Promise<number> {
    const sql = `SELECT count(*) AS rows FROM ${this.#unassigned(segment)}`
    const [row] = await queryRows<{ rows: bigint }>(this.#parts.connection, sql)
    return Number(row!.rows)
  }

  async #page(segment: ManifestRow, after: number): Promise<readonly UnassignedLog[]> {
    const last = await this.#endOfPage(segment, after)
    if (last === null) return []
    const sql = `SELECT file_row_number AS place, ts, message FROM ${this.#unassigned(segment)}
      AND file_row_number > ${after} AND file_row_number <= ${last} ORDER BY file_row_number`
    const rows = await queryRows<{ place: bigint; ts: bigint; message: string }>(this.#parts.connection, sql)
    return rows.map(({ place, ts, message }) => ({ place: Number(place), timestampNs: ts, message }))
  }

  /** The place of the last log of the page behind a place; null at the end of the segment. */
  async #endOfPage(segment: ManifestRow, after: number): Promise<number | null> {
    const sql = `SELECT file_row_number AS place, strlen(message) AS bytes FROM ${this.#unassigned(segment)}
      AND file_row_number > ${after} ORDER BY file_row_number LIMIT ${PAGE_ROWS}`
    let last: number | null = null
    let sizeBytes = 0
    for (const { place, bytes } of await queryRows<{ place: bigint; bytes: bigint }>(this.#parts.connection, sql)) {
      sizeBytes += Number(bytes)
      if (last !== null && sizeBytes > PAGE_BYTES) break
      last = Number(place)
    }
    return last
  }

  async #fill({ places, of, ids }: AssignedPatterns): Promise<void> {
    const { connection } = this.#parts
    // A place that is named twice would double its log.
    if (places.some((place, i) => i > 0 && place <= places[i - 1]!)) throw new RangeError('places must ascend')
    await connection.run('CREATE OR REPLACE TEMP TABLE assigned_patterns (assigned_row BIGINT, assigned_id VARCHAR)')
    for (let start = 0; start < places.length; start += INSERTED_ROWS) {
      const some = places.subarray(start, start + INSERTED_ROWS)
      const values = Array.from(some, (place, i) => `(${place}, ${literal(ids[of[start + i]!]!)})`)
      await connection.run(`INSERT INTO ${ASSIGNED_TABLE} VALUES ${values.join(', ')}`)
    }
  }

  /** The result of a read of a segment, or that it is damaged; other failures are thrown. */
  async #read<T>(segment: ManifestRow, read: () => Promise<T>): Promise<T | 'damaged'> {
    const { damaged } = this.#parts
    if (damaged.has(segment.file)) return 'damaged'
    try {
      return await read()
    } catch (error) {
      if (await damaged.verify([segment])) return 'damaged'
      throw error
    }
  }

  async #segment(ns: NamespaceId, file: string): Promise<ManifestRow | undefined> {
    return (await this.#listed(ns)).find(segment => segment.file === file)
  }

  async #listed(ns: NamespaceId): Promise<readonly ManifestRow[]> {
    const { connection, deletions } = this.#parts
    if (deletions.isDropped('logs', ns)) return []
    return (await readManifest(connection, 'logs')).filter(segment => segment.ns === ns)
  }

  /** The logs of a segment without a pattern, as a source and its condition; deleted ones may still be in the file. */
  #unassigned({ file, ns }: ManifestRow): string {
    const { layout, files, deletions } = this.#parts
    const markNs = deletions.markOf('logs', ns) ?? 0n
    return `${sealedSql(layout, 'logs', [files.pathOf(file)])} WHERE pattern_id IS NULL AND ts >= ${markNs}`
  }
}
