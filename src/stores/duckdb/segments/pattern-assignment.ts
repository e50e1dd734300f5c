import type { DuckDBConnection } from '@duckdb/node-api'
import type { NamespaceId } from '../../../domain/ids.js'
import { literal, queryRows } from '../process/sql.js'
import { sealedSql } from '../sealed-files.js'
import type { TableLayout } from '../table-layout.js'
import { ASSIGNED_TABLE } from './assigned-rows.js'
import type { DamagedSegments } from './damaged-segments.js'
import { readManifest, type ManifestRow } from './manifest.js'
import type { Merger } from './merger.js'
import type { SegmentFiles } from './segment-files.js'

/** Logs of one page at most. */
const PAGE_ROWS = 2_000

/** A segment with logs that have no pattern. */
export interface UnassignedSegment {
  readonly file: string
  /** Its logs without a pattern. */
  readonly rows: number
}

/** A log without a pattern. */
export interface UnassignedRow {
  /** Its position in its segment. */
  readonly row: number
  readonly timestampNs: bigint
  readonly message: string
}

/** The patterns of rows of a segment: parallel lists. */
export interface AssignedRows {
  readonly rows: readonly number[]
  readonly ids: readonly string[]
}

/** What assigning patterns works with. */
export interface PatternAssignmentDeps {
  readonly layout: TableLayout
  readonly connection: DuckDBConnection
  readonly files: SegmentFiles
  readonly merger: Merger
  readonly damaged: Pick<DamagedSegments, 'has'>
}

/** Gives logs of segments the patterns that they lack: a segment is replaced by one with the same logs (docs/adr/0092). */
export class PatternAssignment {
  readonly #parts: PatternAssignmentDeps

  constructor(parts: PatternAssignmentDeps) {
    this.#parts = parts
  }

  /** Segments of a namespace with logs that have no pattern; those that cannot be read are left out. */
  async segments(ns: NamespaceId): Promise<readonly UnassignedSegment[]> {
    const found: UnassignedSegment[] = []
    for (const segment of await this.#listed(ns)) {
      const sql = `SELECT count(*) AS rows FROM ${this.#source(segment)} WHERE pattern_id IS NULL`
      const [row] = await queryRows<{ rows: bigint }>(this.#parts.connection, sql)
      if (row!.rows > 0n) found.push({ file: segment.file, rows: Number(row!.rows) })
    }
    return found
  }

  /** The logs without a pattern behind a position of a segment, at most 2,000; null when it is not listed any more. */
  async page(ns: NamespaceId, file: string, after: number): Promise<readonly UnassignedRow[] | null> {
    const segment = await this.#segment(ns, file)
    if (segment === undefined) return null
    const sql = `SELECT file_row_number AS row, ts, message FROM ${this.#source(segment)}
      WHERE pattern_id IS NULL AND file_row_number > ${after} ORDER BY file_row_number LIMIT ${PAGE_ROWS}`
    const rows = await queryRows<{ row: bigint; ts: bigint; message: string }>(this.#parts.connection, sql)
    return rows.map(({ row, ts, message }) => ({ row: Number(row), timestampNs: ts, message }))
  }

  /** Rewrites a segment with these patterns; false when it was merged meanwhile, or is damaged: it stays as it is. */
  async assign(ns: NamespaceId, file: string, { rows, ids }: AssignedRows): Promise<boolean> {
    const { connection, merger } = this.#parts
    const segment = await this.#segment(ns, file)
    if (segment === undefined) return false
    try {
      await connection.run('CREATE OR REPLACE TEMP TABLE assigned_patterns (assigned_row BIGINT, assigned_id VARCHAR)')
      for (let start = 0; start < rows.length; start += PAGE_ROWS) {
        const values = rows.slice(start, start + PAGE_ROWS).map((row, i) => `(${row}, ${literal(ids[start + i]!)})`)
        await connection.run(`INSERT INTO ${ASSIGNED_TABLE} VALUES ${values.join(', ')}`)
      }
      return await merger.assignPatterns(segment)
    } finally {
      await connection.run(`DROP TABLE IF EXISTS ${ASSIGNED_TABLE}`)
    }
  }

  async #segment(ns: NamespaceId, file: string): Promise<ManifestRow | undefined> {
    return (await this.#listed(ns)).find(segment => segment.file === file)
  }

  async #listed(ns: NamespaceId): Promise<readonly ManifestRow[]> {
    const { connection, damaged } = this.#parts
    return (await readManifest(connection, 'logs')).filter(segment => segment.ns === ns && !damaged.has(segment.file))
  }

  #source({ file }: ManifestRow): string {
    const { layout, files } = this.#parts
    return sealedSql(layout, 'logs', [files.pathOf(file)])
  }
}
