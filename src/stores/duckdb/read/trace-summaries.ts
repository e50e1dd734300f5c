import { groupedBy } from '../../../domain/grouped-by.js'
import { type IngestId, recordId } from '../../../domain/ids.js'
import type { ServiceSpans, TraceSummary } from '../../../domain/span.js'
import { type SpanFacts, summarizeTrace } from '../../../domain/trace-summary.js'
import { Params } from './params.js'
import type { Scope } from './source.js'
import { END_SQL, IS_LAST_SENT, spansOfTracesSql } from './spans-of-traces.js'
import { runStatement, toCount, type ResultRow } from './statement.js'

/** Up to so many spans are counted here, at a quarter of what the engine's plan for it costs. */
const MAX_SPANS_HERE = 4_000

const COLUMNS = [
  'ts',
  'ingest_id',
  'idx',
  'trace_id',
  'span_id',
  'parent_span_id',
  'duration_ns',
  'service',
  'name',
  'status'
] as const

// Where the earliest of some spans comes from; ties by record id.
const EARLIEST = '{ts: s.ts, ingest_id: s.ingest_id, idx: s.idx}'
const ORIGIN = '{service: s.service, name: s.name}'

/** One row per trace, with `per_service` 0 and one per trace and service, with 1; times count every copy of a span. */
function summarySql(spans: string): string {
  return `WITH copies AS MATERIALIZED (SELECT *, ${IS_LAST_SENT} AS is_last FROM ${spans}),
    spans AS (SELECT * FROM copies WHERE is_last),
    placed AS (SELECT s.*, s.parent_span_id IS NOT NULL AND p.span_id IS NULL AS is_orphan FROM spans s
      LEFT JOIN (SELECT trace_id, span_id FROM spans) p ON p.trace_id = s.trace_id AND p.span_id = s.parent_span_id),
    counted AS (SELECT trace_id, service, grouping_id(service) AS whole, count(*) AS spans,
      count(*) FILTER (status = 'error') AS errors, count(*) FILTER (is_orphan) AS orphans,
      arg_min(${ORIGIN}, ${EARLIEST}) FILTER (s.parent_span_id IS NULL) AS root,
      arg_min(${ORIGIN}, ${EARLIEST}) FILTER (is_orphan) AS orphan
      FROM placed s GROUP BY GROUPING SETS ((trace_id), (trace_id, service))),
    times AS (SELECT trace_id, min(ts) AS start, max(${END_SQL}) AS stop FROM copies GROUP BY trace_id)
    SELECT counted.trace_id, whole, service, spans, errors, orphans, start, stop, root IS NULL AS lacks_root,
      (coalesce(root, orphan)).service AS root_service, (coalesce(root, orphan)).name AS root_name
    FROM counted JOIN times ON times.trace_id = counted.trace_id ORDER BY spans DESC, service ASC NULLS LAST`
}

function toSummary(row: ResultRow, services: readonly ServiceSpans[]): TraceSummary {
  const startNs = row['start'] as bigint
  return {
    traceId: row['trace_id'] as string,
    startNs,
    durationNs: (row['stop'] as bigint) - startNs,
    rootService: row['root_service'] as string | null,
    rootOperation: row['root_name'] as string | null,
    spanCount: toCount(row['spans']),
    errorSpanCount: toCount(row['errors']),
    services,
    hasMissingSpans: (row['lacks_root'] as boolean) || toCount(row['orphans']) > 0
  }
}

/** The summaries as the engine counts them, whatever the number of spans. */
export async function summarizeInEngine(scope: Scope, traceIds: readonly string[]): Promise<Map<string, TraceSummary>> {
  const params = new Params()
  const spans = await spansOfTracesSql(scope, traceIds, COLUMNS, params)
  const rows = await runStatement(scope, summarySql(spans), params)
  const services = new Map<string, ServiceSpans[]>()
  const isWhole = (row: ResultRow) => toCount(row['whole']) === 1
  for (const row of rows.filter(each => !isWhole(each))) {
    const traceId = row['trace_id'] as string
    const list = services.get(traceId) ?? []
    services.set(traceId, list)
    list.push({ service: row['service'] as string | null, spans: toCount(row['spans']), errors: toCount(row['errors']) })
  }
  return new Map(
    rows.filter(isWhole).map(row => {
      const traceId = row['trace_id'] as string
      return [traceId, toSummary(row, services.get(traceId) ?? [])]
    })
  )
}

function toFacts(row: ResultRow): SpanFacts {
  return {
    id: recordId(row['ingest_id'] as IngestId, row['idx'] as number),
    traceId: row['trace_id'] as string,
    spanId: row['span_id'] as string,
    parentSpanId: row['parent_span_id'] as string | null,
    timestampNs: row['ts'] as bigint,
    durationNs: row['duration_ns'] as bigint,
    service: row['service'] as string | null,
    name: row['name'] as string,
    isError: row['status'] === 'error'
  }
}

async function readFacts(scope: Scope, traceIds: readonly string[]): Promise<readonly SpanFacts[] | null> {
  const params = new Params()
  const spans = await spansOfTracesSql(scope, traceIds, COLUMNS, params)
  const rows = await runStatement(scope, `SELECT * FROM ${spans} LIMIT ${params.add(MAX_SPANS_HERE + 1)}`, params)
  return rows.length > MAX_SPANS_HERE ? null : rows.map(toFacts)
}

/** As `TraceStore.summaries`, by trace id. The scope holds all times. */
export async function summarizeTraces(scope: Scope, traceIds: readonly string[]): Promise<Map<string, TraceSummary>> {
  if (traceIds.length === 0) return new Map()
  const copies = await readFacts(scope, traceIds)
  if (copies === null) return summarizeInEngine(scope, traceIds)
  const traces = groupedBy(copies, ({ traceId }) => traceId)
  return new Map([...traces].map(([traceId, spans]) => [traceId, summarizeTrace(traceId, spans)]))
}
