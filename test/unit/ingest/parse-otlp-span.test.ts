import { describe, expect, it } from '@jest/globals'
import { DEFAULT_INGEST_LIMITS } from '../../../src/ingest/limits.js'
import { parseOtlpSpan } from '../../../src/ingest/parse-otlp-span.js'
import type { OtlpSpan } from '../../../src/otlp/model.js'
import type { Span } from '../../../src/domain/span.js'
import { accepted, itemCheck, NOW_NS, refusal } from './items.js'

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c'
const SPAN_ID = 'b7ad6b7169203331'
const { fields, depth, fieldValueBytes, spanEvents, spanLinks } = DEFAULT_INGEST_LIMITS

const SCOPE = {
  resource: { attributes: { 'service.name': 'checkout', 'host.name': 'web-1', region: 'eu' }, schemaUrl: '' },
  name: 'demo',
  version: '1.0',
  attributes: { team: 'shop' }
}

function otlp(changes: Partial<OtlpSpan> = {}): OtlpSpan {
  return {
    scope: SCOPE,
    traceId: TRACE_ID,
    spanId: SPAN_ID,
    parentSpanId: '',
    traceState: '',
    flags: 0,
    name: 'GET /cart',
    kind: 2,
    startTimeNs: NOW_NS - 10n,
    endTimeNs: NOW_NS,
    attributes: {},
    droppedAttributes: 0,
    events: [],
    droppedEvents: 0,
    links: [],
    droppedLinks: 0,
    statusCode: 0,
    statusMessage: '',
    ...changes
  }
}

const parse = (changes: Partial<OtlpSpan> = {}): Span => accepted<Span>(parseOtlpSpan(otlp(changes), itemCheck()))
const refused = (changes: Partial<OtlpSpan>): string => refusal(parseOtlpSpan(otlp(changes), itemCheck()))

const event = (attributes: OtlpSpan['attributes'] = {}) => ({ timeNs: NOW_NS - 5n, name: 'exception', attributes })
const link = (traceId = TRACE_ID, spanId = SPAN_ID) => ({ traceId, spanId, traceState: '', attributes: {} })
const nested = (levels: number): OtlpSpan['attributes'] => (levels === 1 ? { leaf: 1 } : { next: nested(levels - 1) })
const many = (count: number): OtlpSpan['attributes'] => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i]))

describe('an OTLP span', () => {
  it('keeps everything that it contained', () => {
    const attributes = { 'http.method': 'GET', list: [1, 'two'], map: { a: true } }
    const span = parse({
      parentSpanId: '00f067aa0ba902b7',
      traceState: 'vendor=1',
      flags: 0x301,
      attributes,
      droppedAttributes: 1,
      events: [event({ 'exception.type': 'E' })],
      droppedEvents: 2,
      links: [{ traceId: SPAN_ID + SPAN_ID, spanId: SPAN_ID, traceState: 'a=b', attributes: { why: 'retry' } }],
      droppedLinks: 3,
      statusCode: 2,
      statusMessage: 'boom'
    })
    expect(span).toEqual({
      index: 7,
      traceId: TRACE_ID,
      spanId: SPAN_ID,
      parentSpanId: '00f067aa0ba902b7',
      traceState: 'vendor=1',
      timestampNs: NOW_NS - 10n,
      durationNs: 10n,
      name: 'GET /cart',
      kind: 'server',
      status: 'error',
      statusMessage: 'boom',
      service: 'checkout',
      host: 'web-1',
      scopeName: 'demo',
      scopeVersion: '1.0',
      flags: 0x301,
      attributes,
      resource: {
        'service.name': 'checkout',
        'host.name': 'web-1',
        region: 'eu',
        'otel.scope.name': 'demo',
        'otel.scope.version': '1.0',
        'otel.scope.team': 'shop'
      },
      events: [{ name: 'exception', timestampNs: NOW_NS - 5n, attributes: { 'exception.type': 'E' } }],
      links: [{ traceId: SPAN_ID + SPAN_ID, spanId: SPAN_ID, traceState: 'a=b', attributes: { why: 'retry' } }],
      dropped: { attributes: 1, events: 2, links: 3 }
    })
  })

  it.each<[string, Partial<OtlpSpan>, string]>([
    ['without a trace id', { traceId: '' }, 'invalid_field trace_id'],
    ['with a trace id of zeros', { traceId: '0'.repeat(32) }, 'invalid_field trace_id'],
    ['with a trace id of 15 bytes', { traceId: 'ab'.repeat(15) }, 'invalid_field trace_id'],
    ['with a trace id of 17 bytes', { traceId: 'ab'.repeat(17) }, 'invalid_field trace_id'],
    ['with a span id of zeros', { spanId: '0'.repeat(16) }, 'invalid_field span_id'],
    ['with a span id of 7 bytes', { spanId: 'ab'.repeat(7) }, 'invalid_field span_id'],
    ['with a parent of 16 bytes', { parentSpanId: 'ab'.repeat(16) }, 'invalid_field parent_span_id'],
    ['without any time', { startTimeNs: 0n, endTimeNs: 0n }, 'missing_field start_time_unix_nano'],
    ['before the retention', { startTimeNs: 1n }, 'timestamp_too_old start_time_unix_nano'],
    ['of the future', { startTimeNs: NOW_NS * 2n }, 'timestamp_in_future start_time_unix_nano'],
    ['that ends beyond 63 bits', { endTimeNs: 2n ** 64n - 1n }, 'timestamp_in_future end_time_unix_nano'],
    ['with one attribute too many', { attributes: many(fields + 1) }, 'record_too_large attributes'],
    ['nested one level too deep', { attributes: nested(depth + 1) }, 'record_too_large'],
    ['with a value one byte too long', { attributes: { v: 'x'.repeat(fieldValueBytes + 1) } }, 'record_too_large attributes.v'],
    ['with a name one byte too long', { name: 'x'.repeat(fieldValueBytes + 1) }, 'record_too_large name'],
    ['whose event has one attribute too many', { events: [event(many(fields + 1))] }, 'record_too_large events'],
    ['whose link has one attribute too many', { links: [{ ...link(), attributes: many(fields + 1) }] }, 'record_too_large links']
  ])('%s is refused', (_, changes, expected) => {
    expect(refused(changes)).toMatch(new RegExp(`^${expected}`))
  })

  it('is taken at every bound', () => {
    parse({ attributes: many(fields), name: 'x'.repeat(fieldValueBytes) })
    parse({ attributes: nested(depth), events: [event(many(fields))] })
    parse({ attributes: { v: 'x'.repeat(fieldValueBytes) } })
  })

  it.each<[string, Partial<OtlpSpan>, Partial<Span>]>([
    ['that ended before it began lasts no time', { endTimeNs: NOW_NS - 20n }, { durationNs: 0n }],
    ['that did not end lasts no time', { endTimeNs: 0n }, { durationNs: 0n }],
    ['without a start is stored at its end', { startTimeNs: 0n }, { timestampNs: NOW_NS, durationNs: 0n }],
    ['of a kind of later versions is unspecified', { kind: 6 }, { kind: 'unspecified' }],
    ['of a status of later versions is unset', { statusCode: 3 }, { status: 'unset' }],
    ['whose parent is all zero is a root', { parentSpanId: '0'.repeat(16) }, { parentSpanId: null }],
    ['without a name has none', { name: '' }, { name: '' }],
    [
      'without a service has none',
      { scope: { ...SCOPE, resource: { attributes: {}, schemaUrl: '' } } },
      { service: null, host: null }
    ]
  ])('%s', (_, changes, expected) => {
    expect(parse(changes)).toMatchObject(expected)
  })

  it('keeps the first events and links up to their limits and counts the others as dropped', () => {
    const events = (count: number) => Array.from({ length: count }, () => event())
    const links = (count: number) => Array.from({ length: count }, () => link())
    expect(parse({ events: events(spanEvents), links: links(spanLinks) }).dropped).toEqual({ attributes: 0, events: 0, links: 0 })
    const beyond = parse({ events: events(spanEvents + 2), links: links(spanLinks + 3), droppedEvents: 1, droppedLinks: 1 })
    expect(beyond.events).toHaveLength(spanEvents)
    expect(beyond.links).toHaveLength(spanLinks)
    expect(beyond.dropped).toEqual({ attributes: 0, events: 3, links: 4 })
  })

  it('counts links that lead nowhere as dropped', () => {
    const span = parse({ links: [link(), link('00'.repeat(16)), link(TRACE_ID, ''), link('ab')] })
    expect([span.links.length, span.dropped.links]).toEqual([1, 3])
  })

  it('is not lost for a long stack trace, which is cut', () => {
    const stack = 'at é\n'.repeat(fieldValueBytes)
    const [kept] = parse({ events: [event({ 'exception.stacktrace': stack, 'exception.type': 'E' })] }).events
    expect(stack.startsWith(kept!.attributes['exception.stacktrace'] as string)).toBe(true)
    expect(kept!.attributes['exception.type']).toBe('E')
    expect(refused({ events: [event({ other: stack })] })).toMatch(/^record_too_large/)
  })

  it('lets a key like __proto__ be only a key', () => {
    const attributes = JSON.parse('{"__proto__":"x"}') as OtlpSpan['attributes']
    expect(Object.keys(parse({ attributes }).attributes)).toEqual(['__proto__'])
  })
})
