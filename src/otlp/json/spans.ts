import type { OtlpSpan, OtlpSpanEvent, OtlpSpanLink } from '../model.js'
import type { DecodeSteps } from '../steps.js'
import { readJsonGroups } from './groups.js'
import { attributesIn, idIn, integerIn, type Message, messageIn, messagesIn, stringIn, timeIn } from './values.js'

const NAMES = { resources: 'resourceSpans', scopes: 'scopeSpans', records: 'spans' } as const

/** The spans of an `ExportTraceServiceRequest` in JSON, read in steps. Throws `MalformedOtlp`, `TooManyRecords`. */
export function decodeJsonSpans(body: Buffer, maxRecords: number): DecodeSteps<OtlpSpan> {
  return readJsonGroups<OtlpSpan>(body, maxRecords, NAMES, (record, scope, into) => {
    const status = messageIn(record, 'status') ?? {}
    into.push({
      scope,
      traceId: idIn(record, 'traceId'),
      spanId: idIn(record, 'spanId'),
      parentSpanId: idIn(record, 'parentSpanId'),
      traceState: stringIn(record, 'traceState'),
      flags: integerIn(record, 'flags'),
      name: stringIn(record, 'name'),
      kind: integerIn(record, 'kind'),
      startTimeNs: timeIn(record, 'startTimeUnixNano'),
      endTimeNs: timeIn(record, 'endTimeUnixNano'),
      attributes: attributesIn(record, 'attributes'),
      droppedAttributes: integerIn(record, 'droppedAttributesCount'),
      events: messagesIn(record, 'events').map(eventOf),
      droppedEvents: integerIn(record, 'droppedEventsCount'),
      links: messagesIn(record, 'links').map(linkOf),
      droppedLinks: integerIn(record, 'droppedLinksCount'),
      statusCode: integerIn(status, 'code'),
      statusMessage: stringIn(status, 'message')
    })
  })
}

function eventOf(event: Message): OtlpSpanEvent {
  return { timeNs: timeIn(event, 'timeUnixNano'), name: stringIn(event, 'name'), attributes: attributesIn(event, 'attributes') }
}

function linkOf(link: Message): OtlpSpanLink {
  return {
    traceId: idIn(link, 'traceId'),
    spanId: idIn(link, 'spanId'),
    traceState: stringIn(link, 'traceState'),
    attributes: attributesIn(link, 'attributes')
  }
}
