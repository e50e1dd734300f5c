import type { TraceSummary } from '../../../domain/span.js'
import type { TraceSearchRequest, TraceSearchResult } from '../../../ports/trace-store.js'
import { compileFilter } from './compile-filter.js'
import { newestTraces } from './newest-traces.js'
import { Params } from './params.js'
import { rankTraces } from './ranked-traces.js'
import { allRowsSql, narrowed, type Scope } from './source.js'
import { runStatement, toCount } from './statement.js'
import { SPANS } from './stored-span.js'
import { summarizeTraces } from './trace-summaries.js'

interface FoundTraces {
  readonly traces: readonly TraceSummary[]
  /** Null when it was not counted on the way. */
  readonly total: number | null
}

function hasConditions({ conditions: { minDurationNs, maxDurationNs, hasError } }: TraceSearchRequest): boolean {
  return minDurationNs !== undefined || maxDurationNs !== undefined || hasError !== undefined
}

async function countTraces(inRange: Scope, { filter }: TraceSearchRequest): Promise<number> {
  const params = new Params()
  const sql = `SELECT count(DISTINCT trace_id) AS n FROM ${allRowsSql(inRange, params)} WHERE ${compileFilter(filter, SPANS.fields, params)}`
  const [row] = await runStatement(inRange, sql, params)
  return toCount(row?.['n'])
}

async function ranked(everything: Scope, inRange: Scope, request: TraceSearchRequest, limit: number): Promise<FoundTraces> {
  const { traceIds, total } = await rankTraces(everything, inRange, request, limit)
  const summaries = await summarizeTraces(everything, traceIds)
  return { traces: traceIds.map(id => summaries.get(id)).filter(summary => summary !== undefined), total }
}

async function find(everything: Scope, inRange: Scope, request: TraceSearchRequest, limit: number): Promise<FoundTraces> {
  const { by, order } = request.rows
  const needsAll = request.total === true && hasConditions(request)
  // Oldest first nothing is known before all is: a trace may have started long before its first match.
  if (by === 'duration' || order === 'asc' || needsAll) return ranked(everything, inRange, request, limit)
  const traces = await newestTraces(everything, inRange, request, limit)
  return traces === null ? ranked(everything, inRange, request, limit) : { traces, total: null }
}

/** As `TraceStore.searchTraces`; the scope holds all times, since summaries count spans outside of the range too. */
export async function searchTraces(everything: Scope, request: TraceSearchRequest): Promise<TraceSearchResult> {
  const { limit } = request.rows
  const inRange = narrowed(everything, request.range)
  const { traces, total } = await find(everything, inRange, request, limit + 1)
  const value = request.total === true ? (total ?? (await countTraces(inRange, request))) : null
  return {
    traces: traces.slice(0, limit),
    hasMore: traces.length > limit,
    ...(value !== null && { total: { value, relation: 'eq' as const } }),
    complete: true,
    warnings: []
  }
}
