import { access, readdir } from 'node:fs/promises'
import path from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import { literal, queryRows } from '../process/sql.js'
import { readSegmentPath } from '../segments/segment-name.js'
import { epochOf } from './unique-numbers.js'
import { whenMissing } from '../../disk/when-missing.js'

/** File of the dictionary of series, below the data folder. */
export const SERIES_FILE = 'series.parquet'

async function lastOfNames(segmentsDir: string): Promise<bigint> {
  let last = 0n
  for (const ns of await readdir(segmentsDir, { withFileTypes: true })) {
    if (!ns.isDirectory()) continue
    for (const name of await readdir(path.join(segmentsDir, ns.name))) {
      const epoch = readSegmentPath(`${ns.name}/${name}`)?.epoch ?? 0n
      if (epoch > last) last = epoch
    }
  }
  return last
}

async function lastOfSeries(connection: DuckDBConnection, file: string): Promise<bigint> {
  const isThere = await access(file).then(() => true, whenMissing(false))
  if (!isThere) return 0n
  const sql = `SELECT coalesce(max(id), 0) AS last FROM read_parquet(${literal(file)})`
  // One that cannot be read is set aside later: its numbers are unused then.
  const rows = await queryRows<{ last: bigint }>(connection, sql).catch(() => [])
  return epochOf(rows[0]?.last ?? 0n)
}

/**
 * The highest number of a start in the files next to the hot file. A lost or older hot file does not have it and would use
 * numbers twice.
 */
export async function lastEpochOfFiles(connection: DuckDBConnection, dataDir: string, segmentsDir: string): Promise<bigint> {
  const ofNames = await lastOfNames(segmentsDir)
  const ofSeries = await lastOfSeries(connection, path.join(dataDir, SERIES_FILE))
  return ofNames > ofSeries ? ofNames : ofSeries
}
