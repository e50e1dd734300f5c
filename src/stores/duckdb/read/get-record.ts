import { parseRecordId, type NamespaceId, type RecordId } from '../../../domain/ids.js'
import { ALL_TIME } from '../../../domain/time-range.js'
import type { Snapshots } from '../snapshot.js'
import type { TableKind } from '../tables.js'
import { Params } from './params.js'
import { inSnapshot } from './reading.js'
import type { SearchedKind } from './search.js'
import { columnsSql, hotSql, overlapping, segmentsSql, type Scope } from './source.js'
import { runStatement, type ResultRow } from './statement.js'

/** One record by its id, or null. */
export async function getRecord<Row>(
  snapshots: Snapshots,
  kind: TableKind,
  { columns, toRecord }: SearchedKind<Row>,
  { ns, id }: { readonly ns: NamespaceId; readonly id: RecordId }
): Promise<Row | null> {
  const options = { kind, ns, range: ALL_TIME, heavy: false, signal: new AbortController().signal }
  const row = await inSnapshot(snapshots, options, scope => findRow(scope, columns, id))
  return row ? toRecord(row) : null
}

async function findRow(scope: Scope, columns: readonly string[], id: RecordId): Promise<ResultRow | undefined> {
  const key = parseRecordId(id)
  if (!key) return undefined
  const find = async (source: (params: Params) => string | null) => {
    const params = new Params()
    const from = source(params)
    if (from === null) return undefined
    const where = `ingest_id = ${params.add(key.ingestId)} AND idx = ${params.add(key.index)}`
    const sql = `SELECT ${columns.join(', ')} FROM (${from}) WHERE ${where} LIMIT 1`
    return (await runStatement(scope, sql, params))[0]
  }
  for (const table of scope.snapshot.hotTables) {
    const row = await find(params => hotSql(table, columnsSql(scope), scope, params))
    if (row) return row
  }
  return find(params => segmentsSql(scope, overlapping(scope), columnsSql(scope), params))
}
