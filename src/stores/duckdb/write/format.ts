import type { DuckDBConnection } from '@duckdb/node-api'
import { GatewayError } from '../../../domain/errors.js'
import { newerFormat } from '../newer-format.js'
import type { FailPoints } from '../process/fail-points.js'
import { inTransaction, queryRows, run } from '../process/sql.js'
import type { TableLayout } from '../table-layout.js'
import { FIRST_FORMAT, type TableKind } from '../tables.js'
import { noteNew, readMeta } from './hot-file-state.js'
import { createHotTable, createTable, SCHEMA, SERIES_COLUMNS, TABLE_KINDS } from './schema.js'

/** What bringing a folder to the present format needs. */
export interface FormatOptions {
  readonly dataDir: string
  readonly layout: TableLayout
  readonly failPoints: FailPoints
  readonly nowMs: () => number
}

/** The format of the attached hot file; null for a new one. `conflict` for a later one than the layout's, and for none. */
export async function readFormat(
  connection: DuckDBConnection,
  { dataDir, layout }: Pick<FormatOptions, 'dataDir' | 'layout'>
): Promise<number | null> {
  const tables = await queryRows(connection, "SELECT 1 FROM duckdb_tables() WHERE database_name = 'hot'")
  if (tables.length === 0) return null
  const text = await readMeta(connection, 'format')
  const format = Number(text)
  if (!Number.isInteger(format) || format < FIRST_FORMAT)
    throw new GatewayError('conflict', `the data in ${dataDir} has the unknown format ${text}: restore a backup`)
  if (format > layout.format) throw newerFormat(`the data in ${dataDir}`, format, layout.format)
  return format
}

/** Makes the tables of a new hot file, or those of format `found` those of the layout: in one transaction, all or nothing. */
export async function bringUpToDate(connection: DuckDBConnection, found: number | null, options: FormatOptions): Promise<void> {
  if (found === null) return createFormat(connection, options)
  if (found !== options.layout.format) await upgrade(connection, found, options)
}

async function createFormat(connection: DuckDBConnection, { layout, nowMs }: FormatOptions): Promise<void> {
  await inTransaction(connection, async () => {
    for (const statement of SCHEMA) await connection.run(statement)
    await connection.run(createTable('series', SERIES_COLUMNS))
    await run(connection, "INSERT INTO hot.main.meta VALUES ('format', ?), ('epoch', '0')", [String(layout.format)])
    await noteNew(connection)
    for (const kind of TABLE_KINDS) await addFirstTable(connection, { layout, kind, nowMs: nowMs() })
  })
}

async function addFirstTable(
  connection: DuckDBConnection,
  { layout, kind, nowMs }: { readonly layout: TableLayout; readonly kind: TableKind; readonly nowMs: number }
): Promise<void> {
  await connection.run(createHotTable(layout, kind, `${kind}_0_0`))
  await run(connection, "INSERT INTO hot.main.hot_tables VALUES (?, ?, 'current', ?)", [kind, `${kind}_0_0`, nowMs])
}

async function upgrade(connection: DuckDBConnection, found: number, { layout, failPoints, nowMs }: FormatOptions): Promise<void> {
  await inTransaction(connection, async () => {
    for (const statement of layout.statementsSince(found)) await connection.run(statement)
    const sql = 'SELECT kind, name FROM hot.main.hot_tables'
    for (const { kind, name } of await queryRows<{ kind: TableKind; name: string }>(connection, sql)) {
      for (const statement of layout.alterations(kind, name, found)) {
        await connection.run(statement)
        failPoints.reach('upgrade.altering')
      }
    }
    for (const kind of layout.kindsSince(found)) await addFirstTable(connection, { layout, kind, nowMs: nowMs() })
    await run(connection, "UPDATE hot.main.meta SET value = ? WHERE key = 'format'", [String(layout.format)])
    failPoints.reach('upgrade.altered')
  })
  failPoints.reach('upgrade.committed')
}
