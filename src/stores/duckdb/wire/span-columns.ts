import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { flatten } from '../../../domain/flatten.js'
import { peerOf, protocolOf } from '../../../domain/peer.js'
import type { Span, SpanEvent, SpanLink } from '../../../domain/span.js'
import { exceptionsOf, stringsOf } from '../../../domain/span-exceptions.js'
import { encodeBigints, encodeIntegers, encodeStringColumn, type NamedColumns, type WireColumn } from './columns.js'
import { encodeObjects } from './object-columns.js'

/** Encoding that many spans takes about 5 ms. */
const PAUSELESS_ROWS = 2_000

/** An event as it is kept: name, Unix nanoseconds as digits, attributes. */
function eventList(events: readonly SpanEvent[]): string | null {
  if (events.length === 0) return null
  return JSON.stringify(events.map(({ name, timestampNs, attributes }) => [name, String(timestampNs), attributes]))
}

/** A link as it is kept: trace id, span id, trace state, attributes. */
function linkList(links: readonly SpanLink[]): string | null {
  if (links.length === 0) return null
  return JSON.stringify(links.map(({ traceId, spanId, traceState, attributes }) => [traceId, spanId, traceState, attributes]))
}

function droppedList({ attributes, events, links }: Span['dropped']): string | null {
  return attributes + events + links === 0 ? null : JSON.stringify([attributes, events, links])
}

/** Types and messages of the exceptions of a span, in the form of flattened JSON: of several an array. */
function exceptions(events: readonly SpanEvent[]): string | null {
  const all = exceptionsOf(events)
  if (all.length === 0) return null
  const [types, messages] = [stringsOf(all, 'type'), stringsOf(all, 'message')]
  return JSON.stringify({ type: oneOrMany(types), message: oneOrMany(messages) })
}

function oneOrMany(strings: readonly string[]): string | readonly string[] | undefined {
  return strings.length > 1 ? strings : strings[0]
}

function orNull(text: string): string | null {
  return text === '' ? null : text
}

// In steps, so that a large batch can be encoded with pauses.
const STEPS: readonly ((items: readonly Span[]) => NamedColumns)[] = [
  items => ({
    ts: encodeBigints(items, span => span.timestampNs),
    idx: encodeIntegers(items, span => span.index),
    duration_ns: encodeBigints(items, span => span.durationNs),
    flags: encodeIntegers(items, span => span.flags | 0)
  }),
  items => ({
    trace_id: encodeStringColumn(items, span => span.traceId),
    span_id: encodeStringColumn(items, span => span.spanId),
    parent_span_id: encodeStringColumn(items, span => span.parentSpanId),
    trace_state: encodeStringColumn(items, span => orNull(span.traceState))
  }),
  items => ({
    name: encodeStringColumn(items, span => span.name),
    kind: encodeStringColumn(items, span => span.kind),
    status: encodeStringColumn(items, span => span.status),
    status_message: encodeStringColumn(items, span => span.statusMessage)
  }),
  items => ({
    service: encodeStringColumn(items, span => span.service),
    host: encodeStringColumn(items, span => span.host),
    scope_name: encodeStringColumn(items, span => orNull(span.scopeName)),
    scope_version: encodeStringColumn(items, span => orNull(span.scopeVersion))
  }),
  items => {
    const calls = items.map(({ kind, attributes }) => {
      const call = { kind, attributes: flatten(attributes) }
      return { peer: peerOf(call), protocol: protocolOf(call) }
    })
    return {
      peer: encodeStringColumn(calls, ({ peer }) => peer?.name ?? null),
      peer_kind: encodeStringColumn(calls, ({ peer }) => peer?.kind ?? null),
      protocol: encodeStringColumn(calls, ({ protocol }) => protocol)
    }
  },
  items => ({
    exceptions_json: encodeStringColumn(items, span => exceptions(span.events)),
    events_json: encodeStringColumn(items, span => eventList(span.events)),
    links_json: encodeStringColumn(items, span => linkList(span.links)),
    dropped_json: encodeStringColumn(items, span => droppedList(span.dropped))
  }),
  items => {
    const { flat, sent } = encodeObjects(items, span => span.attributes)
    return { fields_json: flat, fields_sent: sent }
  },
  items => {
    const { flat, sent } = encodeObjects(items, span => span.resource)
    return { tags_json: flat, tags_sent: sent }
  }
]

/** Spans as columns of the `spans` table; of large batches with pauses between the steps, since encoding blocks. */
export async function spanColumns(items: readonly Span[]): Promise<NamedColumns> {
  const columns: Record<string, WireColumn> = {}
  for (const encode of STEPS) {
    Object.assign(columns, encode(items))
    if (items.length > PAUSELESS_ROWS) await yieldToEventLoop()
  }
  return columns
}
