import {
  BIGINT,
  type DuckDBAppender,
  DuckDBDataChunk,
  DOUBLE,
  type DuckDBType,
  INTEGER,
  UTINYINT,
  VARCHAR
} from '@duckdb/node-api'
import type { NamedColumns, SharedString } from '../wire/columns.js'
import { type ChunkColumn, createColumn, type ColumnSource } from './chunk-columns.js'
import type { ColumnList } from './schema.js'

/** Rows of one DuckDB vector. */
export const CHUNK_ROWS = 2048

const TYPES: Readonly<Record<string, DuckDBType>> = { VARCHAR, BIGINT, INTEGER, UTINYINT, DOUBLE }

function sharedText(bytes: Buffer | undefined): SharedString | null {
  return bytes ? { shared: bytes } : null
}

/**
 * Gathers rows of many requests into DuckDB data chunks and hands full ones to an appender. Strings are never made into
 * JavaScript strings on the way.
 */
export class RowChunks {
  readonly #names: readonly string[]
  readonly #columns: readonly ChunkColumn[]
  readonly #chunk: DuckDBDataChunk
  #rows = 0

  constructor(columns: ColumnList) {
    this.#names = columns.map(([name]) => name)
    this.#columns = columns.map(([, type]) => createColumn(type, CHUNK_ROWS))
    this.#chunk = DuckDBDataChunk.create(columns.map(([, type]) => TYPES[type]!))
  }

  /** Throws when a column does not fit. */
  check(rows: number, columns: NamedColumns): void {
    this.#names.forEach((name, i) => this.#columns[i]!.open(columns[name] ?? null, rows))
  }

  /** Adds `rows` rows; `shared` are strings that all of them share. Throws before anything is kept when a column does not fit. */
  add(appender: DuckDBAppender, rows: number, columns: NamedColumns, shared: Readonly<Record<string, Buffer>>): void {
    const sources = this.#names.map((name, i) => this.#columns[i]!.open(sharedText(shared[name]) ?? columns[name] ?? null, rows))
    for (let done = 0; done < rows;) {
      const count = Math.min(rows - done, CHUNK_ROWS - this.#rows)
      this.#copy(sources, done, count)
      done += count
      if (this.#rows === CHUNK_ROWS) this.flush(appender)
    }
  }

  #copy(sources: readonly ColumnSource[], from: number, count: number): void {
    this.#columns.forEach((column, i) => column.copy(sources[i]!, from, count, this.#rows))
    this.#rows += count
  }

  /** Hands what has gathered to the appender. */
  flush(appender: DuckDBAppender): void {
    if (this.#rows === 0) return
    this.#chunk.reset()
    this.#chunk.rowCount = this.#rows
    this.#columns.forEach((column, i) => column.write(this.#chunk, i, this.#rows))
    appender.appendDataChunk(this.#chunk)
    this.clear()
  }

  /** Forgets what has gathered. */
  clear(): void {
    this.#rows = 0
    for (const column of this.#columns) column.clear()
  }
}
