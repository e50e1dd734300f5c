import { jsonMembers } from '../../domain/records/field.js'
import { APM_ERROR, type StoredApmError } from '../../domain/records/error.js'
import { VITALS } from '../../domain/records/rum.js'
import { formatNs } from '../../domain/timestamp.js'
import type { ErrorGroupResult, ErrorGroupFact, ErrorGroupSummary } from '../../query/error-result.js'
import type { All, Static } from '../json-schema.js'
import type { ERROR_GROUP_SUMMARY } from '../routes/apm-query-schemas.js'
import type { GROUP_MEMBERS } from '../routes/error-groups-schemas.js'
import type { RUM_GROUP } from '../routes/rum-query-schemas.js'
import { gridJson } from './time-json.js'
import type { VitalsGroup } from '../../query/rum-result.js'

/** `{key, samples, sessions, metrics}` of one group of page timings. */
export function vitalsJson({ key, events, sessions, vitals }: VitalsGroup): Static<typeof RUM_GROUP> {
  const metrics = vitals.map(({ vital, samples, percentiles, rating, good, needsImprovement, poor }) => {
    const [p50 = null, p75 = null, p95 = null] = percentiles
    return [VITALS[vital].short, { samples, p50, p75, p95, rating, good, needs_improvement: needsImprovement, poor }] as const
  })
  return { key, samples: events, sessions, metrics: Object.fromEntries(metrics) }
}

/** A group of APM errors as REST shows it. */
export function errorGroupJson(group: ErrorGroupSummary): Static<typeof ERROR_GROUP_SUMMARY> {
  const { fingerprint, service, type, message, count, firstSeenNs, lastSeenNs, sampleId } = group
  const seen = { first_seen: formatNs(firstSeenNs), last_seen: formatNs(lastSeenNs) }
  return { fingerprint, service, type, message, count, ...seen, sample_id: sampleId, ...decidedJson(group) }
}

function decidedJson({
  state,
  decidedAtMs,
  decidedBy
}: ErrorGroupSummary): Pick<Static<typeof ERROR_GROUP_SUMMARY>, 'state' | 'decided_at' | 'decided_by'> {
  return { state, decided_at: decidedAtMs === null ? null : new Date(decidedAtMs).toISOString(), decided_by: decidedBy }
}

function factJson({ value, count, lastSeenNs }: ErrorGroupFact): All<typeof GROUP_MEMBERS>['hosts'][number] {
  return { value, count, last_seen: formatNs(lastSeenNs) }
}

function traceJson(error: StoredApmError | null): All<typeof GROUP_MEMBERS>['trace'] {
  if (error === null || error.traceId === null) return null
  const { traceId, spanId } = error
  const id = encodeURIComponent(traceId)
  const ofSpan = spanId === null ? '' : `?span_id=${encodeURIComponent(spanId)}`
  const logs = `/api/v1/logs/correlate/traces/${id}${ofSpan}`
  return { trace_id: traceId, span_id: spanId, trace: `/api/v1/traces/${id}`, logs }
}

/** One group of errors with what its errors have in common. */
export function errorGroupResultJson(response: ErrorGroupResult, namespace: string): All<typeof GROUP_MEMBERS> {
  const { group, releases, hosts, histogram, sample, traced } = response
  return {
    group: errorGroupJson(group),
    releases: releases.map(factJson),
    hosts: hosts.map(factJson),
    histogram: histogram && { ...gridJson(histogram.grid), counts: histogram.series[0]?.counts ?? [] },
    sample: sample && errorEventJson(sample, namespace),
    trace: traceJson(traced)
  }
}

const errorMembers = jsonMembers(APM_ERROR)

/** One APM error as REST shows it; the type comes before the message. */
export function errorEventJson(error: StoredApmError, namespace: string): Record<string, unknown> {
  const { id, timestampNs, service, type } = error
  const json = errorMembers(error, { id, namespace, timestamp: formatNs(timestampNs), service, type })
  json['ingested_at'] = new Date(error.ingestedAtMs).toISOString()
  return json
}
