import type { StoredApmError } from '../../domain/apm-error.js'
import { VITALS } from '../../domain/rum-event.js'
import { formatNs } from '../../domain/timestamp.js'
import type { ErrorGroupSummary } from '../../query/error-answer.js'
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
  return { fingerprint, service, type, message, count, ...seen, sample_id: sampleId }
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
