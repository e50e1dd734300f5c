import { describe, expect, it } from '@jest/globals'
import { decodeJsonSpans } from '../../../src/otlp/json/spans.js'
import { MalformedOtlp, type OtlpSpan } from '../../../src/otlp/model.js'
import { decodeMetrics } from '../../../src/otlp/protobuf/metrics.js'
import { decodeSpans } from '../../../src/otlp/protobuf/spans.js'
import { type DecodeSteps, TooManyRecords } from '../../../src/otlp/steps.js'
import { MalformedProtobuf } from '../../../src/wire/protobuf/malformed-protobuf.js'
import { double, fixed32, fixed64, int, keyValue, message } from '../../support/protobuf.js'

const MAX = 1_000
const TRACE_ID = '0af7651916cd43dd8448eb211c80319c'
const SPAN_ID = 'b7ad6b7169203331'
const hex = (text: string): Buffer => Buffer.from(text, 'hex')
const text = (value: string): Buffer => message(1, value)

function run<Item>(steps: DecodeSteps<Item>): Item[] {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

function request(...spans: readonly Buffer[]): Buffer {
  const scope = message(1, text('demo'), message(2, '1.0'), keyValue(3, 'team', text('shop')))
  return message(1, message(1, keyValue(1, 'service.name', text('checkout'))), message(2, scope, ...spans))
}

const IN_PROTOBUF = request(
  message(
    2,
    message(1, hex(TRACE_ID)),
    message(2, hex(SPAN_ID)),
    message(3, 'vendor=1'),
    message(4, hex('00f067aa0ba902b7')),
    message(5, 'GET /cart'),
    int(6, 2),
    fixed64(7, 1_700_000_000_123_456_789n),
    fixed64(8, 1_700_000_001_000_000_001n),
    keyValue(9, 'http.status_code', int(3, 200)),
    keyValue(9, 'big', int(3, 9_007_199_254_740_993n)),
    int(10, 3),
    message(
      11,
      fixed64(1, 1_700_000_000_500_000_000n),
      message(2, 'exception'),
      keyValue(3, 'exception.type', text('E')),
      int(4, 9)
    ),
    int(12, 4),
    message(
      13,
      message(1, hex(SPAN_ID + SPAN_ID)),
      message(2, hex(SPAN_ID)),
      message(3, 'a=b'),
      keyValue(4, 'why', text('retry')),
      fixed32(6, 1)
    ),
    int(14, 5),
    message(15, message(2, 'boom'), int(3, 2)),
    fixed32(16, 0x301)
  )
)

const IN_JSON = {
  resourceSpans: [
    {
      resource: { attributes: [{ key: 'service.name', value: { stringValue: 'checkout' } }] },
      scopeSpans: [
        {
          scope: { name: 'demo', version: '1.0', attributes: [{ key: 'team', value: { stringValue: 'shop' } }] },
          spans: [
            {
              traceId: TRACE_ID.toUpperCase(),
              spanId: SPAN_ID,
              traceState: 'vendor=1',
              parentSpanId: '00F067AA0BA902B7',
              name: 'GET /cart',
              kind: 2,
              startTimeUnixNano: '1700000000123456789',
              endTimeUnixNano: 1700000001000000001n,
              attributes: [
                { key: 'http.status_code', value: { intValue: '200' } },
                { key: 'big', value: { intValue: '9007199254740993' } }
              ],
              droppedAttributesCount: 3,
              events: [
                {
                  timeUnixNano: '1700000000500000000',
                  name: 'exception',
                  attributes: [{ key: 'exception.type', value: { stringValue: 'E' } }]
                }
              ],
              droppedEventsCount: 4,
              links: [
                {
                  traceId: SPAN_ID + SPAN_ID,
                  spanId: SPAN_ID,
                  traceState: 'a=b',
                  attributes: [{ key: 'why', value: { stringValue: 'retry' } }]
                }
              ],
              droppedLinksCount: 5,
              status: { message: 'boom', code: 2 },
              flags: 0x301,
              memberOfALaterVersion: { x: 1 }
            }
          ]
        }
      ]
    }
  ]
}

const EXPECTED: OtlpSpan = {
  scope: {
    resource: { attributes: { 'service.name': 'checkout' }, schemaUrl: '' },
    name: 'demo',
    version: '1.0',
    attributes: { team: 'shop' }
  },
  traceId: TRACE_ID,
  spanId: SPAN_ID,
  parentSpanId: '00f067aa0ba902b7',
  traceState: 'vendor=1',
  flags: 0x301,
  name: 'GET /cart',
  kind: 2,
  startTimeNs: 1_700_000_000_123_456_789n,
  endTimeNs: 1_700_000_001_000_000_001n,
  attributes: { 'http.status_code': 200, big: '9007199254740993' },
  droppedAttributes: 3,
  events: [{ timeNs: 1_700_000_000_500_000_000n, name: 'exception', attributes: { 'exception.type': 'E' } }],
  droppedEvents: 4,
  links: [{ traceId: SPAN_ID + SPAN_ID, spanId: SPAN_ID, traceState: 'a=b', attributes: { why: 'retry' } }],
  droppedLinks: 5,
  statusCode: 2,
  statusMessage: 'boom'
}

/** JSON in which a bigint is a number. */
function json(value: object): Buffer {
  const quoted = JSON.stringify(value, (_, member: unknown) => (typeof member === 'bigint' ? `#${member}#` : member))
  return Buffer.from(quoted.replace(/"#(\d+)#"/g, '$1'))
}

describe('a span', () => {
  it('has every field of its message, in both encodings', () => {
    expect(run(decodeSpans(IN_PROTOBUF, MAX))).toEqual([EXPECTED])
    expect(run(decodeJsonSpans(json(IN_JSON), MAX))).toEqual([EXPECTED])
  })

  it('without any field is one of defaults', () => {
    const [inProtobuf] = run(decodeSpans(message(1, message(2, message(2))), MAX))
    const [inJson] = run(decodeJsonSpans(json({ resourceSpans: [{ scopeSpans: [{ spans: [{}] }] }] }), MAX))
    expect(inProtobuf).toMatchObject({ traceId: '', kind: 0, startTimeNs: 0n, events: [], links: [], statusCode: 0, flags: 0 })
    expect(inJson).toEqual(inProtobuf)
  })

  it('whose status comes in two parts has both', () => {
    const parts = message(2, message(15, message(2, 'a')), message(15, int(3, 1)))
    expect(run(decodeSpans(request(parts), MAX))).toMatchObject([{ statusCode: 1, statusMessage: 'a' }])
  })

  it('whose id is not hex makes its JSON malformed', () => {
    const body = json({ resourceSpans: [{ scopeSpans: [{ spans: [{ traceId: 'CvdlGRbNQ92ESOshHIAxnA==' }] }] }] })
    expect(() => run(decodeJsonSpans(body, MAX))).toThrow(MalformedOtlp)
  })
})

describe('a request', () => {
  it.each([499, 500, 501, 1_000])('of %d spans gives them all, in their order', count => {
    const spans = Array.from({ length: count }, (_, i) => message(2, message(5, `s${i}`)))
    const names = run(decodeSpans(request(...spans), MAX)).map(span => span.name)
    expect(names).toEqual(Array.from({ length: count }, (_, i) => `s${i}`))
  })

  it('with more records than the limit is refused as a whole, in both encodings', () => {
    expect(run(decodeSpans(request(...Array.from({ length: 3 }, () => message(2))), 3))).toHaveLength(3)
    expect(() => run(decodeSpans(request(...Array.from({ length: 4 }, () => message(2))), 3))).toThrow(TooManyRecords)
    const spans = { resourceSpans: [{ scopeSpans: [{ spans: [{}, {}, {}, {}] }] }] }
    expect(run(decodeJsonSpans(json(spans), 4))).toHaveLength(4)
    expect(() => run(decodeJsonSpans(json(spans), 3))).toThrow(TooManyRecords)
  })

  it('counts the data points of one metric, too', () => {
    const metric = (points: number): Buffer =>
      message(1, message(2, message(2, message(5, ...Array.from({ length: points }, () => message(1, double(4, 1)))))))
    expect(run(decodeMetrics(metric(3), 3))).toHaveLength(3)
    expect(() => run(decodeMetrics(metric(4), 3))).toThrow(TooManyRecords)
  })

  it('of empty messages without end does not fill the memory', () => {
    const empty = Buffer.alloc(200_000, Buffer.from([0x12, 0x00]))
    expect(() => run(decodeSpans(message(1, message(2, empty)), 10))).toThrow(MalformedProtobuf)
  })

  it('of a span with more events and links than are read counts the others as dropped', () => {
    const repeated = (field: number, count: number): Buffer => Buffer.concat(Array.from({ length: count }, () => message(field)))
    const [full] = run(decodeSpans(request(message(2, repeated(11, 1_000), repeated(13, 1_000))), MAX))
    expect(full).toMatchObject({ droppedEvents: 0, droppedLinks: 0 })
    const [over] = run(decodeSpans(request(message(2, repeated(11, 1_003), int(12, 4), repeated(13, 1_002))), MAX))
    expect([over!.events.length, over!.droppedEvents, over!.links.length, over!.droppedLinks]).toEqual([1_000, 7, 1_000, 2])
  })

  it('whose histogram has more buckets than any is refused', () => {
    const buckets = (count: number): Buffer =>
      message(1, message(2, message(2, message(9, message(1, message(6, Buffer.alloc(count * 8)))))))
    expect(run(decodeMetrics(buckets(65_536), MAX))).toHaveLength(1)
    expect(() => run(decodeMetrics(buckets(65_537), MAX))).toThrow(MalformedProtobuf)
  })
})
