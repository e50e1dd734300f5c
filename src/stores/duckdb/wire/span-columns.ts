import { flatten } from '../../../domain/flatten.js'
import { peerOf, protocolOf } from '../../../domain/peer.js'
import { SPAN } from '../../../domain/records/span.js'
import type { Span, SpanEvent, SpanLink } from '../../../domain/span.js'
import { exceptionsOf, stringsOf } from '../../../domain/span-exceptions.js'
import { encodeStringColumn, type NamedColumns } from './columns.js'
import { RecordEncoder } from './record-encoder.js'

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

/** Whom a span calls, by its own account. */
function callColumns(items: readonly Span[]): NamedColumns {
  const calls = items.map(({ kind, attributes }) => {
    const call = { kind, attributes: flatten(attributes) }
    return { peer: peerOf(call), protocol: protocolOf(call) }
  })
  return {
    peer: encodeStringColumn(calls, ({ peer }) => peer?.name ?? null),
    peer_kind: encodeStringColumn(calls, ({ peer }) => peer?.kind ?? null),
    protocol: encodeStringColumn(calls, ({ protocol }) => protocol)
  }
}

function listColumns(items: readonly Span[]): NamedColumns {
  return {
    exceptions_json: encodeStringColumn(items, span => exceptions(span.events)),
    events_json: encodeStringColumn(items, span => eventList(span.events)),
    links_json: encodeStringColumn(items, span => linkList(span.links)),
    dropped_json: encodeStringColumn(items, span => droppedList(span.dropped))
  }
}

const SPAN_ENCODER = new RecordEncoder<Span>(SPAN, [
  { isShort: false, encode: callColumns },
  { isShort: false, encode: listColumns }
])

/** Spans as columns of the `spans` table; of large batches with pauses between the steps, since encoding blocks. */
export async function spanColumns(items: readonly Span[]): Promise<NamedColumns> {
  return items.length > PAUSELESS_ROWS ? SPAN_ENCODER.columnsInSlices(items) : SPAN_ENCODER.columns(items)
}
