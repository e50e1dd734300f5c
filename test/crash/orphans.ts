import { realpathSync } from 'node:fs'
import { basename, join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { filesUnder } from '../../bench/service/proc.js'

/** Segment files against the manifest of a stopped service: `orphans` no one knows, `missing` no one has. */
export interface SegmentAudit {
  readonly files: number
  readonly orphans: readonly string[]
  readonly missing: readonly string[]
}

/** Reads the manifest of a data folder; the service must have been stopped. */
export async function auditSegments(dataDir: string): Promise<SegmentAudit> {
  const telemetry = join(realpathSync(dataDir), 'telemetry')
  const known = await readManifest(join(telemetry, 'hot.duckdb'))
  const files = filesUnder(join(telemetry, 'segments')).map(({ file }) => basename(file))
  return {
    files: files.length,
    // An index belongs to its segment.
    orphans: files.filter(file => !known.has(file.replace(/\.(traces|grams)$/, ''))),
    missing: [...known].filter(([file, isGarbage]) => !isGarbage && !files.includes(file)).map(([file]) => file)
  }
}

/** File name to whether it only waits for its removal. */
async function readManifest(hotFile: string): Promise<Map<string, boolean>> {
  const instance = await DuckDBInstance.create(':memory:')
  try {
    const connection = await instance.connect()
    await connection.run(`ATTACH '${hotFile.replaceAll("'", "''")}' AS hot (READ_ONLY)`)
    const reader = await connection.runAndReadAll(
      'SELECT file, false AS garbage FROM hot.main.segments UNION ALL SELECT name, true FROM hot.main.garbage'
    )
    const rows = reader.getRowObjects() as { file: string; garbage: boolean }[]
    connection.closeSync()
    return new Map(rows.map(row => [basename(row.file), row.garbage]))
  } finally {
    instance.closeSync()
  }
}

/** How often each name of a span is stored, read without the engine; the service must have been stopped. */
export async function countSpanNames(dataDir: string): Promise<Map<string, number>> {
  const telemetry = join(realpathSync(dataDir), 'telemetry')
  const quoted = (path: string) => `'${path.replaceAll("'", "''")}'`
  const instance = await DuckDBInstance.create(':memory:')
  try {
    const connection = await instance.connect()
    await connection.run(`ATTACH ${quoted(join(telemetry, 'hot.duckdb'))} AS hot (READ_ONLY)`)
    const strings = async (sql: string) => (await connection.runAndReadAll(sql)).getRows().map(([value]) => String(value))
    const tables = await strings("SELECT name FROM hot.main.hot_tables WHERE kind = 'spans'")
    const files = await strings("SELECT file FROM hot.main.segments WHERE kind = 'spans'")
    const parts = [
      ...tables.map(name => `SELECT name FROM hot.main.${name}`),
      ...files.map(file => `SELECT name FROM ${quoted(join(telemetry, 'segments', file))}`)
    ]
    const counted = await connection.runAndReadAll(`SELECT name, count(*) FROM (${parts.join(' UNION ALL ')}) GROUP BY name`)
    connection.closeSync()
    return new Map(counted.getRows().map(([name, count]) => [String(name), Number(count)]))
  } finally {
    instance.closeSync()
  }
}
