import type { DuckDBConnection } from '@duckdb/node-api'
import type { NamespaceId } from '../../../domain/ids.js'
import { queryRows, run } from '../process/sql.js'
import type { KnownManifest } from '../segments/known-manifest.js'
import type { TableLayout } from '../table-layout.js'
import type { TableKind } from '../tables.js'
import { createHotTable, TABLE_KINDS } from './schema.js'
import type { UniqueNumbers } from './unique-numbers.js'

/** The hot table that takes appends of a kind, and what it holds so far. */
export interface CurrentTable {
  readonly name: string
  readonly createdMs: number
  /** Those that have rows in it. */
  readonly namespaces: Set<NamespaceId>
  rows: number
  bytes: number
  /** Time of the last append; of the creation or the start before there was one. */
  lastMs: number
}

interface HotTableRow {
  readonly kind: TableKind
  readonly name: string
  readonly created_ms: bigint
}

interface CountedRows {
  readonly ns: NamespaceId
  readonly rows: bigint
}

/** Bytes of a row, before the first one was added. */
const TYPICAL_ROW_BYTES = 256

/** Rows of a commit. */
interface Added {
  readonly rows: number
  readonly bytes: number
  /** When it was committed. */
  readonly nowMs: number
}

/** Which hot table of each kind takes appends. Rotations go through the writing connection, between two commits. */
export class HotTables {
  readonly #connection: DuckDBConnection
  readonly #numbers: UniqueNumbers
  readonly #layout: TableLayout
  readonly #manifest: KnownManifest
  readonly #current = new Map<TableKind, CurrentTable>()
  /** What was added since the start. */
  readonly #added = new Map<TableKind, { rows: number; bytes: number }>()

  constructor(connection: DuckDBConnection, numbers: UniqueNumbers, layout: TableLayout, manifest: KnownManifest) {
    this.#connection = connection
    this.#numbers = numbers
    this.#layout = layout
    this.#manifest = manifest
  }

  /** Reads the current tables; their last appends count as of now. */
  async load(nowMs: number): Promise<void> {
    const sql = "SELECT kind, name, created_ms FROM hot.main.hot_tables WHERE state = 'current'"
    for (const { kind, name, created_ms: createdMs } of await queryRows<HotTableRow>(this.#connection, sql)) {
      const counted = await queryRows<CountedRows>(
        this.#connection,
        `SELECT ns, count(*) AS rows FROM hot.main.${name} GROUP BY ns`
      )
      this.#current.set(kind, {
        name,
        createdMs: Number(createdMs),
        namespaces: new Set(counted.map(({ ns }) => ns)),
        rows: counted.reduce((sum, { rows }) => sum + Number(rows), 0),
        bytes: 0,
        lastMs: nowMs
      })
    }
    const missing = TABLE_KINDS.filter(kind => !this.#current.has(kind))
    if (missing.length > 0) throw new Error(`the hot file has no table for ${missing.join(', ')}`)
  }

  current(kind: TableKind): CurrentTable {
    return this.#current.get(kind)!
  }

  /** Whether a table, which takes appends or did, may have rows of a namespace: false is certain. */
  mayHave(kind: TableKind, table: string, ns: NamespaceId): boolean {
    const { name, namespaces } = this.current(kind)
    return name !== table || namespaces.has(ns)
  }

  /** Counts what a commit added of a namespace. */
  grow(kind: TableKind, ns: NamespaceId, { rows, bytes, nowMs }: Added): void {
    const table = this.current(kind)
    table.namespaces.add(ns)
    table.rows += rows
    table.bytes += bytes
    table.lastMs = nowMs
    const added = this.#added.get(kind) ?? { rows: 0, bytes: 0 }
    this.#added.set(kind, { rows: added.rows + rows, bytes: added.bytes + bytes })
  }

  /** Bytes of all rows that were added since the start. */
  get addedBytes(): number {
    return [...this.#added.values()].reduce((sum, { bytes }) => sum + bytes, 0)
  }

  /** About how many bytes so many rows of a kind take in a table, by those that were added since the start. */
  bytesOf(kind: TableKind, rows: number): number {
    const { rows: known, bytes } = this.#added.get(kind) ?? { rows: 0, bytes: 0 }
    return Math.ceil(rows * (known === 0 ? TYPICAL_ROW_BYTES : bytes / known))
  }

  /** Starts a new table for appends; the old one waits to be sealed. No append may be running. */
  async rotate(kind: TableKind, nowMs: number): Promise<void> {
    const connection = this.#connection
    const name = `${kind}_${this.#numbers.nextName()}`
    await this.#manifest.change(connection, async () => {
      await connection.run(createHotTable(this.#layout, kind, name))
      await run(connection, "UPDATE hot.main.hot_tables SET state = 'waiting' WHERE kind = ? AND state = 'current'", [kind])
      await run(connection, "INSERT INTO hot.main.hot_tables VALUES (?, ?, 'current', ?)", [kind, name, nowMs])
    })
    this.#current.set(kind, { name, createdMs: nowMs, namespaces: new Set(), rows: 0, bytes: 0, lastMs: nowMs })
  }
}
