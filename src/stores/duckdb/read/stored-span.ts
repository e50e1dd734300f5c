import type { JsonObject } from '../../../domain/json.js'
import { NOTHING_DROPPED, type SPAN } from '../../../domain/records/span.js'
import type { SpanEvent, SpanKind, SpanLink, SpanStatus, StoredSpan } from '../../../domain/span.js'
import { DERIVED_OF_SPANS } from '../tables.js'
import { SPAN_TABLE } from './field-target.js'
import type { SearchedKind } from './search.js'
import type { ResultRow } from './statement.js'
import { identity, readColumns, sentObject, text } from './stored-record.js'

// The forms of `wire/span-columns`.
type KeptEvent = readonly [name: string, timestampNs: string, attributes: JsonObject]
type KeptLink = readonly [traceId: string, spanId: string, traceState: string, attributes: JsonObject]
type KeptDropped = readonly [attributes: number, events: number, links: number]

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

function droppedOf(row: ResultRow): StoredSpan['dropped'] {
  const kept = parsed(row, 'dropped_json') as KeptDropped | null
  return kept === null ? NOTHING_DROPPED : { attributes: kept[0], events: kept[1], links: kept[2] }
}

type SpanRow = Readonly<Record<(typeof SPAN)[keyof typeof SPAN]['name'], unknown>> & ResultRow

// Columns are read by literal names, which the table of spans has: names of a loop take 20 % longer.
function toSpan(row: SpanRow): StoredSpan {
  const { id, timestampNs, ingestedAtMs } = identity(row)
  return {
    id,
    timestampNs,
    ingestedAtMs,
    traceId: row.trace_id as string,
    spanId: row.span_id as string,
    parentSpanId: row.parent_span_id as string | null,
    traceState: (row.trace_state as string | null) ?? '',
    durationNs: row.duration_ns as bigint,
    name: row.name as string,
    kind: row.kind as SpanKind,
    status: row.status as SpanStatus,
    statusMessage: row.status_message as string | null,
    service: row.service as string | null,
    host: row.host as string | null,
    scopeName: (row.scope_name as string | null) ?? '',
    scopeVersion: (row.scope_version as string | null) ?? '',
    flags: (row.flags as number) >>> 0,
    attributes: sentObject(row, 'fields'),
    resource: sentObject(row, 'tags'),
    events: eventsOf(row),
    links: linksOf(row),
    dropped: droppedOf(row)
  }
}

/** Spans. */
export const SPANS: SearchedKind<StoredSpan> = {
  fields: SPAN_TABLE,
  columns: readColumns('spans').filter(name => !(name in DERIVED_OF_SPANS)),
  toRecord: row => toSpan(row as SpanRow)
}
