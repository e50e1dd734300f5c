import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { AggregateRequest, AggregateResult, AggregateValues, Measure } from '../../src/domain/aggregate.js'
import { MATCH_ALL, type Field } from '../../src/domain/filter.js'
import type { NamespaceId } from '../../src/domain/ids.js'
import type { LogRecord } from '../../src/domain/records/log.js'
import type { LogStore } from '../../src/ports/log-store.js'
import { aggregateOf } from '../support/reference-aggregate.js'
import { logArbitraries, PLAIN_VOCABULARY } from './log-arbitraries.js'
import { free, known, type LogSketch, storeApart, toLog } from './log-fixtures.js'
import { BASE_NS, describeStores, EVERY_TIME, NEVER, newIngestId, newNamespace, type OpenStores } from './store-under-test.js'

const BATCHES = 8
const RUNS = 60
/** Engines add doubles in different orders. */
const DIGITS = 9
/** What a store may declare as its error. */
const MOST_ERROR = 0.06

const ROWS: Measure = { kind: 'count' }
const MS = free('ms')

function requestOf(given: Partial<AggregateRequest>): AggregateRequest {
  const rankBy = { measure: 0, order: 'desc' } as const
  return {
    ...{ range: EVERY_TIME, filter: MATCH_ALL, groupBy: [], measures: [ROWS], rankBy, limit: 20, other: true, exact: true },
    ...given
  }
}

function aggregate(logs: LogStore, ns: NamespaceId, given: Partial<AggregateRequest> = {}): Promise<AggregateResult> {
  return logs.aggregate(ns, requestOf(given), NEVER)
}

function rounded({ values, series, ...rest }: AggregateValues): object {
  const round = (value: number | null) => (value === null ? null : Number(value.toPrecision(DIGITS)) + 0)
  return { ...rest, values: values.map(round), ...(series && { series: series.map(each => each.map(round)) }) }
}

/** As it is compared. */
function comparable({ rows, other, ...rest }: AggregateResult): object {
  return { ...rest, rows: rows.map(rounded), other: other && rounded(other) }
}

const { sketch, filter } = logArbitraries(PLAIN_VOCABULARY)
const names: readonly Field[] = [free('x'), free('y.z'), { in: 'tags', name: 'x' }, { in: 'log_fields', name: 'q"' }]
const numeric = fc.constantFrom<Field>(...names)
const grouped = fc.constantFrom<Field>(...names, known('service'), known('level'), known('host'))
const counting: fc.Arbitrary<Measure> = fc.oneof(
  fc.constant(ROWS),
  fc.record({ kind: fc.constant('count' as const), field: grouped }),
  fc.record({ kind: fc.constant('distinct' as const), field: grouped })
)
const measure: fc.Arbitrary<Measure> = fc.oneof(
  counting,
  fc.record({ kind: fc.constantFrom('sum' as const, 'avg' as const, 'min' as const, 'max' as const), field: numeric }),
  fc.record({ kind: fc.constant('numbers' as const), field: numeric }),
  fc.record({ kind: fc.constant('numbers' as const), field: numeric, atMost: fc.constantFrom(-1, 0, 0.1, 5, 1e21) }),
  fc.record({ kind: fc.constant('percentile' as const), field: numeric, at: fc.constantFrom(0.01, 0.5, 0.9, 0.99) })
)
const requestsOf = (measures: fc.Arbitrary<Measure>) =>
  fc
    .record({
      filter,
      groupBy: fc.uniqueArray(grouped, { maxLength: 3, selector: field => JSON.stringify(field) }),
      measures: fc.array(measures, { minLength: 1, maxLength: 4 }),
      order: fc.constantFrom('asc' as const, 'desc' as const),
      by: fc.nat(),
      limit: fc.integer({ min: 1, max: 8 }),
      other: fc.boolean(),
      grid: fc.option(
        fc.record({ from: fc.integer({ min: -2, max: 3 }), stepNs: fc.constantFrom(1n, 2n), count: fc.constant(3) })
      )
    })
    .map(({ order, by, grid, ...request }) => ({
      ...request,
      rankBy: { measure: by % request.measures.length, order },
      ...(grid && { grid: { ...grid, startNs: BASE_NS + BigInt(grid.from) } })
    }))

const TIMED: readonly LogSketch[] = [
  { at: 0, service: 'web', fields: { ms: 10, ok: true } },
  { at: 1, service: 'web', fields: { ms: '20' }, tags: { region: 'eu' } },
  { at: 10, service: 'api', fields: { ms: [1, 3, 3] }, tags: { region: ['eu', 'us'] } },
  { at: 11, service: 'api', fields: { ms: 'slow' } },
  { at: 12 }
]

/** Puts random requests to a store with random logs. */
async function agrees(logs: LogStore, requests: fc.Arbitrary<Partial<AggregateRequest>>): Promise<void> {
  const ns = newNamespace()
  const stored: LogRecord[] = []
  for (const sketches of fc.sample(fc.array(sketch, { minLength: 5, maxLength: 15 }), { numRuns: BATCHES, seed: 21 })) {
    const items = sketches.map(toLog)
    await logs.append(ns, { ingestId: newIngestId(), items })
    stored.push(...items)
  }
  await logs.settle(ns)
  const agree = async (given: Partial<AggregateRequest>) => {
    const found = await aggregate(logs, ns, given)
    expect(comparable(found)).toEqual(comparable(aggregateOf(stored, requestOf(given))))
  }
  await fc.assert(fc.asyncProperty(requests, agree), { numRuns: RUNS, seed: 7 })
}

/** What an engine without scripts computes: numbers of rows and of values, and measures of well-known numbers. */
export function logAggregateCountsContract(name: string, open: OpenStores): void {
  describeStores(`${name}: LogStore aggregate of counts`, open, of => {
    it('measures well-known numbers by groups and over time', async () => {
      const ns = newNamespace()
      const logs = TIMED.map((log, i) => ({ ...log, severityNumber: 4 * i }))
      await storeApart(of().logs, ns, logs)
      const number = known('severity_number')
      const measures: readonly Measure[] = [
        { kind: 'avg', field: number },
        ROWS,
        { kind: 'numbers', field: number },
        { kind: 'numbers', field: number, atMost: 8 }
      ]
      const grid = { startNs: BASE_NS, stepNs: 10n, count: 2 }
      const { rows, other } = await aggregate(of().logs, ns, { groupBy: [known('service')], measures, grid, limit: 1 })
      expect(rows).toEqual([{ key: [null], values: [16, 1, 1, 0], series: [[null, 16], [0, 1], [0, 1], [0, 0]] }]) // prettier-ignore
      expect(other).toEqual({ values: [6, 4, 4, 3], series: [[2, 10], [2, 2], [2, 2], [2, 1]] }) // prettier-ignore
    })

    it('agrees with a plain reading of the rules', () => agrees(of().logs, requestsOf(counting)), 120_000)
  })
}

/** Measures over fields, by groups and over time. */
export function logAggregateContract(name: string, open: OpenStores): void {
  logAggregateCountsContract(name, open)
  describeStores(`${name}: LogStore aggregate`, open, of => {
    it('computes every measure over all rows', async () => {
      const ns = newNamespace()
      await storeApart(of().logs, ns, TIMED)
      const measures: readonly Measure[] = [
        ROWS,
        { kind: 'count', field: MS },
        { kind: 'distinct', field: MS },
        { kind: 'sum', field: MS },
        { kind: 'avg', field: MS },
        { kind: 'min', field: MS },
        { kind: 'max', field: MS },
        { kind: 'percentile', field: MS, at: 0.5 },
        { kind: 'max', field: known('severity_number') },
        { kind: 'sum', field: free('absent') },
        { kind: 'count', field: free('absent') },
        { kind: 'numbers', field: MS },
        { kind: 'numbers', field: MS, atMost: 10 },
        { kind: 'numbers', field: free('absent'), atMost: 10 }
      ]
      expect(await aggregate(of().logs, ns, { measures })).toEqual({
        rows: [{ key: [], values: [5, 4, 5, 34, 8.5, 1, 20, 6.5, 0, null, 0, 4, 3, 0] }],
        other: null,
        groups: { value: 1, relation: 'eq' },
        ...{ relativeError: 0, complete: true, warnings: [] }
      })
    })

    it('groups by fields, a row in the group of each of its values, the missing value last among equals', async () => {
      const ns = newNamespace()
      await storeApart(of().logs, ns, TIMED)
      const measures: readonly Measure[] = [{ kind: 'max', field: MS }, ROWS]
      const byService = await aggregate(of().logs, ns, { groupBy: [known('service')], measures })
      expect(byService.rows).toEqual([
        { key: ['web'], values: [20, 2] },
        { key: ['api'], values: [3, 2] },
        { key: [null], values: [null, 1] }
      ])
      const byBoth = await aggregate(of().logs, ns, { groupBy: [free('region'), known('service')] })
      expect(byBoth.rows.map(({ key, values }) => [...key, ...values])).toEqual([
        ['eu', 'api', 1],
        ['eu', 'web', 1],
        ['us', 'api', 1],
        [null, 'api', 1],
        [null, 'web', 1],
        [null, null, 1]
      ])
    })

    it('lists the best groups, and measures the rows that are in none of them', async () => {
      const ns = newNamespace()
      await storeApart(of().logs, ns, TIMED)
      const measures: readonly Measure[] = [ROWS, { kind: 'sum', field: MS }]
      const cut = await aggregate(of().logs, ns, { groupBy: [free('region')], measures, limit: 1 })
      expect(cut).toMatchObject({
        rows: [{ key: [null], values: [3, 10] }],
        other: { values: [2, 24] },
        groups: { value: 3, relation: 'eq' }
      })
      const rankBy = { measure: 1, order: 'asc' } as const
      const rising = await aggregate(of().logs, ns, { groupBy: [known('service')], measures, limit: 1, rankBy, other: false })
      expect(rising).toMatchObject({ rows: [{ key: ['api'], values: [2, 4] }], other: null, groups: { value: 3 } })
    })

    it('computes measures per bucket of time, of each group and of the rest', async () => {
      const ns = newNamespace()
      await storeApart(of().logs, ns, TIMED)
      const grid = { startNs: BASE_NS, stepNs: 10n, count: 2 }
      const measures: readonly Measure[] = [ROWS, { kind: 'percentile', field: MS, at: 0.5 }]
      const { rows, other } = await aggregate(of().logs, ns, { groupBy: [known('service')], measures, grid, limit: 2 })
      expect([...rows, other]).toEqual([
        { key: ['api'], values: [2, 2], series: [[0, 2], [null, 2]] }, // prettier-ignore
        { key: ['web'], values: [2, 15], series: [[2, 0], [15, null]] }, // prettier-ignore
        { values: [1, null], series: [[0, 1], [null, null]] } // prettier-ignore
      ])
      const late = { ...grid, startNs: BASE_NS + 1n }
      const [whole] = (await aggregate(of().logs, ns, { measures: [ROWS], grid: late })).rows
      expect(whole).toEqual({ key: [], values: [5], series: [[2, 2]] })
    })

    it('has one group of nothing without fields to group by, and none with', async () => {
      const measures: readonly Measure[] = [ROWS, { kind: 'distinct', field: MS }, { kind: 'avg', field: MS }]
      const grid = { startNs: BASE_NS, stepNs: 10n, count: 1 }
      const nothing = await aggregate(of().logs, newNamespace(), { measures, grid })
      expect(nothing.rows).toEqual([{ key: [], values: [0, 0, null], series: [[0], [0], [null]] }])
      const grouped = await aggregate(of().logs, newNamespace(), { measures, groupBy: [known('service')] })
      expect(grouped).toMatchObject({ rows: [], other: null, groups: { value: 0 }, complete: true })
    })

    it('estimates within the error that it declares', async () => {
      const ns = newNamespace()
      const sketches = Array.from({ length: 400 }, (_, i) => ({ fields: { ms: (i * 37) % 401, id: `v${i % 90}` } }))
      await of().logs.append(ns, { ingestId: newIngestId(), items: sketches.map(toLog) })
      await of().logs.settle(ns)
      const measures: readonly Measure[] = [
        { kind: 'percentile', field: MS, at: 0.95 },
        { kind: 'distinct', field: free('id') }
      ]
      const exact = (await aggregate(of().logs, ns, { measures })).rows[0]!.values
      const estimated = await aggregate(of().logs, ns, { measures, exact: false })
      expect(estimated.relativeError).toBeLessThan(MOST_ERROR)
      for (const [i, value] of estimated.rows[0]!.values.entries())
        expect(Math.abs(value! - exact[i]!)).toBeLessThanOrEqual(exact[i]! * estimated.relativeError)
    })

    it('agrees with a plain reading of the rules', () => agrees(of().logs, requestsOf(measure)), 120_000)

    it('refuses records whose values multiply to more groups than the limit', async () => {
      const ns = newNamespace()
      // Just more than the 65,536 buckets of engines: many more may end in their limit of memory first.
      const many = Array.from({ length: 260 }, (_, i) => `v${i}`)
      await storeApart(of().logs, ns, [{ fields: { a: many, b: many } }])
      await expect(aggregate(of().logs, ns, { groupBy: [free('a'), free('b')] })).rejects.toMatchObject({
        code: expect.stringMatching(/^(query_unsupported|unsupported_by_store)$/)
      })
      expect((await aggregate(of().logs, ns, { groupBy: [free('a')] })).groups.value).toBe(260)
    })
  })
}
