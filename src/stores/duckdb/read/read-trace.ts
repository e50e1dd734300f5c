import type { TraceSpans } from '../../../ports/trace-store.js'
import { Params } from './params.js'
import { orderSql } from './record-order.js'
import { allRowsSql, type Scope } from './source.js'
import { runStatement } from './statement.js'
import { SPANS } from './stored-span.js'

/** SQL condition (for QUALIFY): of spans that were sent more than once, what came last. */
export const LAST_SENT = 'row_number() OVER (PARTITION BY trace_id, span_id ORDER BY ingest_id DESC, idx DESC) = 1'

/** As `TraceStore.trace`. */
export async function readTrace(scope: Scope, traceId: string, limit: number): Promise<TraceSpans> {
  const params = new Params()
  const sql = `SELECT ${SPANS.columns.join(', ')} FROM ${allRowsSql(scope, params)} WHERE trace_id = ${params.add(traceId)}
    QUALIFY ${LAST_SENT} ORDER BY ${orderSql('asc')} LIMIT ${params.add(limit + 1)}`
  const rows = await runStatement(scope, sql, params)
  return { spans: rows.slice(0, limit).map(SPANS.toRecord), hasMore: rows.length > limit }
}
