import type { ServiceEdge, ServiceEdges, ServiceEdgesRequest } from '../../../ports/trace-store.js'
import { farCallsWarning } from '../../shared/cuts.js'
import { BEYOND_NS, endsSql } from './call-ends.js'
import type { EdgeCells } from './edge-cells.js'
import { planEdges } from './edge-plan.js'
import { readFarCalls } from './far-calls.js'
import { Params } from './params.js'
import { allRowsSql, narrowed, type Scope } from './source.js'
import { percentilesOf, percentilesSql } from './span-durations.js'
import { runStatement, toCount, type ResultRow } from './statement.js'
import type { Warning } from '../../../domain/warning.js'

/** What counts long ranges, and how many sealed spans must be in them for that to pay. */
export interface LongEdges {
  readonly edgeCells: EdgeCells
  readonly leastRows: number
}

function edgesSql(everything: Scope, { range, percentiles, limit }: ServiceEdgesRequest, params: Params): string {
  const requested = narrowed(everything, range).range
  const near = narrowed(everything, { startNs: range.startNs - BEYOND_NS, endNs: range.endNs + BEYOND_NS })
  const isRequested = `ts >= ${params.add(requested.startNs)} AND ts < ${params.add(requested.endNs)}`
  const errors = "count(*) FILTER (status = 'error') AS errors"
  return `WITH ${endsSql({ rows: allRowsSql(near, params), isRequested })}
    SELECT * FROM (
      SELECT source, target, kind, min(protocol) AS protocol, count(*) AS calls, ${errors}, ${percentilesSql(percentiles)} AS percentiles
      FROM ends GROUP BY source, target, kind ORDER BY calls DESC, source, target, kind LIMIT ${params.add(limit + 1)})
    UNION ALL SELECT NULL, NULL, NULL, NULL, count(*), 0, NULL FROM strays HAVING count(*) > 0
    ORDER BY calls DESC, source, target, kind`
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

/** Edges of one read, and the response's notes about calls that are not among them. */
interface ReadEdges {
  /** One more than the limit when there are more. */
  readonly edges: readonly ServiceEdge[]
  readonly warnings: readonly Warning[]
}

/** Exact: all of the range is read. */
async function readEdges(scope: Scope, request: ServiceEdgesRequest): Promise<ReadEdges> {
  const params = new Params()
  const rows = await runStatement(scope, edgesSql(scope, request, params), params)
  const edges = rows.filter(row => row['source'] !== null).map(row => toEdge(row, request.percentiles))
  if (edges.length === rows.length) return { edges, warnings: [] }
  return { edges, warnings: farCallsWarning(await readFarCalls(scope, request.range)) }
}

async function readLongEdges(scope: Scope, request: ServiceEdgesRequest, long: LongEdges): Promise<ReadEdges | null> {
  const plan = planEdges(scope, request.range, long.leastRows)
  const counted = plan && (await long.edgeCells.edges(scope, request, plan))
  return counted && { edges: counted.edges, warnings: counted.strays > 0 ? [strayWarning(counted.strays)] : [] }
}

function strayWarning(strays: number): string {
  const spans = strays === 1 ? '1 span names' : `${strays} spans name`
  return `${spans} a parent that is not found within ten minutes; over ranges of hours, calls between spans with a larger distance are omitted`
}

/** As `TraceStore.serviceEdges`; the scope holds all times. */
export async function readServiceEdges(scope: Scope, request: ServiceEdgesRequest, long: LongEdges): Promise<ServiceEdges> {
  const { edges, warnings } = (await readLongEdges(scope, request, long)) ?? (await readEdges(scope, request))
  const isComplete = warnings.length === 0
  return { edges: edges.slice(0, request.limit), hasMore: edges.length > request.limit, complete: isComplete, warnings }
}
