import type { DuckDBConnection } from '@duckdb/node-api'
import { queryRows, run } from '../process/sql.js'
import type { TableLayout } from '../table-layout.js'
import type { TableKind } from '../tables.js'
import { createHotTable, TABLE_KINDS } from './schema.js'
import type { UniqueNumbers } from './unique-numbers.js'

/** The hot table that takes appends of a kind, and what it holds so far. */
export interface CurrentTable {
  readonly name: string
  readonly createdMs: number
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

/** Bytes of a row, before the first one was added. */
const TYPICAL_ROW_BYTES = 256

/** Which hot table of each kind takes appends. Rotations go through the writing connection, between two commits. */
export class HotTables {
  readonly #connection: DuckDBConnection
  readonly #numbers: UniqueNumbers
  readonly #layout: TableLayout
  readonly #current = new Map<TableKind, CurrentTable>()
  /** What was added since the start. */
  readonly #added = new Map<TableKind, { rows: number; bytes: number }>()

  constructor(connection: DuckDBConnection, numbers: UniqueNumbers, layout: TableLayout) {
    this.#connection = connection
    this.#numbers = numbers
    this.#layout = layout
  }

  /** Reads the current tables; their last appends count as of now. */
  async load(nowMs: number): Promise<void> {
    const sql = "SELECT kind, name, created_ms FROM hot.main.hot_tables WHERE state = 'current'"
    for (const { kind, name, created_ms: createdMs } of await queryRows<HotTableRow>(this.#connection, sql)) {
      const counted = await queryRows<{ rows: bigint }>(this.#connection, `SELECT count(*) AS rows FROM hot.main.${name}`)
      this.#current.set(kind, {
        name,
        createdMs: Number(createdMs),
        rows: Number(counted[0]!.rows),
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

  /** Counts what a commit added. */
  grow(kind: TableKind, rows: number, bytes: number, nowMs: number): void {
    const table = this.current(kind)
    table.rows += rows
    table.bytes += bytes
    table.lastMs = nowMs
    const added = this.#added.get(kind) ?? { rows: 0, bytes: 0 }
    this.#added.set(kind, { rows: added.rows + rows, bytes: added.bytes + bytes })
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
    await connection.run('BEGIN')
    try {
      await connection.run(createHotTable(this.#layout, kind, name))
      await run(connection, "UPDATE hot.main.hot_tables SET state = 'waiting' WHERE kind = ? AND state = 'current'", [kind])
      await run(connection, "INSERT INTO hot.main.hot_tables VALUES (?, ?, 'current', ?)", [kind, name, nowMs])
      await connection.run('COMMIT')
    } catch (error) {
      await connection.run('ROLLBACK').catch(() => undefined)
      throw error
    }
    this.#current.set(kind, { name, createdMs: nowMs, rows: 0, bytes: 0, lastMs: nowMs })
  }
}
