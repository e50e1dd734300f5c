import { oneOfSql } from './one-of.js'
import type { Params } from './params.js'
import { allRowsSql, type Scope } from './source.js'

/** SQL of a span's end, kept within 64 bits. */
export const END_SQL = '(ts + least(duration_ns, 9223372036854775807 - greatest(ts, 0)))'

/** SQL: of spans that were sent more than once, whether this is what came last. */
export const IS_LAST_SENT = 'row_number() OVER (PARTITION BY trace_id, span_id ORDER BY ingest_id DESC, idx DESC) = 1'

/** All stored spans of the traces as one table. */
export function spansOfTracesSql(scope: Scope, traceIds: readonly string[], columns: readonly string[], params: Params): string {
  return `(SELECT ${columns.join(', ')} FROM ${allRowsSql(scope, params)} WHERE ${oneOfSql('trace_id', traceIds, params)})`
}
