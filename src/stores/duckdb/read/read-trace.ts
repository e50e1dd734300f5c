import type { StoredSpan } from '../../../domain/span.js'
import { inSpanOrder, lastSent } from '../../../domain/trace-summary.js'
import { SMALL_TRACE_SPANS, type TraceSpans } from '../../../ports/trace-store.js'
import { mapInSlices } from '../../shared/map-in-slices.js'
import { Params } from './params.js'
import { ORDER_COLUMNS, orderSql } from './record-order.js'
import type { Scope } from './source.js'
import { IS_LAST_SENT, spansOfTracesSql } from './spans-of-traces.js'
import { streamRows, toCount, type ResultRow } from './statement.js'
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
 * All stored copies in one statement; null when they exceed the bounds. The engine sums the bytes, since a chunk of its rows
 * becomes strings as a whole.
 */
async function readSmall(scope: Scope, traceId: string, { spans: most, bytes }: TraceBounds): Promise<TraceSpans | null> {
  const params = new Params()
  const spans = await spansOfTracesSql(scope, [traceId], SPANS.columns, params)
  const fits = `sum(${BYTES_SQL}) OVER (ROWS UNBOUNDED PRECEDING) <= ${params.add(bytes)} AS fits`
  const sql = `SELECT ${WITHIN_SQL.join(', ')}, fits FROM (SELECT *, ${fits} FROM ${spans} LIMIT ${params.add(most + 1)})`
  const rows: ResultRow[] = []
  for await (const some of streamRows(scope, sql, params)) {
    rows.push(...some)
    if (rows.length > most || rows.at(-1)?.['fits'] === false) return null
  }
  const copies = await mapInSlices(rows, SPANS.toRecord, scope.signal)
  return { spans: lastSent(copies).toSorted(inSpanOrder), hasMore: false }
}

/** SQL: the first spans of a trace, each as it was sent last, and how many of them fit into the bounds. */
function keptSql(spans: string, bounds: TraceBounds, params: Params): string {
  const most = params.add(bounds.spans)
  return `sent AS MATERIALIZED (SELECT ${ORDER}, ${BYTES_SQL} AS bytes FROM ${spans}
      QUALIFY ${IS_LAST_SENT} ORDER BY ${orderSql('asc')} LIMIT ${params.add(bounds.spans + 1)}),
    placed AS (SELECT ${ORDER}, row_number() OVER inOrder AS place, sum(bytes) OVER inOrder AS total FROM sent
      WINDOW inOrder AS (ORDER BY ${orderSql('asc')} ROWS UNBOUNDED PRECEDING)),
    kept AS MATERIALIZED (SELECT ${ORDER} FROM placed
      WHERE place <= ${most} AND (place = 1 OR total <= ${params.add(bounds.bytes)}))`
}

/** The first spans of a large trace; what is cut is never read whole. */
async function readLarge(scope: Scope, traceId: string, bounds: TraceBounds): Promise<TraceSpans> {
  const params = new Params()
  const keys = await spansOfTracesSql(scope, [traceId], SPANS.columns, params)
  const kept = keptSql(keys, bounds, params)
  const spans = await spansOfTracesSql(scope, [traceId], SPANS.columns, params)
  const sql = `WITH ${kept} SELECT *, (SELECT count(*) FROM sent) AS stored
    FROM ${spans} SEMI JOIN kept USING (${ORDER}) ORDER BY ${orderSql('asc')}`
  const found: StoredSpan[] = []
  let stored = 0
  for await (const rows of streamRows(scope, sql, params)) {
    stored = toCount(rows[0]?.['stored'])
    found.push(...(await mapInSlices(rows, SPANS.toRecord, scope.signal)))
  }
  // A large trace has spans: none are found only where none were wanted.
  return { spans: found, hasMore: found.length === 0 || stored > found.length }
}

/** As `TraceStore.trace`. */
export async function readTrace(scope: Scope, traceId: string, limit: number, maxBytes = MAX_TRACE_BYTES): Promise<TraceSpans> {
  const small = { spans: Math.min(limit, SMALL_TRACE_SPANS), bytes: Math.min(maxBytes, SMALL_TRACE_BYTES) }
  return (await readSmall(scope, traceId, small)) ?? readLarge(scope, traceId, { spans: limit, bytes: maxBytes })
}

/** As `TraceStore.smallTrace`. */
export function readSmallTrace(scope: Scope, traceId: string): Promise<TraceSpans | null> {
  return readSmall(scope, traceId, { spans: SMALL_TRACE_SPANS, bytes: SMALL_TRACE_BYTES })
}
