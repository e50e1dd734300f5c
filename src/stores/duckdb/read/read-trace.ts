import type { TraceSpans } from '../../../ports/trace-store.js'
import { oneOfSql } from './one-of.js'
import { Params } from './params.js'
import { compareRows, ORDER_COLUMNS, orderSql } from './record-order.js'
import type { Scope } from './source.js'
import { IS_LAST_SENT, spansOfTracesSql } from './spans-of-traces.js'
import { runStatement, toCount, type ResultRow } from './statement.js'
import { SPANS } from './stored-span.js'
import { lastSent } from './summarise-spans.js'

/** Bytes of the long texts of one trace that are read at most: whole spans come into memory at once. */
export const MAX_TRACE_BYTES = 64 * 1024 * 1024

const LONG_COLUMNS = ['status_message', 'events_json', 'links_json', 'fields_json', 'fields_sent', 'tags_json', 'tags_sent']
const KEY_COLUMNS = [...ORDER_COLUMNS, 'trace_id', 'span_id']
const BYTES_SQL = LONG_COLUMNS.map(column => `coalesce(strlen(${column}), 0)`).join(' + ')
// A record's id; with its time it is unique.
const ID_SQL = `concat(ingest_id, ':', idx)`

function idOf(row: ResultRow): string {
  return `${row['ingest_id'] as string}:${row['idx'] as number}`
}

/** Keys of the stored copies of the spans, with the bytes of their long texts. */
async function readKeys(scope: Scope, traceId: string, limit: number, rest = ''): Promise<readonly ResultRow[]> {
  const params = new Params()
  const spans = await spansOfTracesSql(scope, [traceId], [...KEY_COLUMNS, ...LONG_COLUMNS], params)
  const keys = `SELECT ${KEY_COLUMNS.join(', ')}, ${BYTES_SQL} AS bytes FROM ${spans}`
  return runStatement(scope, `SELECT * FROM (${keys}) ${rest} LIMIT ${params.add(limit)}`, params)
}

/** Whole spans: those with these keys, or all that are stored. */
async function readSpans(scope: Scope, traceId: string, keys: readonly ResultRow[] | 'all'): Promise<readonly ResultRow[]> {
  const params = new Params()
  const spans = await spansOfTracesSql(scope, [traceId], SPANS.columns, params)
  const where = keys === 'all' ? '' : `WHERE ${oneOfSql(ID_SQL, keys.map(idOf), params)}`
  return runStatement(scope, `SELECT * FROM ${spans} ${where}`, params)
}

/** How many of the spans fit into the bytes; at least one. */
function countWithin(keys: readonly ResultRow[], maxBytes: number): number {
  let bytes = 0
  const end = keys.findIndex(row => (bytes += toCount(row['bytes'])) > maxBytes)
  return end < 0 ? keys.length : Math.max(end, 1)
}

/**
 * As `TraceStore.trace`: keys first, so that what is cut is never read whole. Most traces are small: they are put in order
 * here, which costs less than the engine's plan for it.
 */
export async function readTrace(scope: Scope, traceId: string, limit: number, maxBytes = MAX_TRACE_BYTES): Promise<TraceSpans> {
  const copies = await readKeys(scope, traceId, limit + 1)
  if (copies.length === 0) return { spans: [], hasMore: false }
  const keys =
    copies.length <= limit
      ? lastSent(copies).toSorted(compareRows)
      : await readKeys(scope, traceId, limit + 1, `QUALIFY ${IS_LAST_SENT} ORDER BY ${orderSql('asc')}`)
  const given = keys.slice(0, countWithin(keys.slice(0, limit), maxBytes))
  const isAll = copies.length <= limit && given.length === copies.length
  const rows = await readSpans(scope, traceId, isAll ? 'all' : given)
  return { spans: rows.toSorted(compareRows).map(SPANS.toRecord), hasMore: given.length < keys.length }
}
