import fc from 'fast-check'
import type { Field, Filter } from '../../src/domain/filter.js'
import type { HistogramRequest, SearchRequest } from '../../src/domain/search.js'
import { logArbitraries, PLAIN_VOCABULARY, type Vocabulary } from '../contract/log-arbitraries.js'
import type { LogSketch } from '../contract/log-fixtures.js'
import { BASE_NS } from '../contract/fresh-ids.js'

/** As the plain one, with what engines are known to differ in: spellings of numbers, operators, letters, white space. */
const VOCABULARY: Vocabulary = {
  words: [
    ...PLAIN_VOCABULARY.words,
    '123456789012345678',
    '123456789012345679',
    '0.10',
    '0.1',
    '+1',
    '.5',
    '-0',
    '9',
    '17',
    'a b',
    'a\tb',
    'a\nb',
    ' ',
    '#a&b~"c<d>@',
    'K',
    'ẞ',
    'ß',
    '\u{fffd}',
    '\u{e000}',
    '\u001fa',
    '\u001e',
    'Ab Ab Ab Ab',
    'abcdefghijklmnop'
  ],
  scalars: [...PLAIN_VOCABULARY.scalars, 0, 0.1, 1e-7, 123456789012345, [], [null]],
  names: [...PLAIN_VOCABULARY.names, 'y', '__proto__', 'x\u001fb', 'ключ'],
  known: [...PLAIN_VOCABULARY.known, 'source', 'severity_number', 'trace_id'],
  patterns: [
    ...PLAIN_VOCABULARY.patterns,
    'k+|ſ',
    '[j-l]*',
    '[^S]+',
    '(a|)b?',
    '\\#a\\&b\\~\\"c\\<d\\>\\@',
    '[ab\\- ]{2,5}',
    '.*\\s.*',
    '\\w*',
    '\\W+',
    '(ab?){1,3}.',
    '[^\\d]*',
    'İ|i'
  ]
}

const { sketch: plainSketch, filter: plainFilter, field, word } = logArbitraries(VOCABULARY)

/** Times around boundaries of nanoseconds, milliseconds and seconds. */
const TIMES = [0, 1, 2, 999_999, 1_000_000, 1_000_001, 1_999_999, 2_500_000, 999_999_999, 1_000_000_000, 3_000_000_007]

/** A random log. */
export const sketch: fc.Arbitrary<LogSketch> = fc
  .record({
    plain: plainSketch,
    at: fc.constantFrom(...TIMES),
    severityNumber: fc.constantFrom(0, 9, 17),
    source: fc.option(word),
    traceId: fc.constantFrom(null, 'abc', '17')
  })
  .map(({ plain, ...more }) => ({ ...plain, ...more }))

const atNs = fc.constantFrom(...TIMES).map(at => BASE_NS + BigInt(at))

const timeFilter: fc.Arbitrary<Filter> = fc.oneof(
  fc.record({ op: fc.constantFrom('gt', 'gte', 'lt', 'lte'), at: atNs }).map(({ op, at }): Filter => {
    return { kind: 'range', field: { in: 'known', name: 'timestamp' }, [op]: String(at) }
  }),
  atNs.map((at): Filter => ({ kind: 'eq', field: { in: 'known', name: 'timestamp' }, value: String(at) }))
)

/** A random filter. */
export const filter: fc.Arbitrary<Filter> = fc.oneof(
  { weight: 8, arbitrary: plainFilter },
  { weight: 1, arbitrary: timeFilter },
  {
    weight: 1,
    arbitrary: fc.tuple(plainFilter, timeFilter).map(([a, b]): Filter => ({ kind: 'and', of: [a, { kind: 'not', of: b }] }))
  }
)

/** Fields by which every store counts. */
const counted: fc.Arbitrary<Field> = field.filter(({ in: place, name }) => place !== 'known' || name !== 'message')

const range = fc.tuple(atNs, atNs, fc.boolean()).map(([a, b, isWide]) => {
  if (isWide) return { startNs: BASE_NS - 5_000_000_000n, endNs: BASE_NS + 5_000_000_000n }
  return { startNs: a < b ? a : b, endNs: (a < b ? b : a) + 1n }
})

const histogram: fc.Arbitrary<HistogramRequest> = fc
  .record({
    start: fc.constantFrom(0n, -1_000_000n, 500_000n, 1n),
    stepNs: fc.constantFrom(1_000_000n, 3_000_000n, 500_000_000n, 1_000_000_000n, 7n, 1_500_000n),
    count: fc.integer({ min: 1, max: 60 }),
    by: fc.option(counted, { nil: undefined })
  })
  .map(({ start, stepNs, count, by }) => ({ startNs: BASE_NS + start, stepNs, count, ...(by && { by }) }))

const facet = fc
  .record({
    field: counted,
    own: fc.option(filter),
    limit: fc.integer({ min: 0, max: 5 }),
    prefix: fc.option(word),
    contains: fc.option(word),
    lastSeen: fc.boolean()
  })
  .map(({ field: of, own, limit, prefix, contains, lastSeen }) => {
    return { field: of, own, limit, lastSeen, ...(prefix !== null && { prefix }), ...(contains !== null && { contains }) }
  })

/** A random query; its rows are requested page by page. */
export const request: fc.Arbitrary<SearchRequest> = fc
  .record({
    range,
    filter,
    limit: fc.integer({ min: 0, max: 40 }),
    order: fc.constantFrom('asc' as const, 'desc' as const),
    wantsRows: fc.boolean(),
    total: fc.boolean(),
    histogram: fc.option(histogram, { nil: undefined }),
    facets: fc.array(facet, { maxLength: 3 })
  })
  .map(({ range: within, filter: main, limit, order, wantsRows, total, histogram: grid, facets }) => ({
    range: within,
    filter: main,
    ...(wantsRows && { rows: { limit, order } }),
    ...(total && { total }),
    ...(grid && { histogram: grid }),
    ...(facets.length > 0 && { facets: facets.map(({ own, ...rest }) => ({ ...rest, filter: own ?? main })) })
  }))
