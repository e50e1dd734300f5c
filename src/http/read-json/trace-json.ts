import type { TraceSummary } from '../../domain/span.js'
import { formatNs } from '../../domain/timestamp.js'
import { traceMapSteps } from '../../query/apm/trace-map.js'
import type { HistogramCounts } from '../../query/log-query.js'
import type { OperationComparison, OperationTotals } from '../../query/traces/compare-traces.js'
import type { TraceLogCounts } from '../../query/traces/trace-logs.js'
import type { DurationHistogram } from '../../query/traces/trace-query.js'
import type { ReadTrace } from '../../query/traces/trace-reading.js'
import type { ViewedSpan } from '../../query/traces/trace-view.js'
import type { All, Static } from '../json-schema.js'
import type { COMPARED, DURATIONS, HISTOGRAM, SPAN, SUMMARY, TOTALS, TRACE_FACTS } from '../routes/traces-query-schemas.js'
import { serviceMapJson } from './apm-json.js'
import { nsJson } from './time-json.js'
import { warningSentence } from '../../domain/warning.js'

/** A trace in a list. */
export function summaryJson(summary: TraceSummary): Static<typeof SUMMARY> {
  const { traceId, startNs, durationNs, rootService, rootOperation, spanCount, errorSpanCount, services } = summary
  return {
    trace_id: traceId,
    root_service: rootService,
    root_operation: rootOperation,
    start: formatNs(startNs),
    duration_ns: nsJson(durationNs),
    span_count: spanCount,
    error_span_count: errorSpanCount,
    services,
    has_missing_spans: summary.hasMissingSpans
  }
}

/** Counts over time. */
export function histogramJson({ grid, series }: HistogramCounts): Static<typeof HISTOGRAM> {
  return { start: formatNs(grid.startNs), step_ms: Number(grid.stepNs / 1_000_000n), series }
}

/** Counts per duration. */
export function durationsJson({ boundsNs, counts, p50Ns, p90Ns, p99Ns }: DurationHistogram): Static<typeof DURATIONS> {
  return { bounds_ns: boundsNs.map(Number), counts, p50_ns: p50Ns, p90_ns: p90Ns, p99_ns: p99Ns }
}

function spanJson({ span, ...view }: ViewedSpan, logs: TraceLogCounts): Static<typeof SPAN> {
  return {
    id: span.id,
    span_id: span.spanId,
    parent_span_id: span.parentSpanId,
    depth: view.depth,
    child_count: view.childCount,
    service: span.service,
    host: span.host,
    operation: span.name,
    kind: span.kind,
    status: span.status,
    status_message: span.statusMessage,
    start: formatNs(span.timestampNs),
    start_offset_ns: nsJson(view.startOffsetNs),
    duration_ns: nsJson(span.durationNs),
    self_time_ns: nsJson(view.selfTimeNs),
    log_count: logs.bySpan.get(span.spanId) ?? 0,
    attributes: span.attributes,
    resource: span.resource,
    scope: { name: span.scopeName, version: span.scopeVersion },
    events: span.events.map(({ name, timestampNs, attributes }) => ({ name, timestamp: formatNs(timestampNs), attributes })),
    links: span.links.map(link => ({
      trace_id: link.traceId,
      span_id: link.spanId,
      trace_state: link.traceState,
      attributes: link.attributes
    })),
    exceptions: view.exceptions.map(({ timestampNs, ...exception }) => ({ ...exception, timestamp: formatNs(timestampNs) })),
    trace_state: span.traceState,
    flags: span.flags,
    dropped: span.dropped,
    ingested_at: new Date(span.ingestedAtMs).toISOString()
  }
}

/** Spans that are written in one step: less than a millisecond. */
const SPANS_PER_STEP = 50

/** The JSON text of a trace laid out for a reader; `shown` of its spans in the order of its tree. Yields between steps. */
export function* traceText(trace: ReadTrace, shown: readonly ViewedSpan[], logs: TraceLogCounts): Generator<void, string> {
  const facts = JSON.stringify(yield* factsOfTrace(trace, shown.length, logs))
  const written: string[] = []
  for (let at = 0; at < shown.length; at += SPANS_PER_STEP) {
    yield
    const spans = shown.slice(at, at + SPANS_PER_STEP)
    written.push(spans.map(span => JSON.stringify(spanJson(span, logs))).join(','))
  }
  yield
  return `${facts.slice(0, -1)},"spans":[${written.join(',')}]}`
}

/** All of a trace but its spans. */
function* factsOfTrace(
  { traceId, view, isTruncated, warnings }: ReadTrace,
  shownCount: number,
  logs: TraceLogCounts
): Generator<void, All<typeof TRACE_FACTS>> {
  const map = yield* traceMapSteps(view)
  yield
  return {
    trace_id: traceId,
    start: formatNs(view.startNs),
    duration_ns: nsJson(view.durationNs),
    root_service: view.rootSpan?.service ?? null,
    root_operation: view.rootSpan?.name ?? null,
    span_count: view.spans.length,
    error_span_count: view.errorSpanCount,
    has_missing_spans: view.hasMissingSpans,
    truncated: isTruncated || shownCount < view.spans.length,
    services: view.services.map(({ service, spans, errors, selfTimeNs, criticalNs }) => ({
      service,
      spans,
      errors,
      self_time_ns: nsJson(selfTimeNs),
      critical_ns: nsJson(criticalNs)
    })),
    critical_path: view.criticalPath.map(({ spanId, startOffsetNs, durationNs }) => ({
      span_id: spanId,
      start_offset_ns: nsJson(startOffsetNs),
      duration_ns: nsJson(durationNs)
    })),
    service_map: serviceMapJson(map),
    logs: { total: logs.total, unlinked: logs.unlinked },
    warnings: [...warnings, ...logs.warnings].map(warningSentence)
  }
}

function totalsJson(totals: OperationTotals | null): Static<typeof TOTALS> {
  if (!totals) return null
  const { spans, errors, totalNs, meanNs, selfTimeNs } = totals
  return { spans, errors, total_ns: nsJson(totalNs), mean_ns: nsJson(meanNs), self_time_ns: nsJson(selfTimeNs) }
}

/** An operation of two traces. */
export function comparisonJson(compared: OperationComparison): Static<typeof COMPARED> {
  const { service, operation, kind, change, base, other, selfTimeDeltaNs } = compared
  return {
    service,
    operation,
    kind,
    change,
    base: totalsJson(base),
    other: totalsJson(other),
    self_time_delta_ns: nsJson(selfTimeDeltaNs)
  }
}
