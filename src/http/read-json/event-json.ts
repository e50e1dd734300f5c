import type { StoredApmError } from '../../domain/apm-error.js'
import { VITALS } from '../../domain/rum-event.js'
import { formatNs } from '../../domain/timestamp.js'
import type { ErrorGroupAnswer, ErrorGroupFact, ErrorGroupSummary } from '../../query/error-answer.js'
import { gridJson } from './grid-json.js'
import type { VitalsGroup } from '../../query/rum-answer.js'

/** `{key, samples, sessions, metrics}` of one group of page timings. */
export function vitalsJson({ key, events, sessions, vitals }: VitalsGroup): Record<string, unknown> {
  const metrics = vitals.map(({ vital, samples, percentiles, rating, good, needsImprovement, poor }) => {
    const [p50 = null, p75 = null, p95 = null] = percentiles
    return [VITALS[vital].short, { samples, p50, p75, p95, rating, good, needs_improvement: needsImprovement, poor }] as const
  })
  return { key, samples: events, sessions, metrics: Object.fromEntries(metrics) }
}

/** A group of APM errors as REST shows it. */
export function errorGroupJson(group: ErrorGroupSummary): Record<string, unknown> {
  const { fingerprint, service, type, message, count, firstSeenNs, lastSeenNs, sampleId } = group
  const seen = { first_seen: formatNs(firstSeenNs), last_seen: formatNs(lastSeenNs) }
  return { fingerprint, service, type, message, count, ...seen, sample_id: sampleId, ...decidedJson(group) }
}

function decidedJson({ state, decidedAtMs, decidedBy }: ErrorGroupSummary): Record<string, unknown> {
  return { state, decided_at: decidedAtMs === null ? null : new Date(decidedAtMs).toISOString(), decided_by: decidedBy }
}

function factJson({ value, count, lastSeenNs }: ErrorGroupFact): Record<string, unknown> {
  return { value, count, last_seen: formatNs(lastSeenNs) }
}

function traceJson(error: StoredApmError | null): Record<string, unknown> | null {
  if (error === null || error.traceId === null) return null
  const { traceId, spanId } = error
  const id = encodeURIComponent(traceId)
  const ofSpan = spanId === null ? '' : `?span_id=${encodeURIComponent(spanId)}`
  const logs = `/api/v1/logs/correlate/traces/${id}${ofSpan}`
  return { trace_id: traceId, span_id: spanId, trace: `/api/v1/traces/${id}`, logs }
}

/** One group of errors with what its errors have in common. */
export function errorGroupAnswerJson(answer: ErrorGroupAnswer, namespace: string): Record<string, unknown> {
  const { group, releases, hosts, histogram, sample, traced } = answer
  return {
    group: errorGroupJson(group),
    releases: releases.map(factJson),
    hosts: hosts.map(factJson),
    histogram: histogram && { ...gridJson(histogram.grid), counts: histogram.series[0]?.counts ?? [] },
    sample: sample && errorEventJson(sample, namespace),
    trace: traceJson(traced)
  }
}

/** One APM error as REST shows it. */
export function errorEventJson(error: StoredApmError, namespace: string): Record<string, unknown> {
  return {
    id: error.id,
    namespace,
    timestamp: formatNs(error.timestampNs),
    service: error.service,
    type: error.type,
    message: error.message,
    stack: error.stack,
    trace_id: error.traceId,
    span_id: error.spanId,
    host: error.host,
    tags: error.tags,
    fingerprint: error.fingerprint,
    ingested_at: new Date(error.ingestedAtMs).toISOString()
  }
}
