import { type ApmError, OUTER_SPAN } from '../domain/records/error.js'
import type { JsonObject, JsonValue } from '../domain/json.js'
import type { Span } from '../domain/span.js'
import type { SpanException } from '../domain/span-exceptions.js'
import { exceptionOccurrences, type Occurrence } from './exception-occurrences.js'
import { fingerprint } from './fingerprint.js'

/** The value of `service.name` where none was sent (semantic conventions of resources). */
const UNKNOWN_SERVICE = 'unknown_service'
const DEFAULT_TYPE = 'Error'

function textOf(value: JsonValue | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

/** An event states when it happened within its span; a time outside of the span is not believed. */
function timeOf(span: Span, { timestampNs }: SpanException): bigint {
  const endNs = span.timestampNs + span.durationNs
  if (timestampNs < span.timestampNs) return span.timestampNs
  return timestampNs > endNs ? endNs : timestampNs
}

function tagsOf(span: Span, outerSpanId: string | null): JsonObject {
  const release = textOf(span.resource['service.version'])
  const environment = textOf(span.resource['deployment.environment.name']) ?? textOf(span.resource['deployment.environment'])
  return {
    source: 'span',
    span_name: span.name,
    ...(release !== null && { release }),
    ...(environment !== null && { environment }),
    ...(outerSpanId !== null && { [OUTER_SPAN]: outerSpanId })
  }
}

function errorOf({ span, exception, outerSpanId }: Occurrence, index: number): ApmError | null {
  const message = exception.message ?? exception.type
  // An exception without type and message has no information.
  if (message === null) return null
  const { stacktrace: stack } = exception
  const service = span.service ?? UNKNOWN_SERVICE
  const type = exception.type ?? DEFAULT_TYPE
  return {
    ...{ index, service, type, message, stack },
    timestampNs: timeOf(span, exception),
    ...{ traceId: span.traceId, spanId: span.spanId, host: span.host },
    tags: tagsOf(span, outerSpanId),
    fingerprint: fingerprint({ service, type, message, stack })
  }
}

/** The exceptions of spans as errors, grouped by the same rule as those that services send themselves. */
export function errorsOf(spans: readonly Span[]): readonly ApmError[] {
  const errors: ApmError[] = []
  for (const occurrence of exceptionOccurrences(spans)) {
    const error = errorOf(occurrence, errors.length)
    if (error) errors.push(error)
  }
  return errors
}
