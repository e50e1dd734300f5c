import { bareObject } from '../../src/domain/bare-object.js'
import type { JsonObject, JsonValue } from '../../src/domain/json.js'
import type { OtlpExemplar, OtlpLog, OtlpPoint, OtlpScope, OtlpSpan } from '../../src/otlp/model.js'

// What protobufjs read, in the words of our model: written from the definitions, not from our reader.

type Msg = Readonly<Record<string, unknown>>
interface LongLike {
  readonly low: number
  readonly high: number
}

const list = (message: Msg, name: string): readonly Msg[] => (message[name] ?? []) as readonly Msg[]
const text = (message: Msg, name: string): string => (message[name] ?? '') as string
const int = (message: Msg, name: string): number => (message[name] ?? 0) as number
const hex = (message: Msg, name: string): string => Buffer.from((message[name] ?? []) as Uint8Array).toString('hex')
const has = (message: Msg, name: string): boolean => Object.hasOwn(message, name) && message[name] !== null

function long(message: Msg, name: string): bigint {
  return has(message, name) ? unsigned(message[name]) : 0n
}

function unsigned(value: unknown): bigint {
  const { low, high } = value as LongLike
  return (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0)
}

function signed(value: unknown): bigint {
  return BigInt.asIntN(64, unsigned(value))
}

function integer(value: bigint): JsonValue {
  const isSafe = value <= BigInt(Number.MAX_SAFE_INTEGER) && value >= BigInt(Number.MIN_SAFE_INTEGER)
  return isSafe ? Number(value) : value.toString()
}

function anyValue(message: Msg | null | undefined): JsonValue {
  if (message === undefined || message === null) return null
  if (has(message, 'stringValue')) return text(message, 'stringValue')
  if (has(message, 'boolValue')) return message['boolValue'] as boolean
  if (has(message, 'intValue')) return integer(signed(message['intValue']))
  if (has(message, 'doubleValue')) {
    const double = message['doubleValue'] as number
    return Number.isFinite(double) ? double : `${double}`
  }
  if (has(message, 'arrayValue')) return list(message['arrayValue'] as Msg, 'values').map(anyValue)
  if (has(message, 'kvlistValue')) return attributes(message['kvlistValue'] as Msg, 'values')
  if (has(message, 'bytesValue')) return Buffer.from(message['bytesValue'] as Uint8Array).toString('base64')
  return null
}

function attributes(message: Msg, name = 'attributes'): JsonObject {
  const map = bareObject<JsonValue>()
  for (const pair of list(message, name)) map[text(pair, 'key')] = anyValue(pair['value'] as Msg | null | undefined)
  return map
}

function recordsOf<T>(request: Msg, names: readonly [string, string, string], read: (record: Msg, scope: OtlpScope) => T[]): T[] {
  return list(request, names[0]).flatMap(group => {
    const resource = { attributes: attributes((group['resource'] ?? {}) as Msg), schemaUrl: text(group, 'schemaUrl') }
    return list(group, names[1]).flatMap(inner => {
      const own = (inner['scope'] ?? {}) as Msg
      const scope = { resource, name: text(own, 'name'), version: text(own, 'version'), attributes: attributes(own) }
      return list(inner, names[2]).flatMap(record => read(record, scope))
    })
  })
}

export function referenceLogs(request: Msg): OtlpLog[] {
  return recordsOf(request, ['resourceLogs', 'scopeLogs', 'logRecords'], (log, scope) => [
    {
      scope,
      timeNs: long(log, 'timeUnixNano'),
      observedTimeNs: long(log, 'observedTimeUnixNano'),
      severityNumber: int(log, 'severityNumber'),
      severityText: text(log, 'severityText'),
      body: anyValue(log['body'] as Msg | null | undefined),
      attributes: attributes(log),
      traceId: hex(log, 'traceId'),
      spanId: hex(log, 'spanId'),
      flags: Object.hasOwn(log, 'flags') ? int(log, 'flags') : null,
      eventName: text(log, 'eventName')
    }
  ])
}

export function referenceSpans(request: Msg): OtlpSpan[] {
  return recordsOf(request, ['resourceSpans', 'scopeSpans', 'spans'], (span, scope) => [
    {
      scope,
      traceId: hex(span, 'traceId'),
      spanId: hex(span, 'spanId'),
      parentSpanId: hex(span, 'parentSpanId'),
      traceState: text(span, 'traceState'),
      flags: int(span, 'flags'),
      name: text(span, 'name'),
      kind: int(span, 'kind'),
      startTimeNs: long(span, 'startTimeUnixNano'),
      endTimeNs: long(span, 'endTimeUnixNano'),
      attributes: attributes(span),
      droppedAttributes: int(span, 'droppedAttributesCount'),
      events: list(span, 'events').map(event => ({
        timeNs: long(event, 'timeUnixNano'),
        name: text(event, 'name'),
        attributes: attributes(event)
      })),
      droppedEvents: int(span, 'droppedEventsCount'),
      links: list(span, 'links').map(link => ({
        traceId: hex(link, 'traceId'),
        spanId: hex(link, 'spanId'),
        traceState: text(link, 'traceState'),
        attributes: attributes(link)
      })),
      droppedLinks: int(span, 'droppedLinksCount'),
      statusCode: int((span['status'] ?? {}) as Msg, 'code'),
      statusMessage: text((span['status'] ?? {}) as Msg, 'message')
    }
  ])
}

export function referencePoints(request: Msg): OtlpPoint[] {
  return recordsOf(request, ['resourceMetrics', 'scopeMetrics', 'metrics'], (record, scope) => {
    const metric = { scope, name: text(record, 'name'), description: text(record, 'description'), unit: text(record, 'unit') }
    const kind = Object.keys(POINTS).find(name => has(record, name))
    if (kind === undefined) return []
    const data = record[kind] as Msg
    return list(data, 'dataPoints').map(point => {
      const startTimeNs = long(point, 'startTimeUnixNano')
      const common = { metric, attributes: attributes(point), startTimeNs, timeNs: long(point, 'timeUnixNano') }
      const exemplars = list(point, 'exemplars').map(exemplarOf)
      return {
        ...common,
        flags: int(point, 'flags'),
        ...(exemplars.length > 0 && { exemplars }),
        ...POINTS[kind]!(point, int(data, 'aggregationTemporality'), data)
      } as OtlpPoint
    })
  })
}

const POINTS: Readonly<Record<string, (point: Msg, temporality: number, data: Msg) => object>> = {
  gauge: point => ({ kind: 'gauge', temporality: 0, isMonotonic: false, value: numberOf(point) }),
  sum: (point, temporality, data) => ({
    kind: 'sum',
    temporality,
    isMonotonic: data['isMonotonic'] === true,
    value: numberOf(point)
  }),
  histogram: (point, temporality) => ({
    kind: 'histogram',
    temporality,
    count: Number(long(point, 'count')),
    sum: has(point, 'sum') ? point['sum'] : null,
    bucketCounts: counts(point),
    bounds: [...((point['explicitBounds'] ?? []) as number[])]
  }),
  exponentialHistogram: (point, temporality) => ({
    kind: 'exponential',
    temporality,
    count: Number(long(point, 'count')),
    sum: has(point, 'sum') ? point['sum'] : null,
    scale: int(point, 'scale'),
    zeroCount: Number(long(point, 'zeroCount')),
    zeroThreshold: int(point, 'zeroThreshold'),
    positive: bucketsOf((point['positive'] ?? {}) as Msg),
    negative: bucketsOf((point['negative'] ?? {}) as Msg)
  }),
  summary: point => ({
    kind: 'summary',
    count: Number(long(point, 'count')),
    sum: int(point, 'sum'),
    quantiles: list(point, 'quantileValues').map(value => ({ quantile: int(value, 'quantile'), value: int(value, 'value') }))
  })
}

function exemplarOf(exemplar: Msg): OtlpExemplar {
  return {
    attributes: attributes(exemplar, 'filteredAttributes'),
    timeNs: long(exemplar, 'timeUnixNano'),
    value: numberOf(exemplar),
    traceId: hex(exemplar, 'traceId'),
    spanId: hex(exemplar, 'spanId')
  }
}

function numberOf(point: Msg): number {
  return has(point, 'asInt') ? Number(signed(point['asInt'])) : int(point, 'asDouble')
}

function counts(message: Msg): number[] {
  return ((message['bucketCounts'] ?? []) as unknown[]).map(count => Number(unsigned(count)))
}

function bucketsOf(buckets: Msg): { offset: number; counts: number[] } {
  return { offset: int(buckets, 'offset'), counts: counts(buckets) }
}
