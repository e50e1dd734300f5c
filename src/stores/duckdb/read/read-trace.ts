import type { TraceSpans } from '../../../ports/trace-store.js'
import { Params } from './params.js'
import { orderSql } from './record-order.js'
import type { Scope } from './source.js'
import { IS_LAST_SENT, spansOfTracesSql } from './spans-of-traces.js'
import { runStatement } from './statement.js'
import { SPANS } from './stored-span.js'

/** As `TraceStore.trace`. */
export async function readTrace(scope: Scope, traceId: string, limit: number): Promise<TraceSpans> {
  const params = new Params()
  const sql = `SELECT ${SPANS.columns.join(', ')} FROM ${spansOfTracesSql(scope, [traceId], SPANS.columns, params)}
    QUALIFY ${IS_LAST_SENT} ORDER BY ${orderSql('asc')} LIMIT ${params.add(limit + 1)}`
  const rows = await runStatement(scope, sql, params)
  return { spans: rows.slice(0, limit).map(SPANS.toRecord), hasMore: rows.length > limit }
}
