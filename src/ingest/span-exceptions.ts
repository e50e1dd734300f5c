import type { ApmError } from '../domain/apm-error.js'
import type { JsonObject, JsonValue } from '../domain/json.js'
import type { Span, SpanEvent } from '../domain/span.js'
import { fingerprint } from './fingerprint.js'

// OpenTelemetry's semantic conventions of exceptions on spans.
const EXCEPTION = 'exception'
const TYPE = 'exception.type'
const MESSAGE = 'exception.message'
const STACK = 'exception.stacktrace'
/** What stands for `service.name` where none was sent (semantic conventions of resources). */
const UNKNOWN_SERVICE = 'unknown_service'
const DEFAULT_TYPE = 'Error'

function textOf(value: JsonValue | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

/** An event says when it happened within its span; a clock that says otherwise is not believed. */
function timeOf(span: Span, { timestampNs }: SpanEvent): bigint {
  const endNs = span.timestampNs + span.durationNs
  if (timestampNs < span.timestampNs) return span.timestampNs
  return timestampNs > endNs ? endNs : timestampNs
}

function tagsOf(span: Span): JsonObject {
  const release = textOf(span.resource['service.version'])
  const environment = textOf(span.resource['deployment.environment.name']) ?? textOf(span.resource['deployment.environment'])
  return {
    source: 'span',
    span_name: span.name,
    ...(release !== null && { release }),
    ...(environment !== null && { environment })
  }
}

function errorOf(span: Span, event: SpanEvent, index: number): ApmError | null {
  const sentType = textOf(event.attributes[TYPE])
  const message = textOf(event.attributes[MESSAGE]) ?? sentType
  // An exception without type and message says nothing.
  if (message === null) return null
  const stack = textOf(event.attributes[STACK])
  const service = span.service ?? UNKNOWN_SERVICE
  const type = sentType ?? DEFAULT_TYPE
  return {
    ...{ index, service, type, message, stack },
    timestampNs: timeOf(span, event),
    ...{ traceId: span.traceId, spanId: span.spanId, host: span.host },
    tags: tagsOf(span),
    fingerprint: fingerprint({ service, type, message, stack })
  }
}

/** The `exception` events of spans as errors, grouped by the same rule as those of endpoint 16. */
export function exceptionsOf(spans: readonly Span[]): readonly ApmError[] {
  const errors: ApmError[] = []
  for (const span of spans)
    for (const event of span.events) {
      if (event.name !== EXCEPTION) continue
      const error = errorOf(span, event, errors.length)
      if (error) errors.push(error)
    }
  return errors
}
