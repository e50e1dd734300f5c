import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import type { TableKind } from '../../src/stores/duckdb/tables.js'

/** What a data folder holds, read by a program of its own while no store process has it open. */
export interface StoredRows {
  /** `ingest_id/idx` of each row as often as it is stored; points as `series/ts=value`. */
  readonly ids: readonly string[]
  /** Files that the manifest lists. */
  readonly listed: readonly string[]
  /** Files on the disk. */
  readonly onDisk: readonly string[]
  /** Hot tables on the disk that nothing lists. */
  readonly strayTables: readonly string[]
}

const ID: Readonly<Record<TableKind, string>> = {
  logs: `ingest_id || '/' || idx`,
  points: `series || '/' || ts || '=' || value`,
  histograms: `series || '/' || ts || '=' || histogram`,
  rum: `ingest_id || '/' || idx`,
  errors: `ingest_id || '/' || idx`,
  spans: `ingest_id || '/' || idx`
}

function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder).flatMap(ns => readdirSync(path.join(folder, ns)).map(name => `${ns}/${name}`))
}

/** Rows of one namespace and kind, counted without the engine's own code. */
export async function readStoredRows(dataDir: string, kind: TableKind, ns: string): Promise<StoredRows> {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  const strings = async (sql: string): Promise<string[]> =>
    (await connection.runAndReadAll(sql)).getRows().map(([value]) => String(value))
  try {
    await connection.run(`ATTACH '${dataDir}/hot.duckdb' AS hot`)
    const tables = await strings(`SELECT name FROM hot.hot_tables WHERE kind = '${kind}'`)
    const segments = await strings(`SELECT file FROM hot.segments WHERE kind = '${kind}' AND ns = '${ns}'`)
    const hot = await Promise.all(tables.map(name => strings(`SELECT ${ID[kind]} FROM hot.${name} WHERE ns = '${ns}'`)))
    const sealed = await Promise.all(segments.map(file => strings(`SELECT ${ID[kind]} FROM '${dataDir}/segments/${file}'`)))
    return {
      ids: [...hot, ...sealed].flat().sort(),
      listed: (await strings('SELECT file FROM hot.segments')).sort(),
      onDisk: filesBelow(path.join(dataDir, 'segments')).sort(),
      strayTables: await strings(
        `SELECT table_name FROM duckdb_tables() WHERE database_name = 'hot' AND regexp_matches(table_name, '^(logs|points|rum|errors|spans)_')
           AND table_name NOT IN (SELECT name FROM hot.hot_tables)`
      )
    }
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}
