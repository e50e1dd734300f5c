import { describe, expect, it } from '@jest/globals'
import { MAX_FIELDS } from '../../../src/otlp/protobuf/groups.js'
import { decodeLogs } from '../../../src/otlp/protobuf/logs.js'
import { decodeMetrics } from '../../../src/otlp/protobuf/metrics.js'
import { decodeSpans } from '../../../src/otlp/protobuf/spans.js'
import type { DecodeSteps } from '../../../src/otlp/steps.js'
import { MalformedProtobuf } from '../../../src/wire/protobuf/malformed-protobuf.js'
import { message } from '../../support/protobuf.js'

const MAX_RECORDS = 100
/** Twenty times what is read between two pauses. */
const MANY = 400_000

/** So many fields of two bytes: an empty message under this number, or zero for one that no message has. */
const fields = (number: number, count: number): Buffer => Buffer.alloc(2 * count, Buffer.from([(number << 3) | 2, 0]))
const UNKNOWN = 14

function run<Item>(steps: DecodeSteps<Item>): { readonly items: readonly Item[]; readonly pauses: number } {
  for (let pauses = 0; ; pauses++) {
    const step = steps.next()
    if (step.done) return { items: step.value, pauses }
  }
}

const inResource = (...parts: readonly Buffer[]): Buffer => message(1, ...parts)
const inScope = (...parts: readonly Buffer[]): Buffer => inResource(message(2, ...parts))
const inRecord = (...parts: readonly Buffer[]): Buffer => inScope(message(2, ...parts))

describe('an OTLP message of hundreds of thousands of fields', () => {
  it.each([
    ['empty resources', fields(1, MANY)],
    ['fields of a request', fields(UNKNOWN, MANY)],
    ['fields of a resource', inResource(fields(UNKNOWN, MANY))],
    [
      'empty attributes of resources',
      Buffer.concat(Array.from({ length: 4 }, () => inResource(message(1, fields(1, MANY / 4)))))
    ],
    ['fields of a scope', inScope(fields(UNKNOWN, MANY))],
    ['empty scopes', inResource(fields(1, MANY))]
  ])('is read in steps: %s', (_name, body) => {
    const { items, pauses } = run(decodeSpans(body, MAX_RECORDS))
    expect(items).toEqual([])
    // A part that is read without a pause may be as long as five steps.
    expect(pauses).toBeGreaterThanOrEqual(4)
  })

  it.each([
    ['a span', decodeSpans, 9],
    ['a log, unknown ones', decodeLogs, UNKNOWN],
    ['a log', decodeLogs, 6]
  ])('is read or refused by the bound of one record: %s', (_name, decode, field) => {
    const read = (count: number): number => run<unknown>(decode(inRecord(fields(field, count)), MAX_RECORDS)).items.length
    expect(read(MAX_FIELDS)).toBe(1)
    expect(() => read(MAX_FIELDS + 1)).toThrow(MalformedProtobuf)
    expect(() => read(MAX_FIELDS + 1)).toThrow(`more than ${MAX_FIELDS} fields`)
  })

  it('is refused by the bound of one resource and scope', () => {
    const read = (body: Buffer): unknown => run(decodeSpans(body, MAX_RECORDS)).items
    for (const wrap of [inResource, inScope]) {
      expect(read(wrap(message(1, fields(UNKNOWN, MAX_FIELDS - 1))))).toEqual([])
      expect(() => read(wrap(message(1, fields(UNKNOWN, MAX_FIELDS))))).toThrow(MalformedProtobuf)
    }
  })

  it('pauses between the records that have them', () => {
    const record = message(2, fields(9, MAX_FIELDS / 2))
    const { items, pauses } = run(decodeSpans(inScope(record, record, record), MAX_RECORDS))
    expect([items.length, pauses]).toEqual([3, 3])
  })

  it('pauses between the points of a metric, each of which has its bound', () => {
    const metric = (count: number): Buffer => {
      const point = message(1, fields(7, count))
      return inRecord(message(5, point, point, point))
    }
    const { items, pauses } = run(decodeMetrics(metric(MAX_FIELDS), MAX_RECORDS))
    expect([items.length, pauses]).toEqual([3, 3])
    expect(() => run(decodeMetrics(metric(MAX_FIELDS + 1), MAX_RECORDS))).toThrow(MalformedProtobuf)
  })

  it('is refused when they are within a group that is passed over', () => {
    const group = (count: number): Buffer => Buffer.concat([Buffer.from([0x73]), fields(UNKNOWN, count), Buffer.from([0x74])])
    expect(run(decodeSpans(group(MAX_FIELDS - 2), MAX_RECORDS)).items).toEqual([])
    expect(() => run(decodeSpans(group(MAX_FIELDS - 1), MAX_RECORDS))).toThrow(MalformedProtobuf)
  })
})
