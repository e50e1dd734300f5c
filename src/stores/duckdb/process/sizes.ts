import { stat } from 'node:fs/promises'
import type { DuckDBConnection } from '@duckdb/node-api'
import type { NamespaceId } from '../../../domain/ids.js'
import type { NamespaceSize } from '../../../ports/stores.js'
import type { ManifestRow } from '../segments/manifest.js'
import type { HotDatabase } from '../write/hot-database.js'
import type { RecordKind, TableKind } from '../tables.js'
import { TABLE_KINDS } from '../write/schema.js'
import { queryRows } from './sql.js'

async function sizeOf(file: string): Promise<number> {
  // A file that was merged or deleted meanwhile takes no room.
  return stat(file).then(
    ({ size }) => size,
    () => 0
  )
}

/** Bytes and records per namespace; rows of the hot tier share the hot file's bytes evenly. */
export async function hotSizes(
  connection: DuckDBConnection,
  database: HotDatabase,
  segments: readonly ManifestRow[]
): Promise<NamespaceSize[]> {
  const sizes = new Map<NamespaceId, { bytes: number; records: number }>()
  const add = (ns: NamespaceId, bytes: number, records: number): void => {
    const size = sizes.get(ns) ?? { bytes: 0, records: 0 }
    sizes.set(ns, { bytes: size.bytes + bytes, records: size.records + records })
  }
  for (const { ns, bytes, rows } of segments) add(ns, bytes, rows)
  const tables = await queryRows<{ name: string }>(connection, 'SELECT name FROM hot.main.hot_tables')
  const union = tables.map(({ name }) => `SELECT ns FROM hot.main.${name}`).join(' UNION ALL ')
  const hot = await queryRows<{ ns: NamespaceId; rows: bigint }>(
    connection,
    `SELECT ns, count(*) AS rows FROM (${union}) WHERE ns NOT IN (SELECT ns FROM hot.main.dropped) GROUP BY ns`
  )
  const hotBytes = (await sizeOf(database.hotFile)) + (await sizeOf(database.walFile))
  const hotRows = hot.reduce((sum, { rows }) => sum + Number(rows), 0)
  for (const { ns, rows } of hot) add(ns, Math.round((hotBytes * Number(rows)) / hotRows), Number(rows))
  return [...sizes].map(([namespace, size]) => ({ namespace, ...size }))
}

/** Records of each kind, without those of dropped namespaces. */
export async function recordsByKind(connection: DuckDBConnection): Promise<Readonly<Record<RecordKind, number>>> {
  const tables = await queryRows<{ kind: TableKind; name: string }>(connection, 'SELECT kind, name FROM hot.main.hot_tables')
  const hot = tables.map(({ kind, name }) => `SELECT '${kind}' AS kind, ns, count(*) AS rows FROM hot.main.${name} GROUP BY ns`)
  const counts = await queryRows<{ kind: TableKind; rows: bigint }>(
    connection,
    `SELECT kind, CAST(sum(rows) AS BIGINT) AS rows
     FROM (${['SELECT kind, ns, rows FROM hot.main.segments', ...hot].join(' UNION ALL ')}) AS held
     WHERE (kind, ns) NOT IN (SELECT (kind, ns) FROM hot.main.dropped) GROUP BY kind`
  )
  const known = new Map(counts.map(({ kind, rows }) => [kind, Number(rows)]))
  const kinds = TABLE_KINDS.filter(kind => kind !== 'histograms')
  return Object.fromEntries(kinds.map(kind => [kind, known.get(kind) ?? 0])) as Record<RecordKind, number>
}
