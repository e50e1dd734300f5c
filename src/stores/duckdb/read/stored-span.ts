import type { JsonObject } from '../../../domain/json.js'
import type { Span, SpanEvent, SpanKind, SpanLink, SpanStatus, StoredSpan } from '../../../domain/span.js'
import { SPAN_TABLE } from './field-target.js'
import type { SearchedKind } from './search.js'
import type { ResultRow } from './statement.js'
import { identity, readColumns, sentObject, text } from './stored-record.js'

// The forms of `wire/span-columns`.
type KeptEvent = readonly [name: string, timestampNs: string, attributes: JsonObject]
type KeptLink = readonly [traceId: string, spanId: string, traceState: string, attributes: JsonObject]
type KeptDropped = readonly [attributes: number, events: number, links: number]

const NOTHING_DROPPED: Span['dropped'] = Object.freeze({ attributes: 0, events: 0, links: 0 })

function parsed(row: ResultRow, column: string): unknown {
  const json = text(row, column)
  return json === null ? null : (JSON.parse(json) as unknown)
}

function eventsOf(row: ResultRow): readonly SpanEvent[] {
  const kept = (parsed(row, 'events_json') ?? []) as readonly KeptEvent[]
  return kept.map(([name, timestampNs, attributes]) => ({ name, timestampNs: BigInt(timestampNs), attributes }))
}

function linksOf(row: ResultRow): readonly SpanLink[] {
  const kept = (parsed(row, 'links_json') ?? []) as readonly KeptLink[]
  return kept.map(([traceId, spanId, traceState, attributes]) => ({ traceId, spanId, traceState, attributes }))
}

function droppedOf(row: ResultRow): Span['dropped'] {
  const kept = parsed(row, 'dropped_json') as KeptDropped | null
  return kept === null ? NOTHING_DROPPED : { attributes: kept[0], events: kept[1], links: kept[2] }
}

function toSpan(row: ResultRow): StoredSpan {
  const { id, timestampNs, ingestedAtMs } = identity(row)
  return {
    id,
    timestampNs,
    ingestedAtMs,
    traceId: row['trace_id'] as string,
    spanId: row['span_id'] as string,
    parentSpanId: text(row, 'parent_span_id'),
    traceState: text(row, 'trace_state') ?? '',
    durationNs: row['duration_ns'] as bigint,
    name: row['name'] as string,
    kind: row['kind'] as SpanKind,
    status: row['status'] as SpanStatus,
    statusMessage: text(row, 'status_message'),
    service: text(row, 'service'),
    host: text(row, 'host'),
    scopeName: text(row, 'scope_name') ?? '',
    scopeVersion: text(row, 'scope_version') ?? '',
    flags: (row['flags'] as number) >>> 0,
    attributes: sentObject(row, 'fields'),
    resource: sentObject(row, 'tags'),
    events: eventsOf(row),
    links: linksOf(row),
    dropped: droppedOf(row)
  }
}

// What is derived serves searching only.
const DERIVED: ReadonlySet<string> = new Set(['peer', 'peer_kind', 'protocol', 'exceptions_json'])

/** Spans. */
export const SPANS: SearchedKind<StoredSpan> = {
  fields: SPAN_TABLE,
  columns: readColumns('spans').filter(name => !DERIVED.has(name)),
  toRecord: toSpan
}
