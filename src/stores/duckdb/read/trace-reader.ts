import { ALL_TIME } from '../../../domain/time-range.js'
import type { TraceStore, TraceSuffixRequest } from '../../../ports/trace-store.js'
import type { Snapshots } from '../snapshot.js'
import { aggregateReader, fieldsReader } from './log-reader.js'
import { readRows } from './read-rows.js'
import { readSmallTrace, readTrace } from './read-trace.js'
import { inSnapshot, isHeavyFilter, isHeavySearch } from './reading.js'
import { ORDER_COLUMNS } from './record-order.js'
import { newSearchCells } from './search-cells.js'
import { searchRecords } from './search.js'
import { searchTraces } from './search-traces.js'
import { readServiceEdges } from './service-edges.js'
import { CellStats } from './cell-stats.js'
import { EdgeCells } from './edge-cells.js'
import { SpanCells } from './span-cells.js'
import { readSpanStats } from './span-stats.js'
import { sentObject, text } from './stored-record.js'
import { SPANS } from './stored-span.js'
import { summarizeTraces } from './trace-summaries.js'
import { Params } from './params.js'
import type { Scope } from './source.js'
import { spansBySuffixSql, SUFFIX_SQL } from './spans-of-traces.js'
import { runStatement } from './statement.js'

/** As `TraceStore.traceIdsBySuffix`; the scope has the range of the request. */
async function readTraceIdsBySuffix(scope: Scope, { suffixes, limit }: TraceSuffixRequest): Promise<readonly string[]> {
  if (suffixes.length === 0) return []
  const params = new Params()
  const spans = await spansBySuffixSql(scope, [...new Set(suffixes)], ['trace_id'], params)
  const sql = `SELECT trace_id FROM (SELECT DISTINCT trace_id FROM ${spans})
    QUALIFY row_number() OVER (PARTITION BY ${SUFFIX_SQL} ORDER BY trace_id) <= ${params.add(limit)} ORDER BY trace_id`
  return (await runStatement(scope, sql, params)).map(row => row['trace_id'] as string)
}

/** Fewer are read in little more time than cells take, and exactly. */
const LEAST_ROWS = 200_000

/** What the store process reads of traces. */
export type TraceReader = Omit<TraceStore, 'append' | 'gaps' | 'settle' | 'deleteBefore' | 'dropNamespace'>

/**
 * The reading half of `TraceStore` on DuckDB; reads hot tables and segments alike.
 * @param options.leastRows sealed spans of a long range from which on its statistics are counted by cells.
 */
export function traceReader(snapshots: Snapshots, { leastRows = LEAST_ROWS, cells = newSearchCells() } = {}): TraceReader {
  // Each has a memory of its own: a map of many edges must not evict the cells of lists of services.
  const long = { cells: new CellStats(new SpanCells()), edgeCells: new EdgeCells(new SpanCells()), leastRows }
  return {
    searchSpans: (ns, request, signal) => {
      const options = { kind: 'spans', ns, range: request.range, heavy: isHeavySearch(request), signal } as const
      return inSnapshot(snapshots, options, scope => searchRecords(scope, SPANS, request, cells))
    },
    trace: (ns, traceId, limit, signal) => {
      const options = { kind: 'spans', ns, range: ALL_TIME, heavy: true, signal } as const
      return inSnapshot(snapshots, options, scope => readTrace(scope, traceId, limit))
    },
    smallTrace: (ns, traceId, signal) => {
      const options = { kind: 'spans', ns, range: ALL_TIME, heavy: false, signal } as const
      return inSnapshot(snapshots, options, scope => readSmallTrace(scope, traceId))
    },
    traceIdsBySuffix: (ns, request, signal) => {
      const options = { kind: 'spans', ns, range: request.range, heavy: false, signal } as const
      return inSnapshot(snapshots, options, async scope => ({
        traceIds: await readTraceIdsBySuffix(scope, request),
        complete: true,
        warnings: []
      }))
    },
    searchTraces: (ns, request, signal) => {
      const { filter, rows, total, conditions } = request
      // Conditions on whole traces and places far down a list may end in a ranking of all that match.
      const mayRank =
        rows.by === 'duration' || rows.order === 'asc' || rows.after !== undefined || Object.keys(conditions).length > 0
      const heavy = total === true || mayRank || isHeavyFilter(filter)
      const options = { kind: 'spans', ns, range: ALL_TIME, heavy, signal } as const
      return inSnapshot(snapshots, options, scope => searchTraces(scope, request))
    },
    summaries: (ns, traceIds, signal) => {
      const options = { kind: 'spans', ns, range: ALL_TIME, heavy: false, signal } as const
      return inSnapshot(snapshots, options, async scope => [...(await summarizeTraces(scope, traceIds)).values()])
    },
    newestOrigins: (ns, { range, filter, limit }, signal) => {
      const columns = [...ORDER_COLUMNS, 'service', 'tags_json', 'tags_sent']
      const query = { fields: SPANS.fields, filter, order: 'desc', limit, columns, isNarrow: true } as const
      const options = { kind: 'spans', ns, range, heavy: isHeavyFilter(filter), signal } as const
      return inSnapshot(snapshots, options, async scope =>
        (await readRows(scope, query)).map(row => ({ service: text(row, 'service'), resource: sentObject(row, 'tags') }))
      )
    },
    stats: (ns, request, signal) => {
      const options = { kind: 'spans', ns, range: request.range, heavy: true, signal } as const
      return inSnapshot(snapshots, options, scope => readSpanStats(scope, request, long))
    },
    serviceEdges: (ns, request, signal) => {
      const options = { kind: 'spans', ns, range: ALL_TIME, heavy: true, signal } as const
      return inSnapshot(snapshots, options, scope => readServiceEdges(scope, request, long))
    },
    fields: fieldsReader(snapshots, 'spans', SPANS),
    aggregate: aggregateReader(snapshots, 'spans', SPANS)
  }
}
