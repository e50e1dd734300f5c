import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { seededRandom, type Random } from '../../bench/generate/random.js'
import { bareObject } from '../../src/domain/bare-object.js'
import type { AggregateRequest } from '../../src/domain/aggregate.js'
import type { Field, Filter } from '../../src/domain/filter.js'
import type { JsonObject, JsonValue } from '../../src/domain/json.js'
import type { SearchRequest } from '../../src/domain/search.js'
import { ALL_TIME } from '../../src/domain/time-range.js'
import type { FreeColumn } from '../../src/stores/duckdb/free-columns.js'
import { LOG_TABLE } from '../../src/stores/duckdb/read/field-target.js'
import { freeClasses, MAX_CLASSES } from '../../src/stores/duckdb/read/free-classes.js'
import { type LogReader, logReader } from '../../src/stores/duckdb/read/log-reader.js'
import { MAX_FREE_COLUMNS, MAX_LISTED_NAME, MAX_MEAN_LENGTH } from '../../src/stores/duckdb/segments/free-plan.js'
import { MAX_COUNTED_NAMES } from '../../src/stores/duckdb/segments/free-facts.js'
import { NEVER } from '../contract/fresh-ids.js'
import { logArbitraries, PLAIN_VOCABULARY } from '../contract/log-arbitraries.js'
import { NOON_NS, NS, testLog } from '../support/duckdb-fixture.js'
import { logRow } from '../support/reader-rows.js'
import { Tiers } from '../support/tiers.js'

type LogFields = Pick<Parameters<typeof testLog>[1] & object, 'fields' | 'tags'>

/** One segment, its times behind those of the segments before. */
async function seal(tiers: Tiers, name: string, logs: readonly LogFields[], atNs = NOON_NS): Promise<void> {
  const rows = logs.map((log, i) => ({
    ...logRow(testLog(i, { timestampNs: atNs + BigInt(i), ...log })),
    ingest_id: name
  }))
  await tiers.append('logs', NS, rows)
}

const LONG_NAME = 'n'.repeat(MAX_LISTED_NAME + 1)
const NAMES = ['x', '\ufeffx', 'y.z', 'q"', '__proto__', 'constructor', 'a/b~c', "it's", 'É\u{1f680}', '', 'c\u{1}', LONG_NAME]

const INTEGERS = ['0', '1', '10', '-3', '999999999999999', '007', '-0', '1e1', '+2', ' 1', '1000000000000000']
const DECIMALS = ['1.5', '1.0', '-0.25', '1e-7', '123456789012345678', '1e400', '.5', 'NaN', 'inf']
const WORDS = ['', 'a', '\ufeffa', 'A', 'ab', 'É', 'İ', 'true', '[a', '{}', 'x\u{0}y', 'null', 'a long enough value']

/** What values of a member are in one segment. */
const PROFILES: readonly ((random: Random) => JsonValue)[] = [
  random => random.below(4) - 1,
  random => 10 ** random.below(16),
  random => random.pick(['1', '2', '-3']),
  random => random.below(40) / 8,
  random => random.pick([1.5, 2, '2.50', 1e-7, 1e21]),
  random => random.pick(WORDS),
  random => random.pick(['a', 'b', null]),
  random => random.pick([true, false]),
  random => random.pick([...INTEGERS, ...DECIMALS]),
  random => random.pick([...INTEGERS, ...DECIMALS, ...WORDS, null, true, 3, 2.5]),
  random => random.pick<JsonValue>([1, [1, 'a'], [], [null, ''], 'a']),
  () => null
]

function randomObject(random: Random, profiles: ReadonlyMap<string, (random: Random) => JsonValue>): JsonObject {
  const object = bareObject<JsonValue>()
  for (const [name, value] of profiles) if (random.next() < 0.7) object[name] = value(random)
  return object
}

function randomSegment(random: Random, rows: number): readonly LogFields[] {
  const profilesOf = () => {
    const names = NAMES.filter(() => random.next() < 0.8)
    return new Map(names.map(name => [name, random.pick(PROFILES)]))
  }
  const [fields, tags] = [profilesOf(), profilesOf()]
  return Array.from({ length: rows }, () => ({ fields: randomObject(random, fields), tags: randomObject(random, tags) }))
}

const { filter: FILTERS, field: FIELDS } = logArbitraries({
  ...PLAIN_VOCABULARY,
  words: [...INTEGERS, ...DECIMALS, ...WORDS, '2', '3', '2.5', '1e15', '-1e30', '2.50'],
  names: NAMES,
  known: ['message', 'service']
})

const isFree = ({ in: place }: Field): boolean => place !== 'known'

/** Facets and totals under random filters, many to a request. */
const REQUEST: fc.Arbitrary<SearchRequest> = fc
  .record({
    filter: FILTERS,
    by: FIELDS,
    facets: fc.array(fc.record({ field: FIELDS.filter(isFree), filter: FILTERS, limit: fc.integer({ min: 1, max: 4 }) }), {
      minLength: 3,
      maxLength: 3
    }),
    order: fc.constantFrom('asc' as const, 'desc' as const)
  })
  .map(({ filter, by, facets, order }) => ({
    range: ALL_TIME,
    filter,
    rows: { limit: 20, order },
    total: true,
    histogram: { startNs: NOON_NS, stepNs: 1_000n, count: 40, by },
    facets
  }))

/** Measures that do not depend on the order of rows. */
const AGGREGATE: fc.Arbitrary<AggregateRequest> = fc
  .record({
    filter: FILTERS,
    group: FIELDS,
    measured: FIELDS.filter(isFree),
    order: fc.constantFrom('asc' as const, 'desc' as const)
  })
  .map(({ filter, group, measured: field, order }) => ({
    ...{ range: ALL_TIME, filter, groupBy: [group], limit: 4, other: true, exact: true },
    measures: [
      { kind: 'count', field },
      { kind: 'distinct', field },
      { kind: 'min', field },
      { kind: 'max', field },
      { kind: 'percentile', field, at: 0.5 }
    ],
    rankBy: { measure: 2, order },
    grid: { startNs: NOON_NS, stepNs: 4_000n, count: 4 }
  }))

/** Each compares rows, their number, buckets, three facets, and measures. */
const REQUESTS = 25

describe('free columns of segments', () => {
  let tiers: Tiers
  let logs: LogReader

  beforeAll(async () => {
    tiers = await Tiers.open('sealed')
    logs = logReader(tiers)
  })

  afterAll(() => tiers.close())

  /** The result by free columns, and by JSON alone. */
  async function both(read: () => Promise<unknown>): Promise<readonly [unknown, unknown]> {
    tiers.readsFreeColumns = true
    const byColumns = await read()
    tiers.readsFreeColumns = false
    const byJson = await read()
    return [byColumns, byJson]
  }

  async function agree(seed: number, requests: number): Promise<void> {
    const check = fc.asyncProperty(REQUEST, AGGREGATE, async (request, measured) => {
      const [byColumns, byJson] = await both(() => logs.search(NS, request, NEVER))
      expect(byColumns).toEqual(byJson)
      const [columnMeasures, jsonMeasures] = await both(() => logs.aggregate(NS, measured, NEVER))
      expect(columnMeasures).toEqual(jsonMeasures)
      expect(tiers.failures.map(String)).toEqual([])
    })
    await fc.assert(check, { numRuns: requests, seed })
  }

  it('give the results that the JSON gives: of single segments, of merged ones, and of both', async () => {
    const random = seededRandom(18)
    let at = 0
    const sealSome = async (count: number) => {
      for (let i = 0; i < count; i++) await seal(tiers, `batch${at}`, randomSegment(random, 50), NOON_NS + BigInt(1_000 * at++))
    }
    await sealSome(8)
    await agree(1, REQUESTS)
    await tiers.merge('logs', NS)
    await agree(2, REQUESTS)
    await sealSome(4)
    await tiers.merge('logs', NS)
    await sealSome(3)
    await agree(3, REQUESTS)
    expect(tiers.failures.map(String)).toEqual([])
  }, 240_000)
})

describe('which members become free columns', () => {
  async function columnsOf(...segments: readonly (readonly LogFields[])[]): Promise<readonly FreeColumn[]> {
    const tiers = await Tiers.open('sealed')
    try {
      for (const [i, logs] of segments.entries()) await seal(tiers, `batch${i}`, logs, NOON_NS + BigInt(1_000_000 * i))
      if (segments.length > 1) await tiers.merge('logs', NS)
      expect(tiers.failures.map(String)).toEqual([])
      const [list] = await tiers.freeColumns('logs', NS)
      return list!.columns
    } finally {
      await tiers.close()
    }
  }

  const of = (value: (i: number) => JsonValue, rows = 100): readonly LogFields[] =>
    Array.from({ length: rows }, (_, i) => ({ fields: { m: value(i) } }))

  it.each([
    ['whole numbers', of(i => i), 'integer', false],
    ['whole numbers as strings', of(i => String(i)), 'integer', false],
    ['numbers of 16 digits', of(() => '1000000000000000'), 'number', false],
    ['decimals and whole numbers', of(i => i / 2), 'number', false],
    ['strings', of(i => `v${i}`), 'text', false],
    ['strings and numbers', of(i => (i === 70 ? 1 : 'v')), 'text', true],
    ['numbers with leading zeros', of(() => '007'), 'number', false],
    ['infinite numbers', of(() => '1e400'), 'text', false]
  ])('%s', async (_, logs, type, hasNumbers) => {
    expect(await columnsOf(logs)).toEqual([{ of: 'fields_json', name: 'm', rows: 100, type, hasNumbers }])
  })

  it.each([
    ['lists', of(i => (i === 70 ? [1, 2] : i))],
    ['long values', of(() => 'v'.repeat(MAX_MEAN_LENGTH + 1))],
    ['rare members', Array.from({ length: 129 }, (_, i) => ({ fields: i < 2 ? { m: 1 } : {} }))],
    ['members with control characters in their names', Array.from({ length: 100 }, () => ({ fields: { 'a\u{0}': 1 } }))],
    ['members with long names', Array.from({ length: 100 }, () => ({ fields: { [LONG_NAME]: 1 } }))]
  ] as readonly (readonly [string, readonly LogFields[]])[])('none of %s', async (_, logs) => {
    expect(await columnsOf(logs)).toEqual([])
  })

  it('looks at all rows when one differs from the first ones', async () => {
    const rows = 5_000
    const rare = (value: JsonValue) => of(i => (i === rows - 1 ? value : i), rows)
    expect(await columnsOf(rare('x'))).toMatchObject([{ type: 'text', hasNumbers: true }])
    expect(await columnsOf(rare(0.5))).toMatchObject([{ type: 'number' }])
    expect(await columnsOf(rare([1]))).toEqual([])
    expect(await columnsOf(of(i => (i === rows - 1 ? ['x'] : 'y'), rows))).toEqual([])
  })

  it('joins the types of merged segments', async () => {
    const [whole, half, words] = [of(i => i), of(() => 0.5), of(() => 'x')]
    expect(await columnsOf(whole, whole)).toMatchObject([{ type: 'integer', rows: 200 }])
    expect(await columnsOf(whole, half)).toMatchObject([{ type: 'number', rows: 200 }])
    expect(await columnsOf(whole, words)).toMatchObject([{ type: 'text', hasNumbers: true, rows: 200 }])
    expect(await columnsOf(half, words)).toMatchObject([{ type: 'text', hasNumbers: true, rows: 200 }])
    expect(
      await columnsOf(
        whole,
        of(() => [1])
      )
    ).toEqual([])
  })

  it(`has at most ${MAX_FREE_COLUMNS}, the most frequent ones, and reads all others by the JSON`, async () => {
    const tiers = await Tiers.open('sealed')
    const logs = logReader(tiers)
    const names = 2_000
    const frequent = 40
    const rows = Array.from({ length: 3_000 }, (_, i) => {
      const members = Array.from({ length: frequent }, (_unused, k) => k).filter(k => i % (1 + (k % 4)) === 0)
      const fields = Object.fromEntries([...members, frequent + (i % (names - frequent))].map(k => [`m${k}`, i % 7]))
      return { fields }
    })
    await seal(tiers, 'batch', rows)
    const [list] = await tiers.freeColumns('logs', NS)
    expect(list!.columns).toHaveLength(MAX_FREE_COLUMNS)
    expect(list!.columns.length + list!.others.length).toBe(MAX_COUNTED_NAMES)
    expect(list!.isComplete).toBe(false)
    const least = Math.min(...list!.columns.map(column => column.rows))
    expect(Math.max(...list!.others.map(other => other.rows))).toBeLessThanOrEqual(least)
    const count = async (name: string) => {
      const filter = { kind: 'exists', field: { in: 'log_fields', name } } as const
      return (await logs.search(NS, { range: ALL_TIME, filter, total: true }, NEVER)).total!.value
    }
    for (const name of ['m0', 'm39', 'm1000', 'm1999', 'm2000'])
      expect(await count(name)).toBe(rows.filter(({ fields }) => Object.hasOwn(fields, name)).length)
    await tiers.close()
  })

  it(`reads segments in at most ${MAX_CLASSES} ways; the smallest of more by their JSON`, async () => {
    const tiers = await Tiers.open('sealed')
    const logs = logReader(tiers)
    const makers: readonly ((i: number) => JsonValue)[] = [i => i, i => i + 0.5, i => `v${i}`, i => (i % 2 === 0 ? 'x' : i)]
    const ways = MAX_CLASSES + 4
    for (let way = 0; way < ways; way++) {
      const [a, b, c] = [way % 4, (way >> 2) % 4, way >> 4].map(index => makers[index]!)
      const rows = Array.from({ length: 10 + way }, (_, i) => ({ fields: { a: a!(i), b: b!(i), c: c!(i) } }))
      await seal(tiers, `batch${way}`, rows, NOON_NS + BigInt(way * 1_000))
    }
    const over3 = (name: string): Filter => ({ kind: 'range', field: { in: 'log_fields', name }, gte: '3' })
    const filter: Filter = { kind: 'and', of: ['a', 'b', 'c'].map(over3) }
    const segments = tiers.segmentsOf('logs', NS)
    const classes = await tiers.withSnapshot('logs', NS, ALL_TIME, { heavy: false, signal: NEVER }, snapshot =>
      freeClasses({ snapshot }, LOG_TABLE, { filter }, segments)
    )
    expect(classes).toHaveLength(MAX_CLASSES)
    const rowsOf = (classIndex: number) => classes[classIndex]!.segments.map(({ rows }) => rows)
    expect(classes.slice(0, -1).map((_, i) => rowsOf(i))).toEqual(
      Array.from({ length: MAX_CLASSES - 1 }, (_, i) => [9 + ways - i])
    )
    expect(classes.at(-1)).toMatchObject({ fields: LOG_TABLE, columns: [] })
    expect(rowsOf(MAX_CLASSES - 1)).toHaveLength(ways - MAX_CLASSES + 1)
    const total = async () => (await logs.search(NS, { range: ALL_TIME, filter, total: true }, NEVER)).total!.value
    const byColumns = await total()
    tiers.readsFreeColumns = false
    expect(byColumns).toBe(await total())
    expect(byColumns).toBeGreaterThan(0)
    await tiers.close()
  })
})
