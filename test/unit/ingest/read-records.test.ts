import { describe, expect, it } from '@jest/globals'
import * as fc from 'fast-check'
import { isGatewayError } from '../../../src/domain/errors.js'
import { DEFAULT_INGEST_LIMITS, type IngestLimits } from '../../../src/ingest/limits.js'
import { type RawRecords, RecordReader, type Shape, UnreadableItem } from '../../../src/ingest/read-records.js'
import { FairScheduler } from '../../../src/ingest/fair-scheduler.js'

const LOGS: Shape = { kind: 'many', key: 'logs' }
/** With slices of this many bytes every body is a large one. */
const SLICED: IngestLimits = { ...DEFAULT_INGEST_LIMITS, sliceBytes: 8 }

function reader(limits: IngestLimits = DEFAULT_INGEST_LIMITS, shape: Shape = LOGS): RecordReader {
  return new RecordReader(shape, limits, new FairScheduler(limits.largeBodiesBytes))
}

/** The records, or the code of the refusal. */
async function read(body: string | Buffer, form: 'json' | 'ndjson' = 'json', by = reader()): Promise<RawRecords | string> {
  try {
    return await by.read(Buffer.from(body), form)
  } catch (error) {
    if (isGatewayError(error)) return error.code
    throw error
  }
}

const large = (limits: Partial<IngestLimits> = {}): RecordReader => reader({ ...SLICED, ...limits })
// Large bodies are bounded next to their records; these are not about that bound.
const WIDE = { sliceBytes: 40 }

describe('the body of a batch', () => {
  it.each([
    ['an envelope', '{"namespace":"a","logs":[{"message":"x"},{"message":"y"}]}', 'a'],
    ['a bare array', '[{"message":"x"},{"message":"y"}]', undefined],
    ['an envelope with the namespace behind', ' { "logs" : [ {"message":"x"} , {"message":"y"} ] , "namespace" : "a" } ', 'a'],
    ['a byte order mark', '\ufeff[{"message":"x"},{"message":"y"}]', undefined]
  ])('is read from %s, in one go and in slices', async (_name, body, namespace) => {
    const records = { items: [{ message: 'x' }, { message: 'y' }], namespace }
    expect(await read(body)).toEqual(records)
    expect(await read(body, 'json', large(WIDE))).toEqual(records)
  })

  it.each([
    ['nothing', '', 'invalid_json'],
    ['no JSON', 'hello', 'invalid_json'],
    ['half of an array', '[{"message":"x"},', 'invalid_json'],
    ['text behind the array', '[{"message":"x"}] x', 'invalid_json'],
    ['a comma too many', '[{"message":"x"},]', 'invalid_json'],
    ['an object that ends an array', '{"logs":[{"message":"x"}}', 'invalid_json'],
    ['a brace that ends a bare array', `[{"message":"${'x'.repeat(40)}"}}`, 'invalid_json'],
    ['no records', '{"log":[]}', 'missing_field'],
    ['null for records', '{"logs":null}', 'missing_field'],
    ['an object for records', '{"logs":{"message":"some text"}}', 'invalid_field'],
    ['a text', '"some text that is a body"', 'invalid_field'],
    ['a name from the prototype', '{"constructor":[],"toString":[]}', 'missing_field']
  ])('with %s is refused, in one go and in slices', async (_name, body, code) => {
    expect(await read(body)).toBe(code)
    expect(await read(body, 'json', large(WIDE))).toBe(code)
  })
})

describe('a large batch', () => {
  it('is the same in slices of any size, and JSON there is JSON here', async () => {
    const item = fc.oneof(
      fc.record({ message: fc.string(), n: fc.oneof(fc.integer(), fc.constant([1, { a: ']' }])) }),
      fc.constantFrom('],[', '}', '"', '\\', {}, [], null, 1)
    )
    const valid = fc
      .array(item, { maxLength: 12 })
      .chain(items =>
        fc.constantFrom(
          JSON.stringify(items),
          JSON.stringify({ logs: items }),
          JSON.stringify({ a: ['"logs":['], logs: items, namespace: 'n' }, null, 1)
        )
      )
    const broken = fc.tuple(valid, fc.nat(), fc.constantFrom('', ',', ']', '}', '[', '"', '{', ':')).map(([json, at, piece]) => {
      const cut = at % (json.length + 1)
      return json.slice(0, cut) + piece + json.slice(cut + 1)
    })
    await fc.assert(
      fc.asyncProperty(fc.oneof(valid, broken), fc.integer({ min: 2, max: 60 }), async (body, sliceBytes) => {
        const whole = await read(body)
        const sliced = await read(body, 'json', large({ sliceBytes: sliceBytes * 2 }))
        // Only members next to the records may be refused for their size.
        if (sliced !== 'record_too_large') expect(sliced).toEqual(whole)
      }),
      { numRuns: 3000 }
    )
  })

  it('takes as many records as the limit and not one more', async () => {
    const body = (count: number): string => JSON.stringify(Array.from({ length: count }, () => ({ message: 'x' })))
    for (const sliceBytes of [8, 1024]) {
      const by = large({ batchRecords: 5, sliceBytes })
      expect(await read(body(5), 'json', by)).toMatchObject({ items: { length: 5 } })
      expect(await read(body(6), 'json', by)).toBe('payload_too_large')
    }
    expect(await read('1\n2\n3\n4\n5\n', 'ndjson', large({ batchRecords: 5 }))).toMatchObject({ items: { length: 5 } })
    expect(await read('1\n2\n3\n4\n5\n6\n', 'ndjson', large({ batchRecords: 5 }))).toBe('payload_too_large')
  })
})

describe('a batch of hostile size', () => {
  it('reads a record next to one of a million keys, which is refused unparsed', async () => {
    const huge = `{"message":"x",${Array.from({ length: 300_000 }, (_, i) => `"k${i}":1`).join(',')}}`
    const result = await read(`[{"message":"a"},${huge},{"message":"b"}]`)
    expect(result).toMatchObject({ items: [{ message: 'a' }, { code: 'record_too_large' }, { message: 'b' }] })
    expect(await read(huge, 'json', reader(DEFAULT_INGEST_LIMITS, { kind: 'one' }))).toMatchObject({
      items: [{ code: 'record_too_large' }]
    })
    expect(await read(`{"message":"a"}\n${huge}\n`, 'ndjson')).toMatchObject({
      items: [{ message: 'a' }, { code: 'record_too_large' }]
    })
  })

  it('keeps large integers in slices too', async () => {
    const body = '{"logs":[{"n":9223372036854775807},{"n":1},{"n":9223372036854775806}]}'
    expect(await read(body, 'json', large(WIDE))).toMatchObject({
      items: [{ n: '9223372036854775807' }, { n: 1 }, { n: '9223372036854775806' }]
    })
  })

  it('leaves the event loop free while it is read', async () => {
    const body = JSON.stringify({ logs: Array.from({ length: 9000 }, (_, i) => ({ message: `m${i} ${'x'.repeat(900)}` })) })
    let scheduler = 0
    const count = (): void => {
      scheduler++
      timer = setImmediate(count)
    }
    let timer = setImmediate(count)
    const records = await read(body)
    clearImmediate(timer)
    expect(records).toMatchObject({ items: { length: 9000 } })
    expect(scheduler).toBeGreaterThan(30)
  })
})

describe('NDJSON', () => {
  it('makes a broken line an error of that line alone', async () => {
    for (const by of [reader(), large()]) {
      const result = (await read(
        '{"message":"a"}\n\n{"message":\r\n \t\n{"n":9223372036854775807}\r\n{"message":"b"}',
        'ndjson',
        by
      )) as RawRecords
      expect(result.items).toHaveLength(4)
      expect(result.items[1]).toBeInstanceOf(UnreadableItem)
      expect([result.items[0], result.items[2], result.items[3]]).toEqual([
        { message: 'a' },
        { n: '9223372036854775807' },
        { message: 'b' }
      ])
    }
  })

  it('does not read two halves of a line as one record', async () => {
    const result = (await read('{"message":"a"},{"message":"b"}\n[1\n2]\n', 'ndjson')) as RawRecords
    expect(result.items.map(item => item instanceof UnreadableItem)).toEqual([true, true, true])
  })

  it('repairs lone surrogates and bytes that are not UTF-8', async () => {
    const bytes = Buffer.concat([Buffer.from('{"message":"\\ud800"}\n{"message":"'), Buffer.from([0xff]), Buffer.from('"}\n')])
    expect(await read(bytes, 'ndjson')).toMatchObject({ items: [{ message: '\ufffd' }, { message: '\ufffd' }] })
  })
})

describe('the body of one record', () => {
  const one = (limits = DEFAULT_INGEST_LIMITS): RecordReader => reader(limits, { kind: 'one' })

  it('is an object whose namespace is the request’s', async () => {
    expect(await read('{"message":"x","namespace":"a"}', 'json', one())).toEqual({
      items: [{ message: 'x', namespace: 'a' }],
      namespace: 'a'
    })
  })

  it.each(['[]', '5', 'null', '"x"'])('is refused as %s', async body => {
    expect(await read(body, 'json', one())).toBe('invalid_field')
  })

  it('nested 200,000 deep is parsed and left to the check', async () => {
    const body = `{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`
    expect(await read(body, 'json', one())).toMatchObject({ items: { length: 1 } })
  })
})

describe('the body of a single record', () => {
  const one = reader(DEFAULT_INGEST_LIMITS, { kind: 'one', batchKey: 'logs' })
  const refusal = async (body: string): Promise<string> => {
    try {
      await one.read(Buffer.from(body), 'json')
    } catch (error) {
      return (error as Error).message
    }
    return 'read'
  }

  it.each(['{"logs":[{"message":"x"}]}', '{"namespace":"a","logs":[]}', '[{"message":"x"}]'])(
    'must not be a batch: the error for %s names the route for batches',
    async body => {
      expect(await refusal(body)).toContain('many logs go to the route that ends in /batch')
    }
  )

  it.each(['{"logs":"x"}', '{"message":"x","logs":[1]}'])('may have a field of the same name: %s', async body => {
    expect(await refusal(body)).toBe('read')
  })
})
