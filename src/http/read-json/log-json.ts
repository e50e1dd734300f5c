import { jsonMembers } from '../../domain/records/field.js'
import { LOG, type StoredLog } from '../../domain/records/log.js'
import { formatNs } from '../../domain/timestamp.js'
import type { FacetCounts, FieldSpread } from '../../query/log-query.js'
import { seenValues } from '../../query/seen-values.js'
import type { All, Static } from '../json-schema.js'
import type { FACET, SPREAD } from '../read-schemas.js'
import type { VALUES } from '../routes/logs-query-schemas.js'

const addMembers = jsonMembers(LOG)

/** A log as REST shows it. */
export function logJson(log: StoredLog, namespace: string): Record<string, unknown> {
  const json = addMembers(log, { id: log.id, namespace, timestamp: formatNs(log.timestampNs) })
  json['ingested_at'] = new Date(log.ingestedAtMs).toISOString()
  if (log.isTruncated) json[LOG.isTruncated.name] = true
  if (log.isServerTime) json[LOG.isServerTime.name] = true
  return json
}

/** `{field, numbers, min, max, p25, ...}` of the numbers of a field. */
export function spreadJson({ percentiles, relativeError, areExtremesExact, ...spread }: FieldSpread): Static<typeof SPREAD> {
  const [p25, p50, p75, p95, p99] = percentiles
  return { ...spread, extremes_exact: areExtremesExact, p25, p50, p75, p95, p99, relative_error: relativeError }
}

/** `{field, type, distinct, values, ...}` of a facet. */
export function facetJson({ field, type, distinct, values, other, missing }: FacetCounts): Static<typeof FACET> {
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
export function valuesJson(facet: FacetCounts): All<typeof VALUES> {
  return {
    values: seenValues(facet).map(({ value, count, lastSeenNs }) => ({ value, count, last_seen: formatNs(lastSeenNs) })),
    missing_count: facet.missing,
    other_count: facet.other
  }
}
