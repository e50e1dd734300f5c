import type { ServiceEdge, ServiceEdges, ServiceEdgesRequest } from '../../../ports/trace-store.js'
import { Params } from './params.js'
import { allRowsSql, narrowed, type Scope } from './source.js'
import { percentilesOf, percentilesSql } from './span-durations.js'
import { runStatement, toCount, type ResultRow } from './statement.js'

/** How far outside of the range the other span of a call is looked for. */
const BEYOND_NS = 600_000_000_000n

/**
 * Spans are known by a hash of 64 bits of their ids, which costs a third of comparing the ids. `known` has a span that was
 * sent twice once, so that it does not multiply its children.
 */
function edgesSql(everything: Scope, { range, percentiles, limit }: ServiceEdgesRequest, params: Params): string {
  const asked = narrowed(everything, range).range
  const near = narrowed(everything, { startNs: range.startNs - BEYOND_NS, endNs: range.endNs + BEYOND_NS })
  const isAsked = `ts >= ${params.add(asked.startNs)} AND ts < ${params.add(asked.endNs)}`
  const errors = "count(*) FILTER (status = 'error') AS errors"
  return `WITH spans AS MATERIALIZED (
      SELECT hash(trace_id, span_id) AS id, CASE WHEN parent_span_id IS NOT NULL THEN hash(trace_id, parent_span_id) END AS parent,
        ${isAsked} AS is_asked, service, status, duration_ns, peer, peer_kind, protocol
      FROM ${allRowsSql(near, params)} WHERE service IS NOT NULL),
    known AS (SELECT id, min(service) AS service, min(protocol) AS protocol FROM spans GROUP BY id),
    calls AS MATERIALIZED (
      SELECT known.id AS caller, known.service AS source, spans.service AS target, is_asked, status, duration_ns,
        coalesce(known.protocol, spans.protocol) AS protocol
      FROM spans JOIN known ON known.id = spans.parent WHERE known.service <> spans.service),
    ends AS (
      SELECT source, target, 'service' AS kind, status, duration_ns, protocol FROM calls WHERE is_asked
      UNION ALL
      SELECT service, peer, peer_kind, status, duration_ns, protocol FROM spans
      WHERE is_asked AND peer IS NOT NULL AND id NOT IN (SELECT caller FROM calls))
    SELECT source, target, kind, min(protocol) AS protocol, count(*) AS calls, ${errors}, ${percentilesSql(percentiles)} AS percentiles
    FROM ends GROUP BY source, target, kind ORDER BY calls DESC, source, target, kind LIMIT ${params.add(limit + 1)}`
}

function toEdge(row: ResultRow, percentiles: readonly number[]): ServiceEdge {
  return {
    source: row['source'] as string,
    target: row['target'] as string,
    targetKind: row['kind'] as ServiceEdge['targetKind'],
    protocol: row['protocol'] as string | null,
    calls: toCount(row['calls']),
    errors: toCount(row['errors']),
    percentilesNs: percentilesOf(row, percentiles)
  }
}

/** As `TraceStore.serviceEdges`; the scope holds all times. */
export async function readServiceEdges(scope: Scope, request: ServiceEdgesRequest): Promise<ServiceEdges> {
  const params = new Params()
  const rows = await runStatement(scope, edgesSql(scope, request, params), params)
  return {
    edges: rows.slice(0, request.limit).map(row => toEdge(row, request.percentiles)),
    hasMore: rows.length > request.limit,
    complete: true,
    warnings: []
  }
}
