import type { TraceSpans } from '../../../ports/trace-store.js'
import { Params } from './params.js'
import { compareRows, orderSql } from './record-order.js'
import type { Scope } from './source.js'
import { IS_LAST_SENT, spansOfTracesSql } from './spans-of-traces.js'
import { runStatement, type ResultRow } from './statement.js'
import { SPANS } from './stored-span.js'
import { lastSent } from './summarise-spans.js'

async function readSpans(
  scope: Scope,
  traceId: string,
  rest: (limit: (rows: number) => string) => string
): Promise<readonly ResultRow[]> {
  const params = new Params()
  const spans = spansOfTracesSql(scope, [traceId], SPANS.columns, params)
  return runStatement(scope, `SELECT * FROM ${spans} ${rest(rows => `LIMIT ${params.add(rows)}`)}`, params)
}

/** As `TraceStore.trace`. Most traces are small: they are put in order here, which costs less than the engine's plan for it. */
export async function readTrace(scope: Scope, traceId: string, limit: number): Promise<TraceSpans> {
  const copies = await readSpans(scope, traceId, upTo => upTo(limit + 1))
  if (copies.length <= limit) return { spans: lastSent(copies).toSorted(compareRows).map(SPANS.toRecord), hasMore: false }
  const last = (upTo: (rows: number) => string) => `QUALIFY ${IS_LAST_SENT} ORDER BY ${orderSql('asc')} ${upTo(limit + 1)}`
  const rows = await readSpans(scope, traceId, last)
  return { spans: rows.slice(0, limit).map(SPANS.toRecord), hasMore: rows.length > limit }
}
