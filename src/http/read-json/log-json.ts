import type { StoredLog } from '../../domain/log-record.js'
import { formatNs } from '../../domain/timestamp.js'
import type { FacetAnswer } from '../../query/log-query.js'

/** A log as REST shows it. */
export function logJson(log: StoredLog, namespace: string): Record<string, unknown> {
  return {
    id: log.id,
    namespace,
    timestamp: formatNs(log.timestampNs),
    message: log.message,
    level: log.level,
    ...(log.levelText !== null && { level_text: log.levelText }),
    severity_number: log.severityNumber,
    service: log.service,
    host: log.host,
    source: log.source,
    trace_id: log.traceId,
    span_id: log.spanId,
    log_fields: log.fields,
    tags: log.tags,
    ingested_at: new Date(log.ingestedAtMs).toISOString(),
    pattern_id: null,
    ...(log.isTruncated && { _truncated: true }),
    ...(log.isServerTime && { _server_time: true })
  }
}

/** `{field, type, distinct, values, ...}` of a facet. */
export function facetJson({ field, type, distinct, values, other, missing }: FacetAnswer): Record<string, unknown> {
  return {
    field,
    type,
    distinct,
    values: values.map(({ value, count, selected }) => ({ value, count, selected })),
    other,
    missing
  }
}

/** `{values, missing_count, other_count}` of `GET /api/v1/logs/levels`, `/services` and `/hosts`. */
export function valuesJson({ values, missing, other }: FacetAnswer): Record<string, unknown> {
  return {
    values: values.map(({ value, count, lastSeenNs }) => ({
      value,
      count,
      ...(lastSeenNs !== undefined && { last_seen: formatNs(lastSeenNs) })
    })),
    missing_count: missing,
    other_count: other
  }
}
