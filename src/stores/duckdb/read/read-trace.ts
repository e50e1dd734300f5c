import type { StoredSpan } from '../../../domain/span.js'
import { inSpanOrder, lastSent } from '../../../domain/trace-summary.js'
import { SMALL_TRACE_SPANS, type TraceSpans } from '../../../ports/trace-store.js'
import { mapInSlices } from '../../shared/map-in-slices.js'
import { Params } from './params.js'
import { ORDER_COLUMNS, orderSql } from './record-order.js'
import type { Scope } from './source.js'
import { IS_LAST_SENT, spansOfTracesSql } from './spans-of-traces.js'
import { type ResultChunk, runStatement, streamChunks, streamRows, toCount } from './statement.js'
import { SPANS } from './stored-span.js'

/** Bytes of the long strings of one trace that are read at most: whole spans come into memory at once. */
export const MAX_TRACE_BYTES = 64 * 1024 * 1024
/** A trace of at most so many bytes and `SMALL_TRACE_SPANS` is read by one plain statement. */
const SMALL_TRACE_BYTES = 4 * 1024 * 1024

const LONG_COLUMNS = ['status_message', 'events_json', 'links_json', 'fields_json', 'fields_sent', 'tags_json', 'tags_sent']
const BYTES_SQL = LONG_COLUMNS.map(column => `coalesce(strlen(${column}), 0)`).join(' + ')
const ORDER = ORDER_COLUMNS.join(', ')

/** The columns of whole spans; long ones are null from the row on with which the spans become too large. */
const WITHIN_SQL = SPANS.columns.map(name => (LONG_COLUMNS.includes(name) ? `CASE WHEN fits THEN ${name} END AS ${name}` : name))

/** Bounds of one read. */
interface TraceBounds {
  readonly spans: number
  readonly bytes: number
}

/**
 * All stored copies in one statement; null when they exceed the bounds. The engine sums the bytes, and rows become strings once
 * it is known that all of them fit: of a large trace nothing is converted.
 */
async function readSmall(scope: Scope, traceId: string, { spans: most, bytes }: TraceBounds): Promise<TraceSpans | null> {
  const params = new Params()
  const spans = await spansOfTracesSql(scope, [traceId], SPANS.columns, params)
  const fits = `sum(${BYTES_SQL}) OVER (ROWS UNBOUNDED PRECEDING) <= ${params.add(bytes)} AS fits`
  const sql = `SELECT ${WITHIN_SQL.join(', ')}, fits FROM (SELECT *, ${fits} FROM ${spans} LIMIT ${params.add(most + 1)})`
  const chunks: ResultChunk[] = []
  let count = 0
  for await (const chunk of streamChunks(scope, sql, params)) {
    count += chunk.rowCount
    if (count > most || chunk.last('fits') === false) return null
    chunks.push(chunk)
  }
  const copies: StoredSpan[] = []
  for (const chunk of chunks) copies.push(...(await mapInSlices(await chunk.rows(), SPANS.toRecord, scope.signal)))
  return { spans: lastSent(copies).toSorted(inSpanOrder), hasMore: false }
}

/** What is stored of a trace: records, spans, and bytes of the long strings of all records. */
interface StoredCopies {
  readonly copies: number
  readonly spans: number
  readonly bytes: number
}

async function countCopies(scope: Scope, traceId: string): Promise<StoredCopies> {
  const params = new Params()
  const spans = await spansOfTracesSql(scope, [traceId], ['trace_id', 'span_id', ...LONG_COLUMNS], params)
  const sql = `SELECT count(*) AS copies, count(DISTINCT span_id) AS spans, sum(${BYTES_SQL}) AS bytes FROM ${spans}`
  const [row] = await runStatement(scope, sql, params)
  return { copies: toCount(row?.['copies']), spans: toCount(row?.['spans']), bytes: toCount(row?.['bytes']) }
}

/** SQL: the keys of the first spans of a trace, each as it was sent last, as many as fit into the bounds. */
function keptSql(spans: string, bounds: TraceBounds, params: Params): string {
  const most = params.add(bounds.spans)
  return `sent AS (SELECT ${ORDER}, ${BYTES_SQL} AS bytes FROM ${spans}
      QUALIFY ${IS_LAST_SENT} ORDER BY ${orderSql('asc')} LIMIT ${most}),
    placed AS (SELECT ${ORDER}, row_number() OVER inOrder AS place, sum(bytes) OVER inOrder AS total FROM sent
      WINDOW inOrder AS (ORDER BY ${orderSql('asc')} ROWS UNBOUNDED PRECEDING)),
    kept AS MATERIALIZED (SELECT ${ORDER} FROM placed WHERE place = 1 OR total <= ${params.add(bounds.bytes)})`
}

/** SQL of the first spans of a trace, in order; what is cut is never read whole. */
async function firstSpansSql(
  scope: Scope,
  traceId: string,
  { stored, bounds, params }: { readonly stored: StoredCopies; readonly bounds: TraceBounds; readonly params: Params }
): Promise<string> {
  const spans = await spansOfTracesSql(scope, [traceId], SPANS.columns, params)
  const order = `ORDER BY ${orderSql('asc')}`
  // Finding the last copies and what fits takes longer than all the rest: it is left out where nothing was sent twice.
  if (stored.copies === stored.spans && stored.bytes <= bounds.bytes)
    return `SELECT * FROM ${spans} ${order} LIMIT ${params.add(bounds.spans)}`
  const again = await spansOfTracesSql(scope, [traceId], SPANS.columns, params)
  return `WITH ${keptSql(spans, bounds, params)} SELECT * FROM ${again} SEMI JOIN kept USING (${ORDER}) ${order}`
}

/** As `TraceStore.trace`. */
export async function readTrace(scope: Scope, traceId: string, limit: number, maxBytes = MAX_TRACE_BYTES): Promise<TraceSpans> {
  const stored = await countCopies(scope, traceId)
  if (stored.copies === 0) return { spans: [], hasMore: false }
  const params = new Params()
  const sql = await firstSpansSql(scope, traceId, { stored, bounds: { spans: limit, bytes: maxBytes }, params })
  const spans: StoredSpan[] = []
  for await (const rows of streamRows(scope, sql, params)) spans.push(...(await mapInSlices(rows, SPANS.toRecord, scope.signal)))
  return { spans, hasMore: stored.spans > spans.length }
}

/** As `TraceStore.smallTrace`. */
export function readSmallTrace(scope: Scope, traceId: string, maxBytes = SMALL_TRACE_BYTES): Promise<TraceSpans | null> {
  return readSmall(scope, traceId, { spans: SMALL_TRACE_SPANS, bytes: maxBytes })
}
