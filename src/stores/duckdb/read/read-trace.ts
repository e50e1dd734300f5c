import { type IngestId, RECORD_INDEX_DIGITS, recordId } from '../../../domain/ids.js'
import { inSpanOrder, lastSent, type SentSpan } from '../../../domain/trace-summary.js'
import type { TraceSpans } from '../../../ports/trace-store.js'
import { oneOfSql } from './one-of.js'
import { Params } from './params.js'
import { ORDER_COLUMNS, orderSql } from './record-order.js'
import type { Scope } from './source.js'
import { IS_LAST_SENT, spansOfTracesSql } from './spans-of-traces.js'
import { runStatement, streamRows, toCount, type ResultRow } from './statement.js'
import { SPANS } from './stored-span.js'

/** Bytes of the long texts of one trace that are read at most: whole spans come into memory at once. */
export const MAX_TRACE_BYTES = 64 * 1024 * 1024

const LONG_COLUMNS = ['status_message', 'events_json', 'links_json', 'fields_json', 'fields_sent', 'tags_json', 'tags_sent']
const KEY_COLUMNS = [...ORDER_COLUMNS, 'trace_id', 'span_id']
const BYTES_SQL = LONG_COLUMNS.map(column => `coalesce(strlen(${column}), 0)`).join(' + ')
const ID_SQL = `concat(ingest_id, lpad(CAST(idx AS VARCHAR), ${RECORD_INDEX_DIGITS}, '0'))`

/** A stored copy of a span, and the bytes of its long texts. */
interface Copy extends SentSpan {
  readonly timestampNs: bigint
  readonly bytes: number
}

function toCopy(row: ResultRow): Copy {
  return {
    id: recordId(row['ingest_id'] as IngestId, row['idx'] as number),
    traceId: row['trace_id'] as string,
    spanId: row['span_id'] as string,
    timestampNs: row['ts'] as bigint,
    bytes: toCount(row['bytes'])
  }
}

/** The stored copies of the spans of a trace. */
async function readCopies(scope: Scope, traceId: string, limit: number, rest = ''): Promise<readonly Copy[]> {
  const params = new Params()
  const spans = await spansOfTracesSql(scope, [traceId], [...KEY_COLUMNS, ...LONG_COLUMNS], params)
  const keys = `SELECT ${KEY_COLUMNS.join(', ')}, ${BYTES_SQL} AS bytes FROM ${spans}`
  const rows = await runStatement(scope, `SELECT * FROM (${keys}) ${rest} LIMIT ${params.add(limit)}`, params)
  return rows.map(toCopy)
}

/** Whole spans: these, or all that are stored; by start. */
async function readSpans(scope: Scope, traceId: string, copies: readonly Copy[] | 'all'): Promise<TraceSpans['spans']> {
  const params = new Params()
  const spans = await spansOfTracesSql(scope, [traceId], SPANS.columns, params)
  const ids = copies === 'all' ? null : copies.map(({ id }) => id)
  const where = ids === null ? '' : `WHERE ${oneOfSql(ID_SQL, ids, params)}`
  const rows = await runStatement(scope, `SELECT * FROM ${spans} ${where}`, params)
  return rows.map(SPANS.toRecord).sort(inSpanOrder)
}

/** The columns of whole spans; long ones are null from the row on with which the spans become too large. */
const WITHIN_SQL = SPANS.columns.map(name => (LONG_COLUMNS.includes(name) ? `CASE WHEN fits THEN ${name} END AS ${name}` : name))

/**
 * All stored copies, whole, in one go; null as soon as they are more than so many, or so many bytes. The engine sums the bytes,
 * since a chunk of its rows becomes strings as a whole.
 */
async function readWhole(scope: Scope, traceId: string, limit: number, maxBytes: number): Promise<TraceSpans['spans'] | null> {
  const params = new Params()
  const spans = await spansOfTracesSql(scope, [traceId], SPANS.columns, params)
  const fits = `sum(${BYTES_SQL}) OVER (ROWS UNBOUNDED PRECEDING) <= ${params.add(maxBytes)} AS fits`
  const sql = `SELECT ${WITHIN_SQL.join(', ')}, fits FROM (SELECT *, ${fits} FROM ${spans} LIMIT ${params.add(limit + 1)})`
  const rows: ResultRow[] = []
  for await (const some of streamRows(scope, sql, params)) {
    rows.push(...some)
    if (rows.length > limit || rows.at(-1)?.['fits'] === false) return null
  }
  return rows.map(SPANS.toRecord)
}

/** How many of the spans fit into the bytes; at least one. */
function countWithin(copies: readonly Copy[], maxBytes: number): number {
  let total = 0
  const end = copies.findIndex(({ bytes }) => (total += bytes) > maxBytes)
  return end < 0 ? copies.length : Math.max(end, 1)
}

/** As `TraceStore.trace`. Most traces are small: they are read at once and put in order here. */
export async function readTrace(scope: Scope, traceId: string, limit: number, maxBytes = MAX_TRACE_BYTES): Promise<TraceSpans> {
  const whole = await readWhole(scope, traceId, limit, maxBytes)
  if (whole !== null) return { spans: lastSent(whole).toSorted(inSpanOrder), hasMore: false }
  return readCut(scope, traceId, limit, maxBytes)
}

/** Keys first, so that what is cut is never read whole. */
async function readCut(scope: Scope, traceId: string, limit: number, maxBytes: number): Promise<TraceSpans> {
  const copies = await readCopies(scope, traceId, limit + 1)
  if (copies.length === 0) return { spans: [], hasMore: false }
  const spans =
    copies.length <= limit
      ? lastSent(copies).toSorted(inSpanOrder)
      : await readCopies(scope, traceId, limit + 1, `QUALIFY ${IS_LAST_SENT} ORDER BY ${orderSql('asc')}`)
  const given = spans.slice(0, countWithin(spans.slice(0, limit), maxBytes))
  const isAll = copies.length <= limit && given.length === copies.length
  return { spans: await readSpans(scope, traceId, isAll ? 'all' : given), hasMore: given.length < spans.length }
}
