import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { OtlpLog } from '../../../src/otlp/model.js'
import type { DecodeSteps } from '../../../src/otlp/steps.js'
import { decodeLogs as decodeLogsWithin } from '../../../src/otlp/protobuf/logs.js'
import { decodeMetrics as decodeMetricsWithin } from '../../../src/otlp/protobuf/metrics.js'
import { MalformedProtobuf } from '../../../src/wire/protobuf/malformed-protobuf.js'
import { double, fixed32, fixed64, int, keyValue, message } from '../../support/protobuf.js'

function run<Item>(steps: DecodeSteps<Item>): Item[] {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

const MAX = 1_000
const decodeLogs = (body: Buffer) => decodeLogsWithin(body, MAX)
const decodeMetrics = (body: Buffer) => decodeMetricsWithin(body, MAX)

const RESOURCE = message(1, keyValue(1, 'service.name', message(1, 'checkout')))
const SCOPE = message(1, message(1, 'demo'), message(2, '1.0'), keyValue(3, 'team', message(1, 'shop')))
const BODY = message(5, message(1, 'paid'))

function logsOf(...records: readonly Buffer[]): Buffer {
  return message(1, RESOURCE, message(2, SCOPE, ...records.map(record => message(2, record))))
}

function onlyLog(...fields: readonly Buffer[]): OtlpLog {
  return run(decodeLogs(logsOf(Buffer.concat(fields))))[0]!
}

describe('a log record', () => {
  it('has every field of its message', () => {
    const log = onlyLog(
      fixed64(1, 1_700_000_000_123_456_789n),
      int(2, 17),
      message(3, 'ERROR'),
      BODY,
      keyValue(6, 'order', int(3, 7)),
      int(7, 1),
      fixed32(8, 1),
      message(9, Buffer.from('0af7651916cd43dd8448eb211c80319c', 'hex')),
      message(10, Buffer.from('b7ad6b7169203331', 'hex')),
      fixed64(11, 1_700_000_000_000_000_001n),
      message(12, 'order.paid')
    )
    expect(log).toEqual({
      scope: {
        resource: { attributes: { 'service.name': 'checkout' }, schemaUrl: '' },
        name: 'demo',
        version: '1.0',
        attributes: { team: 'shop' }
      },
      timeNs: 1_700_000_000_123_456_789n,
      observedTimeNs: 1_700_000_000_000_000_001n,
      severityNumber: 17,
      severityText: 'ERROR',
      body: 'paid',
      attributes: { order: 7 },
      traceId: '0af7651916cd43dd8448eb211c80319c',
      spanId: 'b7ad6b7169203331',
      flags: 1,
      eventName: 'order.paid'
    })
  })

  it.each<[string, Buffer, unknown]>([
    ['a text', message(1, 'ÉCLAIR 🍰'), 'ÉCLAIR 🍰'],
    ['a string of bytes that are not UTF-8', message(1, Buffer.from([0x61, 0xff])), 'a\ufffd'],
    ['true', int(2, 1), true],
    ['an integer', int(3, -5n), -5],
    ['the largest safe integer', int(3, 9_007_199_254_740_991n), 9_007_199_254_740_991],
    ['an integer beyond 2^53', int(3, 9_007_199_254_740_993n), '9007199254740993'],
    ['the smallest integer', int(3, -(2n ** 63n)), '-9223372036854775808'],
    ['a negative integer', int(3, -1), -1],
    ['the largest exact integer', int(3, 2n ** 53n - 1n), 2 ** 53 - 1],
    ['the smallest exact integer', int(3, 1n - 2n ** 53n), 1 - 2 ** 53],
    ['a double', double(4, 0.1), 0.1],
    ['NaN', double(4, Number.NaN), 'NaN'],
    ['infinity', double(4, -Infinity), '-Infinity'],
    ['an array', message(5, message(1, int(3, 1)), message(1, message(1, 'two'))), [1, 'two']],
    ['a map', message(6, keyValue(1, '__proto__', int(3, 1))), Object.assign(Object.create(null), JSON.parse('{"__proto__":1}'))],
    ['bytes', message(7, Buffer.from([1, 2, 3])), 'AQID'],
    ['nothing', Buffer.alloc(0), null]
  ])('accepts %s', (_, value, expected) => {
    expect(onlyLog(message(5, value)).body).toEqual(expected)
  })

  it('lets a key like __proto__ be only a key', () => {
    const { attributes } = onlyLog(keyValue(6, '__proto__', message(1, 'x')))
    expect(Object.keys(attributes)).toEqual(['__proto__'])
    expect(({} as Record<string, unknown>)['x']).toBeUndefined()
  })
})

describe('a request', () => {
  it('may be empty', () => {
    expect(run(decodeLogs(Buffer.alloc(0)))).toEqual([])
  })

  it('accepts fields of later versions, which are ignored', () => {
    const unknown = [
      int(99, 1),
      fixed64(98, 1n),
      message(97, 'x'),
      fixed32(96, 1),
      Buffer.from([0x9b, 0x06, 0x08, 0x01, 0x9c, 0x06])
    ]
    expect(run(decodeLogs(Buffer.concat([...unknown, logsOf(Buffer.concat([...unknown, BODY]))])))).toHaveLength(1)
  })

  it('may name the resource and the scope behind their records', () => {
    const [log] = run(decodeLogs(message(1, message(2, message(2, BODY), SCOPE), RESOURCE)))
    expect(log!.scope).toMatchObject({ name: 'demo', resource: { attributes: { 'service.name': 'checkout' } } })
  })

  it('shares one resource and one scope among all records', () => {
    const [first, second] = run(decodeLogs(logsOf(BODY, BODY)))
    expect(first!.scope).toBe(second!.scope)
  })

  it('reads nesting of any depth without a stack overflow', () => {
    let value = message(1, 'deep')
    for (let i = 0; i < 20_000; i++) value = message(5, message(1, value))
    expect(() => onlyLog(message(5, value))).not.toThrow()
  })

  it('of which any byte is missing is refused or read, never more', () => {
    const whole = logsOf(Buffer.concat([fixed64(1, 1n), BODY, keyValue(6, 'k', double(4, 1))]))
    for (let length = 1; length < whole.length; length++) {
      expect(() => run(decodeLogs(whole.subarray(0, length)))).toThrow(MalformedProtobuf)
    }
  })

  it.each<[string, Buffer]>([
    ['field number 0', Buffer.from([0x02, 0x00])],
    ['a wire type that does not exist', Buffer.from([0x0e])],
    ['a length beyond the end', Buffer.from([0x0a, 0x7f])],
    ['a varint without end', Buffer.alloc(11, 0xff)],
    ['the end of a group that did not begin', Buffer.from([0x14])],
    ['a wire type that is not that of the field', int(1, 5)]
  ])('with %s is refused', (_, bytes) => {
    expect(() => run(decodeLogs(bytes))).toThrow(MalformedProtobuf)
  })

  it('of any bytes is read or refused', () => {
    const tokens = fc.constantFrom(
      int(1, 1),
      message(2, BODY),
      logsOf(BODY),
      Buffer.from([0x0a]),
      double(3, 1),
      Buffer.from([0xff])
    )
    const bodies = fc.oneof(
      fc.uint8Array({ maxLength: 64 }).map(bytes => Buffer.from(bytes)),
      fc.array(tokens).map(parts => Buffer.concat(parts))
    )
    fc.assert(
      fc.property(bodies, body => {
        for (const decode of [decodeLogs, decodeMetrics]) {
          try {
            run<unknown>(decode(body))
          } catch (error) {
            expect(error).toBeInstanceOf(MalformedProtobuf)
          }
        }
      }),
      { numRuns: 3_000 }
    )
  })
})
