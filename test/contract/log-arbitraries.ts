import fc from 'fast-check'
import type { Field, Filter } from '../../src/domain/filter.js'
import type { JsonObject, JsonValue } from '../../src/domain/json.js'
import type { LogSketch } from './log-fixtures.js'

/** What random records and filters are made of. */
export interface Vocabulary {
  readonly words: readonly string[]
  readonly scalars: readonly JsonValue[]
  readonly names: readonly string[]
  /** Well-known fields that filters name. */
  readonly known: readonly string[]
  readonly patterns: readonly string[]
}

/** Few words, so that random filters meet random records. */
export const PLAIN_VOCABULARY: Vocabulary = {
  words: [
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
    '1e400',
    '0x1',
    '[a',
    '"q"',
    '\\',
    'true',
    '\u{1f680}'
  ],
  scalars: [1, 2, 10, -3, 1.5, true, false, null],
  names: ['x', 'y.z', 'q"'],
  known: ['message', 'level', 'service', 'host'],
  patterns: ['', '.*', 'a.?', '[a-k]+', '(1|2)(\\.0)?', '.', 'é|Σ', '\\d+', 'A.*', '[^a]']
}

/** Makers of random logs and random filters. */
export interface LogArbitraries {
  readonly word: fc.Arbitrary<string>
  readonly sketch: fc.Arbitrary<LogSketch>
  readonly field: fc.Arbitrary<Field>
  readonly filter: fc.Arbitrary<Filter>
}

const PLACES = ['free', 'log_fields', 'tags'] as const

/** Random logs and filters over a vocabulary. */
export function logArbitraries({ words, scalars, names, known, patterns }: Vocabulary): LogArbitraries {
  const word = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...words) },
    { weight: 1, arbitrary: fc.tuple(fc.constantFrom(...words), fc.constantFrom(...words)).map(([a, b]) => a + b) }
  )
  const scalar: fc.Arbitrary<JsonValue> = fc.oneof(word, fc.constantFrom(...scalars))
  const value: fc.Arbitrary<JsonValue> = fc.oneof(scalar, fc.array(scalar, { maxLength: 3 }))
  const object: fc.Arbitrary<JsonObject> = fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 3 })
  const text = fc.option(word)
  // More than the embedded store binds one by one.
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
    fc.constantFrom(...known).map(name => ({ in: 'known' as const, name })),
    fc.record({ in: fc.constantFrom(...PLACES), name: fc.constantFrom(...names) })
  )

  const condition: fc.Arbitrary<Filter> = fc.oneof(
    fc.record({ kind: fc.constant('eq' as const), field, value: word }),
    fc.record({
      kind: fc.constantFrom('in' as const, 'text' as const),
      field,
      values: fc.oneof(fc.array(word, { maxLength: 3 }), manyWords)
    }),
    fc.record({ kind: fc.constant('exists' as const), field }),
    fc.record(
      { kind: fc.constant('range' as const), field, gt: word, gte: word, lt: word, lte: word },
      { requiredKeys: ['kind', 'field'] }
    ),
    fc.record({ kind: fc.constant('contains' as const), field, value: word }),
    fc.record({ kind: fc.constant('prefix' as const), field, value: word }),
    fc.record({ kind: fc.constant('regex' as const), field, pattern: fc.constantFrom(...patterns), fold: fc.boolean() })
  )

  const { filter } = fc.letrec<{ filter: Filter }>(tie => ({
    filter: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      condition,
      fc.record({ kind: fc.constantFrom('and' as const, 'or' as const), of: fc.array(tie('filter'), { maxLength: 3 }) }),
      fc.record({ kind: fc.constant('not' as const), of: tie('filter') })
    )
  }))
  return { word, sketch, field, filter }
}
