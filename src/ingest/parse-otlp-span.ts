import { bareObject } from '../domain/bare-object.js'
import type { JsonObject, JsonValue } from '../domain/json.js'
import { type Span, SPAN_KINDS, SPAN_STATUSES, type SpanEvent, type SpanLink } from '../domain/span.js'
import type { OtlpSpan, OtlpSpanEvent, OtlpSpanLink } from '../otlp/model.js'
import { freeObject } from './free-fields.js'
import type { ItemCheck, RefusedItem } from './item-check.js'
import { hostOf, originTags, otlpId, serviceOf } from './otlp-origin.js'
import { truncateString, isLonger } from './string-size.js'

const TRACE_ID_LENGTH = 32
const SPAN_ID_LENGTH = 16
/** Attributes of an exception without a length limit of their own; other values of an event are bounded like all attributes. */
const LONG_VALUES = ['exception.stacktrace', 'exception.message'] as const

/** An id that must be there: 16 or 8 bytes, not all zero (trace.proto: others are invalid). */
function requiredId(id: string, length: number, field: string, check: ItemCheck): string {
  if (id.length !== length || otlpId(id) === null) {
    check.refuse('invalid_field', field, `${field} must be ${length / 2} bytes that are not all zero`)
  }
  return id
}

function parentOf({ parentSpanId }: OtlpSpan, check: ItemCheck): string | null {
  return otlpId(parentSpanId) === null ? null : requiredId(parentSpanId, SPAN_ID_LENGTH, 'parent_span_id', check)
}

/** Long strings of an exception are cut, since a span should not be lost for its stack trace. */
function eventAttributes(attributes: JsonObject, check: ItemCheck): JsonObject {
  const limit = check.limits.fieldValueBytes
  let cut: Record<string, JsonValue> | null = null
  for (const name of LONG_VALUES) {
    const value = attributes[name]
    if (typeof value !== 'string' || !isLonger(value, limit)) continue
    cut ??= Object.assign(bareObject<JsonValue>(), attributes)
    cut[name] = truncateString(check.beforeCut(value, limit), limit)
  }
  return freeObject(check, cut ?? attributes, 'events')
}

function toEvent({ name, timeNs, attributes }: OtlpSpanEvent, startNs: bigint, check: ItemCheck): SpanEvent {
  return {
    name: check.bounded(name, 'events.name'),
    timestampNs: timeNs || startNs,
    attributes: eventAttributes(attributes, check)
  }
}

function isLinked({ traceId, spanId }: OtlpSpanLink): boolean {
  const hasLengths = traceId.length === TRACE_ID_LENGTH && spanId.length === SPAN_ID_LENGTH
  return hasLengths && otlpId(traceId) !== null && otlpId(spanId) !== null
}

function toLink({ traceId, spanId, traceState, attributes }: OtlpSpanLink, check: ItemCheck): SpanLink {
  return {
    traceId,
    spanId,
    traceState: check.bounded(traceState, 'links.trace_state'),
    attributes: freeObject(check, attributes, 'links')
  }
}

function cutStatus(message: string, check: ItemCheck): string {
  const limit = check.limits.fieldValueBytes
  return truncateString(check.beforeCut(message, limit), limit)
}

/** The end is held to the same bounds as the start: 64 bits of the wire are more than a duration has. */
function durationOf({ startTimeNs, endTimeNs }: OtlpSpan, check: ItemCheck): bigint {
  if (startTimeNs === 0n || endTimeNs <= startTimeNs) return 0n
  return check.inWindow(endTimeNs, 'end_time_unix_nano') - startTimeNs
}

/**
 * An OTLP span (opentelemetry-proto 1.11), checked and normalized. Events and links beyond their limits, and links that
 * lead nowhere, are counted with those that the sender dropped.
 */
export function parseOtlpSpan(raw: unknown, check: ItemCheck): Span | RefusedItem {
  const otlp = raw as OtlpSpan
  const { limits } = check
  const startNs = otlp.startTimeNs === 0n ? otlp.endTimeNs : otlp.startTimeNs
  if (startNs === 0n) check.refuse('missing_field', 'start_time_unix_nano', 'start_time_unix_nano is required')
  const linked = otlp.links.filter(isLinked)
  const events = otlp.events.slice(0, limits.spanEvents).map(event => toEvent(event, startNs, check))
  const links = linked.slice(0, limits.spanLinks).map(link => toLink(link, check))
  const span: Span = {
    index: check.index,
    traceId: requiredId(otlp.traceId, TRACE_ID_LENGTH, 'trace_id', check),
    spanId: requiredId(otlp.spanId, SPAN_ID_LENGTH, 'span_id', check),
    parentSpanId: parentOf(otlp, check),
    traceState: check.bounded(otlp.traceState, 'trace_state'),
    timestampNs: check.inWindow(startNs, 'start_time_unix_nano'),
    durationNs: durationOf(otlp, check),
    name: check.bounded(otlp.name, 'name'),
    kind: SPAN_KINDS[otlp.kind] ?? 'unspecified',
    status: SPAN_STATUSES[otlp.statusCode] ?? 'unset',
    statusMessage: otlp.statusMessage === '' ? null : cutStatus(otlp.statusMessage, check),
    service: serviceOf(otlp.scope, check),
    host: hostOf(otlp.scope, check),
    scopeName: check.bounded(otlp.scope.name, 'scope.name'),
    scopeVersion: check.bounded(otlp.scope.version, 'scope.version'),
    flags: otlp.flags >>> 0,
    attributes: freeObject(check, otlp.attributes, 'attributes'),
    resource: originTags(otlp.scope, check),
    events,
    links,
    dropped: {
      attributes: otlp.droppedAttributes,
      events: otlp.droppedEvents + otlp.events.length - events.length,
      links: otlp.droppedLinks + otlp.links.length - links.length
    }
  }
  return check.fault ?? span
}
