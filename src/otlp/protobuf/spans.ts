import type { OtlpScope, OtlpSpan, OtlpSpanEvent, OtlpSpanLink } from '../model.js'
import { AttributeMap, idField, readKeyValue, textField, timeField, uint32Field } from './common.js'
import type { Steps } from '../steps.js'
import { readGroups } from './groups.js'
import { FIXED32, LENGTH, type ProtobufReader } from '../../protobuf/reader.js'

/** The spans of an `ExportTraceServiceRequest`, read in steps. Throws `MalformedProtobuf`, `TooManyRecords`. */
export function decodeSpans(body: Buffer, maxRecords: number): Steps<OtlpSpan> {
  return readGroups(body, maxRecords, readSpan)
}

const NO_EVENTS: readonly OtlpSpanEvent[] = Object.freeze([])
const NO_LINKS: readonly OtlpSpanLink[] = Object.freeze([])

// opentelemetry/proto/trace/v1/trace.proto, message Span.
function readSpan(reader: ProtobufReader, scope: OtlpScope, into: OtlpSpan[]): void {
  const attributes = new AttributeMap()
  const status = { code: 0, message: '' }
  let events: OtlpSpanEvent[] | null = null
  let links: OtlpSpanLink[] | null = null
  let traceId = ''
  let spanId = ''
  let parentSpanId = ''
  let traceState = ''
  let flags = 0
  let name = ''
  let kind = 0
  let startTimeNs = 0n
  let endTimeNs = 0n
  let droppedAttributes = 0
  let droppedEvents = 0
  let droppedLinks = 0
  while (reader.next()) {
    switch (reader.field) {
      case 1:
        traceId = idField(reader)
        break
      case 2:
        spanId = idField(reader)
        break
      case 3:
        traceState = textField(reader)
        break
      case 4:
        parentSpanId = idField(reader)
        break
      case 5:
        name = textField(reader)
        break
      case 6:
        kind = uint32Field(reader)
        break
      case 7:
        startTimeNs = timeField(reader)
        break
      case 8:
        endTimeNs = timeField(reader)
        break
      case 9:
        readKeyValue(reader, attributes)
        break
      case 10:
        droppedAttributes = uint32Field(reader)
        break
      case 11:
        ;(events ??= []).push(readEvent(reader))
        break
      case 12:
        droppedEvents = uint32Field(reader)
        break
      case 13:
        ;(links ??= []).push(readLink(reader))
        break
      case 14:
        droppedLinks = uint32Field(reader)
        break
      case 15:
        readStatus(reader, status)
        break
      case 16:
        reader.expect(FIXED32)
        flags = reader.fixed32()
        break
      default:
        reader.skip()
    }
  }
  into.push({
    scope,
    traceId,
    spanId,
    parentSpanId,
    traceState,
    flags,
    name,
    kind,
    startTimeNs,
    endTimeNs,
    attributes: attributes.values,
    droppedAttributes,
    events: events ?? NO_EVENTS,
    droppedEvents,
    links: links ?? NO_LINKS,
    droppedLinks,
    statusCode: status.code,
    statusMessage: status.message
  })
}

/** Enters the `Span.Event` at hand. */
function readEvent(reader: ProtobufReader): OtlpSpanEvent {
  reader.expect(LENGTH)
  const outer = reader.enter()
  const attributes = new AttributeMap()
  let timeNs = 0n
  let name = ''
  while (reader.next()) {
    if (reader.field === 1) timeNs = timeField(reader)
    else if (reader.field === 2) name = textField(reader)
    else if (reader.field === 3) readKeyValue(reader, attributes)
    else reader.skip()
  }
  reader.leave(outer)
  return { timeNs, name, attributes: attributes.values }
}

/** Enters the `Span.Link` at hand. */
function readLink(reader: ProtobufReader): OtlpSpanLink {
  reader.expect(LENGTH)
  const outer = reader.enter()
  const attributes = new AttributeMap()
  let traceId = ''
  let spanId = ''
  let traceState = ''
  while (reader.next()) {
    if (reader.field === 1) traceId = idField(reader)
    else if (reader.field === 2) spanId = idField(reader)
    else if (reader.field === 3) traceState = textField(reader)
    else if (reader.field === 4) readKeyValue(reader, attributes)
    else reader.skip()
  }
  reader.leave(outer)
  return { traceId, spanId, traceState, attributes: attributes.values }
}

/** Enters the `Status` at hand; one that comes in two parts is merged, as protobuf wants it. */
function readStatus(reader: ProtobufReader, into: { code: number; message: string }): void {
  reader.expect(LENGTH)
  const outer = reader.enter()
  while (reader.next()) {
    if (reader.field === 2) into.message = textField(reader)
    else if (reader.field === 3) into.code = uint32Field(reader)
    else reader.skip()
  }
  reader.leave(outer)
}
