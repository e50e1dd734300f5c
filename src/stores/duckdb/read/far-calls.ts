import type { TimeRange } from '../../../domain/time-range.js'
import { type FarCalls, MAX_FAR_PARENTS } from '../../shared/cuts.js'
import { BEYOND_NS } from './call-ends.js'
import { oneOfSql } from './one-of.js'
import { Params } from './params.js'
import { allRowsSql, narrowed, type Scope } from './source.js'
import { spansOfTracesSql } from './spans-of-traces.js'
import { runStatement, toCount } from './statement.js'

/** SQL: spans of the range whose parent is not near it, by parent and service. */
function farParentsSql(everything: Scope, range: TimeRange, params: Params): string {
  const near = narrowed(everything, { startNs: range.startNs - BEYOND_NS, endNs: range.endNs + BEYOND_NS })
  const requested = narrowed(everything, range).range
  const isRequested = `ts >= ${params.add(requested.startNs)} AND ts < ${params.add(requested.endNs)}`
  const rows = allRowsSql(near, params)
  return `SELECT trace_id, parent_span_id, service, count(*) AS calls FROM ${rows}
    WHERE ${isRequested} AND service IS NOT NULL AND parent_span_id IS NOT NULL
      AND hash(trace_id, parent_span_id) NOT IN (SELECT hash(trace_id, span_id) FROM ${rows} WHERE service IS NOT NULL)
    GROUP BY trace_id, parent_span_id, service ORDER BY trace_id, parent_span_id, service LIMIT ${params.add(MAX_FAR_PARENTS + 1)}`
}

/** Looks for the parents of spans of the range at all times; the scope holds all times. Parents that were not sent are not calls. */
export async function readFarCalls(everything: Scope, range: TimeRange): Promise<FarCalls> {
  const params = new Params()
  const found = await runStatement(everything, farParentsSql(everything, range, params), params)
  const isCut = found.length > MAX_FAR_PARENTS
  const spans = found.slice(0, MAX_FAR_PARENTS)
  if (spans.length === 0) return { calls: 0, isCut }
  const services = await servicesOfSpans(
    everything,
    spans.map(row => [row['trace_id'] as string, row['parent_span_id'] as string])
  )
  const far = spans.filter(row => {
    const service = services.get(`${row['trace_id'] as string}/${row['parent_span_id'] as string}`)
    return service !== undefined && service !== row['service']
  })
  return { calls: far.reduce((sum, row) => sum + toCount(row['calls']), 0), isCut }
}

/** Services of stored spans by trace and span id; spans without a service make no calls. */
async function servicesOfSpans(
  everything: Scope,
  ids: readonly (readonly [traceId: string, spanId: string])[]
): Promise<ReadonlyMap<string, string>> {
  const params = new Params()
  const traceIds = [...new Set(ids.map(([traceId]) => traceId))]
  const spanIds = [...new Set(ids.map(([, spanId]) => spanId))]
  const spans = await spansOfTracesSql(everything, traceIds, ['trace_id', 'span_id', 'service'], params)
  const sql = `SELECT trace_id, span_id, min(service) AS service FROM ${spans}
    WHERE service IS NOT NULL AND ${oneOfSql('span_id', spanIds, params)} GROUP BY trace_id, span_id`
  const rows = await runStatement(everything, sql, params)
  return new Map(rows.map(row => [`${row['trace_id'] as string}/${row['span_id'] as string}`, row['service'] as string]))
}
