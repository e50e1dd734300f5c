import type { JsonObject, JsonValue } from '../../domain/json.js'
import type { SpanEvent } from '../../domain/span.js'

/** An `exception` event, as OpenTelemetry's conventions name its attributes. */
export interface SpanException {
  readonly type: string | null
  readonly message: string | null
  readonly stacktrace: string | null
  readonly timestampNs: bigint
}

function textOf(value: JsonValue | undefined): string | null {
  return typeof value === 'string' ? value : null
}

/** The attribute, which some senders nest. */
function attribute(attributes: JsonObject, name: 'type' | 'message' | 'stacktrace'): string | null {
  const flat = textOf(attributes[`exception.${name}`])
  if (flat !== null) return flat
  const nested = attributes['exception']
  const isObject = typeof nested === 'object' && nested !== null && !Array.isArray(nested)
  return isObject ? textOf((nested as JsonObject)[name]) : null
}

/** The exceptions that a span recorded, in the order of its events. */
export function exceptionsOf(events: readonly SpanEvent[]): readonly SpanException[] {
  return events
    .filter(({ name }) => name === 'exception')
    .map(({ timestampNs, attributes }) => ({
      type: attribute(attributes, 'type'),
      message: attribute(attributes, 'message'),
      stacktrace: attribute(attributes, 'stacktrace'),
      timestampNs
    }))
}
