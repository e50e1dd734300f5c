import { flatten } from '../../../domain/flatten.js'
import type { NamespaceId, RecordId } from '../../../domain/ids.js'
import type { JsonObject } from '../../../domain/json.js'
import { peerOf, protocolOf } from '../../../domain/peer.js'
import { exceptionsOf, stringsOf } from '../../../domain/span-exceptions.js'
import { NOTHING_DROPPED, SPAN } from '../../../domain/records/span.js'
import type { Span, SpanEvent, SpanKind, SpanLink, SpanStatus, StoredSpan } from '../../../domain/span.js'
import { traceIdSuffix } from '../../../domain/trace-ids.js'
import { identity, objectOf, textOf, type DocumentSource } from './document-reader.js'
import { DocumentWriter } from './document-writer.js'
import { DROPPED, EVENTS, FREE_OBJECTS, KNOWN, LINKS, PEER, TRACE_SUFFIX } from './field-names.js'
import { PLACES } from './free-field-terms.js'

const F = KNOWN.spans

/** An event and a link as stored in a document. */
interface KeptEvent {
  readonly name: string
  /** Unix nanoseconds as digits. */
  readonly time: string
  readonly attributes?: JsonObject
}
interface KeptLink {
  readonly trace: string
  readonly span: string
  readonly state?: string
  readonly attributes?: JsonObject
}

function isEmpty(object: object): boolean {
  for (const _ in object) return false
  return true
}

function eventsJson(events: readonly SpanEvent[]): string {
  return JSON.stringify(
    events.map(({ name, timestampNs, attributes }): KeptEvent => ({
      name,
      time: String(timestampNs),
      ...(!isEmpty(attributes) && { attributes })
    }))
  )
}

function linksJson(links: readonly SpanLink[]): string {
  return JSON.stringify(
    links.map(({ traceId, spanId, traceState, attributes }): KeptLink => ({
      trace: traceId,
      span: spanId,
      ...(traceState !== '' && { state: traceState }),
      ...(!isEmpty(attributes) && { attributes })
    }))
  )
}

function keep(writer: DocumentWriter, span: Span): void {
  const { traceState, flags, scopeVersion, events, links, dropped } = span
  if (traceState !== '') writer.kept(SPAN.traceState.document, JSON.stringify(traceState))
  if (flags !== 0) writer.kept(SPAN.flags.document, String(flags))
  if (scopeVersion !== '') writer.kept(SPAN.scopeVersion.document, JSON.stringify(scopeVersion))
  if (dropped.attributes + dropped.events + dropped.links > 0) writer.kept(DROPPED, JSON.stringify(dropped))
  if (events.length > 0) writer.kept(EVENTS, eventsJson(events))
  if (links.length > 0) writer.kept(LINKS, linksJson(links))
}

/** The JSON text of a span's document. */
export function spanDocument(ns: NamespaceId, id: RecordId, span: Span, hasTrigrams: boolean): string {
  const writer = new DocumentWriter(ns, id, span.timestampNs, hasTrigrams)
  writer.text(F.trace_id, span.traceId)
  writer.text(TRACE_SUFFIX, traceIdSuffix(span.traceId))
  writer.text(F.span_id, span.spanId)
  writer.text(F.parent_span_id, span.parentSpanId)
  writer.text(F.name, span.name)
  writer.text(F.kind, span.kind)
  writer.text(F.status, span.status)
  writer.text(F.status_message, span.statusMessage)
  writer.whole(F.duration_ns, span.durationNs)
  writer.text(F.service, span.service)
  writer.text(F.host, span.host)
  writer.text(F.scope_name, span.scopeName === '' ? null : span.scopeName)
  const exceptions = exceptionsOf(span.events)
  writer.strings(F.exception_type, stringsOf(exceptions, F.exception_type.ofExceptions))
  writer.strings(F.exception_message, stringsOf(exceptions, F.exception_message.ofExceptions))
  const call = { kind: span.kind, attributes: flatten(span.attributes) }
  const peer = peerOf(call)
  writer.text(PEER.name, peer?.name ?? null)
  writer.text(PEER.kind, peer?.kind ?? null)
  writer.text(PEER.protocol, protocolOf(call))
  keep(writer, span)
  writer.free(span.attributes, span.resource, FREE_OBJECTS.spans)
  writer.attributes(
    span.events.map(({ attributes }) => attributes),
    PLACES.events
  )
  writer.attributes(
    span.links.map(({ attributes }) => attributes),
    PLACES.links
  )
  writer.markEventTerms()
  return writer.toJson()
}

/** The events of a document. */
export function eventsOf(source: DocumentSource): readonly SpanEvent[] {
  const events = (source[EVENTS] as readonly KeptEvent[] | undefined) ?? []
  return events.map(({ name, time, attributes = {} }) => ({ name, timestampNs: BigInt(time), attributes }))
}

/** The links of a document. */
export function linksOf(source: DocumentSource): readonly SpanLink[] {
  const links = (source[LINKS] as readonly KeptLink[] | undefined) ?? []
  return links.map(({ trace, span, state = '', attributes = {} }) => ({
    traceId: trace,
    spanId: span,
    traceState: state,
    attributes
  }))
}

/** Nanoseconds that a span took, out of its document. */
export function durationOf(source: DocumentSource): bigint {
  return BigInt((source[F.duration_ns.field] as number | string | undefined) ?? 0)
}

/** The span of a document. */
export function toStoredSpan(source: DocumentSource): StoredSpan {
  const { id, timestampNs, ingestedAtMs } = identity(source)
  return {
    id,
    timestampNs,
    ingestedAtMs,
    traceId: textOf(source, F.trace_id) ?? '',
    spanId: textOf(source, F.span_id) ?? '',
    parentSpanId: textOf(source, F.parent_span_id),
    traceState: (source[SPAN.traceState.document] as string | undefined) ?? '',
    durationNs: durationOf(source),
    name: textOf(source, F.name) ?? '',
    kind: (textOf(source, F.kind) ?? 'unspecified') as SpanKind,
    status: (textOf(source, F.status) ?? 'unset') as SpanStatus,
    statusMessage: textOf(source, F.status_message),
    service: textOf(source, F.service),
    host: textOf(source, F.host),
    scopeName: textOf(source, F.scope_name) ?? '',
    scopeVersion: (source[SPAN.scopeVersion.document] as string | undefined) ?? '',
    flags: (source[SPAN.flags.document] as number | undefined) ?? 0,
    attributes: objectOf(source, SPAN.attributes.document),
    resource: objectOf(source, SPAN.resource.document),
    events: eventsOf(source),
    links: linksOf(source),
    dropped: (source[DROPPED] as Span['dropped'] | undefined) ?? NOTHING_DROPPED
  }
}
