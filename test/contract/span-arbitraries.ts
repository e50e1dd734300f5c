import fc from 'fast-check'
import type { JsonObject } from '../../src/domain/json.js'
import { SPAN_KINDS, SPAN_STATUSES, type Span, type SpanEvent, type SpanLink } from '../../src/domain/span.js'

const text = fc.string({ unit: 'grapheme', maxLength: 20 })
const object = fc.dictionary(text, fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 }) as fc.Arbitrary<JsonObject>
const timeNs = fc.bigInt({ min: 0n, max: 2n ** 62n })

function hex(length: number): fc.Arbitrary<string> {
  return fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: length, maxLength: length })
}

const event: fc.Arbitrary<SpanEvent> = fc.record({
  name: fc.oneof(fc.constant('exception'), text),
  timestampNs: timeNs,
  attributes: object
})
const link: fc.Arbitrary<SpanLink> = fc.record({ traceId: hex(32), spanId: hex(16), traceState: text, attributes: object })
const dropped = fc.nat({ max: 9 })

/** Any span. */
export const spanArbitrary: fc.Arbitrary<Span> = fc.record({
  index: fc.constant(7),
  traceId: hex(32),
  spanId: hex(16),
  parentSpanId: fc.option(hex(16)),
  traceState: text,
  timestampNs: timeNs,
  durationNs: timeNs,
  name: text,
  kind: fc.constantFrom(...SPAN_KINDS),
  status: fc.constantFrom(...SPAN_STATUSES),
  statusMessage: fc.option(text),
  service: fc.option(text),
  host: fc.option(text),
  scopeName: text,
  scopeVersion: text,
  flags: fc.nat({ max: 2 ** 32 - 1 }),
  attributes: object,
  resource: object,
  events: fc.array(event, { maxLength: 3 }),
  links: fc.array(link, { maxLength: 2 }),
  dropped: fc.record({ attributes: dropped, events: dropped, links: dropped })
})
