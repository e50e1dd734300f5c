import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { Field, Filter } from '../../src/domain/filter.js'
import { recordId } from '../../src/domain/ids.js'
import type { JsonObject, JsonValue } from '../../src/domain/json.js'
import type { LogRecord } from '../../src/domain/log-record.js'
import { matchesFilter } from '../support/reference-filter.js'
import { toLog, type LogSketch } from './log-fixtures.js'
import { describeStores, EVERY_TIME, NEVER, newIngestId, newNamespace, type OpenStores } from './store-under-test.js'

const WORDS = [
  '',
  'a',
  'A',
  'ab',
  'aB',
  'b%',
  'a_b',
  'é',
  'É',
  'ς',
  'Σ',
  'sS',
  'ſ',
  'k',
  'İ',
  'i',
  '1',
  '1.0',
  '2',
  '10',
  '-3',
  '1e1',
  '0x1',
  '[a',
  '"q"',
  '\\',
  'true',
  '\u{1f680}'
]
const NAMES = ['x', 'y.z', 'q"']

const word = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...WORDS) },
  { weight: 1, arbitrary: fc.tuple(fc.constantFrom(...WORDS), fc.constantFrom(...WORDS)).map(([a, b]) => a + b) }
)
const scalar: fc.Arbitrary<JsonValue> = fc.oneof(word, fc.constantFrom(1, 2, 10, -3, 1.5, true, false, null))
const value: fc.Arbitrary<JsonValue> = fc.oneof(scalar, fc.array(scalar, { maxLength: 3 }))
const object: fc.Arbitrary<JsonObject> = fc.dictionary(fc.constantFrom(...NAMES), value, { maxKeys: 3 })
const text = fc.option(word)

// More than the store binds one by one.
const manyWords = fc.array(word, { minLength: 17, maxLength: 40 })

const sketch: fc.Arbitrary<LogSketch> = fc.record({
  at: fc.integer({ min: 0, max: 5 }),
  message: word,
  level: fc.constantFrom(null, 'info', 'error'),
  service: text,
  host: text,
  fields: object,
  tags: object
})

const field: fc.Arbitrary<Field> = fc.oneof(
  fc.constantFrom('message', 'level', 'service', 'host').map(name => ({ in: 'known' as const, name })),
  fc.record({ in: fc.constantFrom('free' as const, 'log_fields' as const, 'tags' as const), name: fc.constantFrom(...NAMES) })
)

const PATTERNS = ['', '.*', 'a.?', '[a-k]+', '(1|2)(\\.0)?', '.', 'é|Σ', '\\d+', 'A.*', '[^a]']

const condition: fc.Arbitrary<Filter> = fc.oneof(
  fc.record({ kind: fc.constant('eq' as const), field, value: word }),
  fc.record({ kind: fc.constant('in' as const), field, values: fc.oneof(fc.array(word, { maxLength: 3 }), manyWords) }),
  fc.record({ kind: fc.constant('exists' as const), field }),
  fc.record(
    { kind: fc.constant('range' as const), field, gt: word, gte: word, lt: word, lte: word },
    { requiredKeys: ['kind', 'field'] }
  ),
  fc.record({ kind: fc.constant('contains' as const), field, value: word }),
  fc.record({ kind: fc.constant('prefix' as const), field, value: word }),
  fc.record({ kind: fc.constant('regex' as const), field, pattern: fc.constantFrom(...PATTERNS), fold: fc.boolean() })
)

const { filter } = fc.letrec<{ filter: Filter }>(tie => ({
  filter: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    condition,
    fc.record({ kind: fc.constantFrom('and' as const, 'or' as const), of: fc.array(tie('filter'), { maxLength: 3 }) }),
    fc.record({ kind: fc.constant('not' as const), of: tie('filter') })
  )
}))

const BATCHES = 12
const FILTERS = 150

function expectedIds(stored: readonly { id: string; log: LogRecord }[], wanted: Filter): readonly string[] {
  return stored
    .filter(({ log }) => matchesFilter(log, wanted))
    .sort((a, b) => Number(b.log.timestampNs - a.log.timestampNs) || (a.id < b.id ? 1 : -1))
    .map(({ id }) => id)
}

/** Random records and filters, held against a plain evaluator of the rules. */
export function logPropertyContract(name: string, open: OpenStores): void {
  describeStores(`${name}: LogStore and the rules of filters`, open, of => {
    it('finds exactly what a plain reading of the rules finds', async () => {
      const ns = newNamespace()
      const stored: { id: string; log: LogRecord }[] = []
      for (const sketches of fc.sample(fc.array(sketch, { minLength: 5, maxLength: 15 }), { numRuns: BATCHES, seed: 42 })) {
        const ingestId = newIngestId()
        const items = sketches.map(toLog)
        await of().logs.append(ns, { ingestId, items })
        stored.push(...items.map(log => ({ id: recordId(ingestId, log.index), log })))
      }
      await of().logs.settle(ns)
      const agree = async (wanted: Filter) => {
        const request = { range: EVERY_TIME, filter: wanted, rows: { limit: 500, order: 'desc' as const }, total: true }
        const found = await of().logs.search(ns, request, NEVER)
        const expected = expectedIds(stored, wanted)
        expect(found.rows!.map(({ id }) => id)).toEqual(expected)
        expect(found.total!.value).toBe(expected.length)
      }
      await fc.assert(fc.asyncProperty(filter, agree), { numRuns: FILTERS, seed: 7 })
    }, 120_000)
  })
}
