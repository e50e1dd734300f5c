import { describe, expect, it } from '@jest/globals'
import * as fc from 'fast-check'
import type { GroupNames } from '../../../src/otlp/json/cut-records.js'
import { readJsonGroups } from '../../../src/otlp/json/groups.js'
import { MalformedOtlp } from '../../../src/otlp/model.js'
import { TooManyRecords } from '../../../src/otlp/steps.js'

const NAMES: GroupNames = { resources: 'resourceLogs', scopes: 'scopeLogs', records: 'logRecords' }
const WHOLE = 1_000_000

interface Found {
  readonly records: readonly unknown[]
  readonly pauses: number
}

/** What is read of a body: each record with its scope and resource. */
function read(body: string, largeBytes: number, maxRecords = 1_000): Found {
  const steps = readJsonGroups<unknown>(
    Buffer.from(body),
    maxRecords,
    NAMES,
    (record, { name, resource }, into) => {
      into.push({ record: structuredClone(record), name, resource: { ...resource.attributes } })
    },
    largeBytes
  )
  let pauses = 0
  for (;;) {
    const step = steps.next()
    if (step.done) return { records: step.value, pauses }
    pauses++
  }
}

/** Names and brackets in strings, as those of the structure are. */
const strings = fc.oneof(
  fc.string(),
  fc.constantFrom('logRecords', '"logRecords":[', '\\', ']}', '{"scopeLogs":[{"logRecords":[1]}]}', 'é\u2028')
)
const records = fc.array(
  fc.record({ body: strings, logRecords: fc.array(fc.nat(), { maxLength: 2 }), n: fc.maxSafeInteger() }, { requiredKeys: [] }),
  { maxLength: 6 }
)
const scopes = fc.array(
  fc.record({ scope: fc.record({ name: strings }), logRecords: records, schemaUrl: strings }, { requiredKeys: [] }),
  { maxLength: 3 }
)
const attributes = fc.array(fc.record({ key: strings, value: fc.record({ stringValue: strings }) }), { maxLength: 2 })
const bodies = fc.record(
  {
    resourceLogs: fc.array(fc.record({ resource: fc.record({ attributes }), scopeLogs: scopes }, { requiredKeys: [] }), {
      maxLength: 3
    }),
    scopeLogs: scopes,
    logRecords: records
  },
  { requiredKeys: [] }
)

describe('a large body of OTLP in JSON', () => {
  it('is read in slices as it is read whole', () => {
    fc.assert(
      fc.property(bodies, fc.constantFrom(undefined, 1, '\t'), fc.integer({ min: 2, max: 200 }), (body, space, largeBytes) => {
        const text = JSON.stringify(body, null, space)
        expect(read(text, largeBytes).records).toEqual(read(text, WHOLE).records)
      })
    )
  })

  it('is refused in slices where it is refused whole', () => {
    const sample = JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords: [{ a: 1 }, { b: [2] }] }] }] })
    const outcome = (text: string, largeBytes: number): unknown => {
      try {
        return read(text, largeBytes).records
      } catch (error) {
        return error instanceof MalformedOtlp
      }
    }
    fc.assert(
      fc.property(
        fc.nat({ max: sample.length - 1 }),
        fc.constantFrom('', ',', '[', ']', '{', '}', '"', '1', ' '),
        fc.constantFrom(0, 1),
        (at, instead, removed) => {
          const text = sample.slice(0, at) + instead + sample.slice(at + removed)
          expect(outcome(text, 4)).toEqual(outcome(text, WHOLE))
        }
      ),
      { numRuns: 1_000 }
    )
  })

  it.each(['[{"a":1},]', '[{"a":1}, \n]', '[,{"a":1}]', '[{"a":1},,{"a":2}]', '[,]', '[     ,{"a":1}]'])(
    'is malformed with the list %j',
    list => {
      expect(() => read(`{"resourceLogs":[{"scopeLogs":[{"logRecords":${list}}]}]}`, 8)).toThrow(MalformedOtlp)
    }
  )

  it.each([
    ['numbers in the place of records', '{"resourceLogs":[{"scopeLogs":[{"logRecords":[0]}]}]}'],
    ['numbers under a name with an escape', '{"resourceLogs":[{"scopeLogs":[{"log\\u0052ecords":[0]}]}]}'],
    ['the end of the body', '{"resourceLogs":[{"scopeLogs":[{"logRecords":[{}']
  ])('is malformed with %s', (_what, text) => {
    expect(() => read(text, 4)).toThrow(MalformedOtlp)
  })

  it.each([
    ['an escape', '{"log\\u0052ecords":[{"n":1},{"n":2}]}'],
    ['an escape next to one without', '{"logRecords":[{"n":1}]},{"log\\u0052ecords":[{"n":2}]}'],
    ['a duplicate name', '{"logRecords":[{"n":0}],"logRecords":[{"n":1},{"n":2}]}']
  ])('is read whole with %s', (_what, scopesText) => {
    const found = read(`{"resourceLogs":[{"scopeLogs":[${scopesText}]}]}`, 4)
    expect(found.records.map(each => (each as { record: unknown }).record)).toEqual([{ n: 1 }, { n: 2 }])
  })

  it('reads each list once, whoever points at it', () => {
    const real = '{"logRecords":[{"n":1},{"n":2}]}'
    const others = Array.from({ length: 50 }, () => '{"log\\u0052ecords":[0]}').join()
    expect(() => read(`{"resourceLogs":[{"scopeLogs":[${real},${others}]}]}`, 4)).toThrow(MalformedOtlp)
  })

  it('lets others go first after each slice', () => {
    const record = { body: { stringValue: 'x'.repeat(900) } }
    const text = JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords: Array.from({ length: 100 }, () => record) }] }] })
    const { records: found, pauses } = read(text, 10_000)
    expect(found).toHaveLength(100)
    // Once more per slice of 5,000 bytes while the structure is looked for.
    expect(pauses).toBeGreaterThan((2 * text.length) / 6_500)
  })

  it('holds no more records than a request may', () => {
    const text = JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords: Array.from({ length: 11 }, () => ({})) }] }] })
    expect(() => read(text, 4, 10)).toThrow(TooManyRecords)
    expect(read(text, 4, 11).records).toHaveLength(11)
  })
})
