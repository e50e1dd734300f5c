import type { DuckDBConnection } from '@duckdb/node-api'
import { encodeFreeColumns, type FreeColumnList } from '../free-columns.js'
import { literal, queryRows } from '../process/sql.js'

const KEY = 'alidade'
/** The key of a segment's free columns (`encodeFreeColumns`). */
export const FREE_KEY = 'alidade_free'

interface Mark {
  readonly replaces: readonly string[]
}

/**
 * The option of COPY that marks a segment: which others its rows came from, so that none is taken for data of its own, and
 * which free columns it has.
 */
export function segmentMark(replaces: readonly string[], free: FreeColumnList | null): string {
  const list = free === null ? '' : `, ${FREE_KEY}: ${literal(encodeFreeColumns(free))}`
  return `KV_METADATA {${KEY}: ${literal(JSON.stringify({ replaces } satisfies Mark))}${list}}`
}

/** Which segments a file replaces; null for files of versions that did not mark them, and of others. */
export async function readSegmentMark(connection: DuckDBConnection, path: string): Promise<readonly string[] | null> {
  const sql = `SELECT decode(value) AS value FROM parquet_kv_metadata(${literal(path)}) WHERE decode(key) = ?`
  const [row] = await queryRows<{ value: string }>(connection, sql, [KEY])
  if (row === undefined) return null
  const { replaces } = JSON.parse(row.value) as Partial<Mark>
  return Array.isArray(replaces) ? replaces.filter(file => typeof file === 'string') : null
}
