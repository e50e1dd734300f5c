import type { TableLayout } from '../table-layout.js'
import { isSampled, type TableKind, TABLES } from '../tables.js'

/** All kinds of tables. */
export const TABLE_KINDS = Object.keys(TABLES) as TableKind[]

/** Bookkeeping of the engine, all in the hot file so that it shares transactions with the rows. */
export const SCHEMA: readonly string[] = [
  'CREATE TABLE hot.main.meta (key VARCHAR, value VARCHAR)',
  // Hot tables of each kind. Exactly one takes appends (`current`); others wait to be sealed or to fill up (`waiting`).
  'CREATE TABLE hot.main.hot_tables (kind VARCHAR, name VARCHAR, state VARCHAR, created_ms BIGINT)',
  'CREATE TABLE hot.main.segments (kind VARCHAR, ns VARCHAR, day INTEGER, file VARCHAR, rows BIGINT, bytes BIGINT, min_ns BIGINT, max_ns BIGINT)',
  // What no snapshot opened from now on can see; removed once no older snapshot is running.
  'CREATE TABLE hot.main.garbage (what VARCHAR, name VARCHAR)',
  // Rows before `before_ns` are deleted, whether or not they are gone from the files yet.
  'CREATE TABLE hot.main.marks (kind VARCHAR, ns VARCHAR, before_ns BIGINT)',
  'CREATE TABLE hot.main.dropped (kind VARCHAR, ns VARCHAR, is_done BOOLEAN)',
  // Since when the rows of a namespace and day wait in the hot tier for more rows.
  'CREATE TABLE hot.main.waiting (kind VARCHAR, ns VARCHAR, day INTEGER, since_ms BIGINT)'
]

/** Tables that earlier versions of a format lack; made at every start where they are missing. */
export const ADDED_TABLES: readonly string[] = [
  // Size and CRC-32 of each file of a segment, as it was written.
  'CREATE TABLE IF NOT EXISTS hot.main.sums (file VARCHAR, bytes BIGINT, crc BIGINT)',
  // Rows that were lost for good; a kind, namespace or number that is not known is null.
  'CREATE TABLE IF NOT EXISTS hot.main.gaps (kind VARCHAR, ns VARCHAR, min_ns BIGINT, max_ns BIGINT, rows BIGINT, reason VARCHAR)'
]

/** Names and DuckDB types of a table's columns, in storage order. */
export type ColumnList = readonly (readonly [name: string, type: string])[]

/** What each request stored, so that the same ingest id again stores nothing; one table per `BATCH_PERIOD_MS` of ids. */
export const BATCH_COLUMNS: ColumnList = [
  ['kind', 'VARCHAR'],
  ['ns', 'VARCHAR'],
  ['ingest_id', 'VARCHAR'],
  ['accepted', 'INTEGER'],
  ['failures', 'VARCHAR']
]
/** Columns of `series`. */
export const SERIES_COLUMNS: ColumnList = [
  ['ns', 'VARCHAR'],
  ['id', 'BIGINT'],
  ['name', 'VARCHAR'],
  ['type', 'VARCHAR'],
  ['labels', 'VARCHAR'],
  ['first_ns', 'BIGINT'],
  ['last_ns', 'BIGINT']
]

/** Columns of a kind's hot table. */
export function hotColumns(layout: TableLayout, kind: TableKind): ColumnList {
  return [['ns', 'VARCHAR'] as const, ...Object.entries(layout.tables[kind])]
}

/** Statement that makes a table of the hot file. */
export function createTable(name: string, columns: ColumnList): string {
  return `CREATE TABLE hot.main.${name} (${columns.map(([column, type]) => `"${column}" ${type}`).join(', ')})`
}

/** Statement that makes a hot table. */
export function createHotTable(layout: TableLayout, kind: TableKind, name: string): string {
  return createTable(name, hotColumns(layout, kind))
}

/** The order of rows within a segment. */
export function segmentOrder(kind: TableKind): string {
  return isSampled(kind) ? 'series, ts' : 'ts DESC, ingest_id DESC, idx DESC'
}
