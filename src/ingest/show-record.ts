import { APM_ERROR, type ApmError } from '../domain/records/error.js'
import { jsonMembers } from '../domain/records/field.js'
import { LOG, type LogRecord } from '../domain/records/log.js'
import type { MetricPoint } from '../domain/metric-point.js'
import type { RumEvent } from '../domain/records/rum.js'
import type { Span } from '../domain/span.js'
import { formatNs } from '../domain/timestamp.js'

// The records of a dry run, as the reads would give them back. Absent fields are left out.

function present(members: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== null && value !== undefined && value !== false)
  )
}

function orNothing(object: object): object | null {
  return Object.keys(object).length === 0 ? null : object
}

/** JSON has no number for these. */
function jsonNumber(value: number): number | string {
  if (Number.isNaN(value)) return 'NaN'
  if (Number.isFinite(value)) return value
  return value > 0 ? '+Inf' : '-Inf'
}

const logMembers = jsonMembers(LOG)

/** A normalized log as a dry run returns it. */
export function showLog(log: LogRecord): object {
  return present({
    index: log.index,
    timestamp: formatNs(log.timestampNs),
    server_time: log.isServerTime,
    message: log.message,
    _truncated: log.isTruncated,
    ...logMembers(log, {}),
    level_text: null,
    severity_number: log.level === null ? null : log.severityNumber,
    log_fields: orNothing(log.fields),
    tags: orNothing(log.tags)
  })
}

/** A normalized metric point as a dry run returns it. */
export function showMetric(point: MetricPoint): object {
  return {
    index: point.index,
    name: point.name,
    type: point.type,
    value: jsonNumber(point.value),
    timestamp_ns: String(point.timestampNs),
    labels: Object.fromEntries(point.labels.map(({ name, value }) => [name, value]))
  }
}

/** A normalized page view as a dry run returns it. */
export function showRum(event: RumEvent): object {
  return present({
    index: event.index,
    timestamp: formatNs(event.timestampNs),
    page_url: event.pageUrl,
    page_group: event.pageGroup,
    page_title: event.pageTitle,
    ...event.vitals,
    session_id: event.sessionId,
    device_type: event.deviceType,
    browser: event.browser,
    os: event.os,
    country: event.country,
    viewport_width: event.viewportWidth,
    viewport_height: event.viewportHeight,
    connection_type: event.connectionType,
    trace_id: event.traceId,
    release: event.release,
    tags: orNothing(event.tags)
  })
}

const errorMembers = jsonMembers(APM_ERROR)

/** A normalized error as a dry run returns it. */
export function showError(error: ApmError): object {
  const json = errorMembers(error, { index: error.index, timestamp: formatNs(error.timestampNs) })
  return present({ ...json, tags: orNothing(error.tags) })
}

/** A normalized span as a dry run returns it. */
export function showSpan(span: Span): object {
  return present({
    index: span.index,
    trace_id: span.traceId,
    span_id: span.spanId,
    parent_span_id: span.parentSpanId,
    name: span.name,
    kind: span.kind,
    start: formatNs(span.timestampNs),
    duration_ns: String(span.durationNs),
    status: span.status,
    status_message: span.statusMessage,
    service: span.service,
    host: span.host,
    attributes: orNothing(span.attributes),
    resource: orNothing(span.resource),
    events: span.events.length,
    links: span.links.length
  })
}
