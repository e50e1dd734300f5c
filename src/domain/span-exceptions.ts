import { flatten } from './flatten.js'
import type { FlatValue } from './json.js'
import type { SpanEvent } from './span.js'

const EXCEPTION = 'exception'

/**
 * An `exception` event, as OpenTelemetry's semantic conventions name its attributes; attributes that are missing or empty are
 * null.
 */
export interface SpanException {
  readonly type: string | null
  readonly message: string | null
  readonly stacktrace: string | null
  /** Unix nanoseconds. */
  readonly timestampNs: bigint
}

function textOf(value: FlatValue | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

/** The exceptions that a span recorded, in the order of its events. Some senders nest the attributes. */
export function exceptionsOf(events: readonly SpanEvent[]): readonly SpanException[] {
  return events
    .filter(({ name }) => name === EXCEPTION)
    .map(({ timestampNs, attributes: sent }) => {
      const attributes = flatten(sent)
      return {
        type: textOf(attributes['exception.type']),
        message: textOf(attributes['exception.message']),
        stacktrace: textOf(attributes['exception.stacktrace']),
        timestampNs
      }
    })
}

/** Different types or messages of exceptions, in their order. */
export function stringsOf(exceptions: readonly SpanException[], part: 'type' | 'message'): readonly string[] {
  return [...new Set(exceptions.map(exception => exception[part]).filter(text => text !== null))]
}
