import type { OtlpScope, OtlpSpan, OtlpSpanEvent, OtlpSpanLink } from '../model.js'
import { AttributeMap, idField, readKeyValue, stringField, timeField, uint32Field } from './common.js'
import type { DecodeSteps } from '../steps.js'
import { readGroups } from './groups.js'
import { FIXED32, LENGTH, type ProtobufReader } from '../../wire/protobuf/reader.js'

/** The spans of an `ExportTraceServiceRequest`, read in steps. Throws `MalformedProtobuf`, `TooManyRecords`. */
export function decodeSpans(body: Buffer, maxRecords: number): DecodeSteps<OtlpSpan> {
  return readGroups(body, maxRecords, readSpan)
}

/** Events and links of a span that are read; more are only counted: each costs more memory than it takes in the body. */
const MAX_READ = 1_000

const NO_EVENTS: OtlpSpanEvent[] = []
const NO_LINKS: OtlpSpanLink[] = []

/** A span as it is gathered, one field after the other. */
type PartialSpan = { -readonly [K in keyof OtlpSpan]: OtlpSpan[K] } & { events: OtlpSpanEvent[]; links: OtlpSpanLink[] }

function emptySpan(scope: OtlpScope, attributes: OtlpSpan['attributes']): PartialSpan {
  return {
    scope,
    traceId: '',
    spanId: '',
    parentSpanId: '',
    traceState: '',
    flags: 0,
    name: '',
    kind: 0,
    startTimeNs: 0n,
    endTimeNs: 0n,
    attributes,
    droppedAttributes: 0,
    events: NO_EVENTS,
    droppedEvents: 0,
    links: NO_LINKS,
    droppedLinks: 0,
    statusCode: 0,
    statusMessage: ''
  }
}

function readSpan(reader: ProtobufReader, scope: OtlpScope, into: OtlpSpan[]): void {
  const attributes = new AttributeMap()
  const span = emptySpan(scope, attributes.values)
  let unreadEvents = 0
  let unreadLinks = 0
  while (reader.next()) {
    if (reader.field === 9) readKeyValue(reader, attributes)
    else if (reader.field === 11 && span.events.length >= MAX_READ) unreadEvents += skipped(reader)
    else if (reader.field === 13 && span.links.length >= MAX_READ) unreadLinks += skipped(reader)
    else readField(reader, span)
  }
  span.attributes = attributes.values
  span.droppedEvents += unreadEvents
  span.droppedLinks += unreadLinks
  into.push(span)
}

/** Leaves one field out, and counts it. */
function skipped(reader: ProtobufReader): number {
  reader.skip()
  return 1
}

// opentelemetry/proto/trace/v1/trace.proto, message Span.
function readField(reader: ProtobufReader, span: PartialSpan): void {
  switch (reader.field) {
    case 1:
      span.traceId = idField(reader)
      break
    case 2:
      span.spanId = idField(reader)
      break
    case 3:
      span.traceState = stringField(reader)
      break
    case 4:
      span.parentSpanId = idField(reader)
      break
    case 5:
      span.name = stringField(reader)
      break
    case 6:
      span.kind = uint32Field(reader)
      break
    case 7:
      span.startTimeNs = timeField(reader)
      break
    case 8:
      span.endTimeNs = timeField(reader)
      break
    case 10:
      span.droppedAttributes = uint32Field(reader)
      break
    case 11:
      if (span.events === NO_EVENTS) span.events = []
      span.events.push(readEvent(reader))
      break
    case 12:
      span.droppedEvents = uint32Field(reader)
      break
    case 13:
      if (span.links === NO_LINKS) span.links = []
      span.links.push(readLink(reader))
      break
    case 14:
      span.droppedLinks = uint32Field(reader)
      break
    case 15:
      readStatus(reader, span)
      break
    case 16:
      reader.expect(FIXED32)
      span.flags = reader.fixed32()
      break
    default:
      reader.skip()
  }
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
    else if (reader.field === 2) name = stringField(reader)
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
    else if (reader.field === 3) traceState = stringField(reader)
    else if (reader.field === 4) readKeyValue(reader, attributes)
    else reader.skip()
  }
  reader.leave(outer)
  return { traceId, spanId, traceState, attributes: attributes.values }
}

/** Enters the `Status` at hand; one that comes in two parts is merged, as protobuf wants it. */
function readStatus(reader: ProtobufReader, span: PartialSpan): void {
  reader.expect(LENGTH)
  const outer = reader.enter()
  while (reader.next()) {
    if (reader.field === 2) span.statusMessage = stringField(reader)
    else if (reader.field === 3) span.statusCode = uint32Field(reader)
    else reader.skip()
  }
  reader.leave(outer)
}
