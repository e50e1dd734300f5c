import type { TraceSearchRequest } from '../../../ports/trace-store.js'
import { compileFilter } from './compile-filter.js'
import { Params } from './params.js'
import { allRowsSql, type Scope } from './source.js'
import { END_SQL, IS_LAST_SENT } from './spans-of-traces.js'
import { runStatement, toCount } from './statement.js'
import { SPANS } from './stored-span.js'

/** Ids of traces in the requested order, and how many match in all. */
interface RankedTraces {
  readonly traceIds: readonly string[]
  readonly total: number
}

const KEYS = { start: 'start', duration: 'took' } as const

/** SQL of the traces with a span that failed, by what was sent of it last. */
function failedSql(everything: Scope, params: Params): string {
  return `SELECT DISTINCT trace_id FROM (SELECT trace_id, status FROM ${allRowsSql(everything, params)}
    SEMI JOIN matched USING (trace_id) QUALIFY ${IS_LAST_SENT}) WHERE status = 'error'`
}

function conditionsSql({ conditions: { minDurationNs, maxDurationNs, hasError } }: TraceSearchRequest, params: Params): string {
  const parts = ['TRUE']
  if (minDurationNs !== undefined) parts.push(`took >= ${params.add(minDurationNs)}`)
  if (maxDurationNs !== undefined) parts.push(`took <= ${params.add(maxDurationNs)}`)
  if (hasError !== undefined) parts.push(`trace_id ${hasError ? 'IN' : 'NOT IN'} (SELECT trace_id FROM failed)`)
  return parts.join(' AND ')
}

function beyondSql({ rows: { by, order, after } }: TraceSearchRequest, params: Params): string {
  if (!after) return 'TRUE'
  const [op, key, at] = [order === 'asc' ? '>' : '<', KEYS[by], params.add(after.key)]
  return `(${key} ${op} ${at} OR (${key} = ${at} AND trace_id ${op} ${params.add(after.traceId)}))`
}

/** The first `limit` traces that match, ranked over all of them. */
export async function rankTraces(
  everything: Scope,
  inRange: Scope,
  request: TraceSearchRequest,
  limit: number
): Promise<RankedTraces> {
  const params = new Params()
  const { by, order } = request.rows
  const matched = `SELECT DISTINCT trace_id FROM ${allRowsSql(inRange, params)} WHERE ${compileFilter(request.filter, SPANS.fields, params)}`
  const times = `SELECT trace_id, min(ts) AS start, max(${END_SQL}) - min(ts) AS took FROM ${allRowsSql(everything, params)}
    SEMI JOIN matched USING (trace_id) GROUP BY trace_id`
  const direction = order === 'asc' ? 'ASC' : 'DESC'
  const failed = request.conditions.hasError === undefined ? '' : `failed AS MATERIALIZED (${failedSql(everything, params)}),`
  const sql = `WITH matched AS MATERIALIZED (${matched}), times AS (${times}), ${failed}
    selected AS MATERIALIZED (SELECT * FROM times WHERE ${conditionsSql(request, params)}),
    page AS (SELECT * FROM selected WHERE ${beyondSql(request, params)}
      ORDER BY ${KEYS[by]} ${direction}, trace_id ${direction} LIMIT ${params.add(limit)})
    SELECT total, trace_id FROM (SELECT count(*) AS total FROM selected) LEFT JOIN page ON TRUE
    ORDER BY ${KEYS[by]} ${direction}, trace_id ${direction}`
  const rows = await runStatement(everything, sql, params)
  const traceIds = rows.map(row => row['trace_id'] as string | null).filter(id => id !== null)
  return { traceIds, total: toCount(rows[0]?.['total']) }
}
