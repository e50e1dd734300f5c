import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type { AggregateRequest, AggregateResult } from '../../src/domain/aggregate.js'
import { type Field, MATCH_ALL } from '../../src/domain/filter.js'
import { ALL_TIME } from '../../src/domain/time-range.js'
import { aggregateRecords } from '../../src/stores/duckdb/read/aggregate.js'
import { LOGS } from '../../src/stores/duckdb/read/stored-record.js'
import { NEVER } from '../contract/fresh-ids.js'
import { NOON_NS, NS, OTHER_NS, testLog } from '../support/duckdb-fixture.js'
import { logRow } from '../support/reader-rows.js'
import { Tiers } from '../support/tiers.js'

// Groups over time are the same in one pass over few rows and in two passes over many.

const ROWS = 240
const known = (name: string): Field => ({ in: 'known', name })
const free = (name: string): Field => ({ in: 'log_fields', name })

let tiers: Tiers
beforeAll(async () => {
  tiers = await Tiers.open('mixed')
  for (const ns of [NS, OTHER_NS])
    for (let n = 0; n < 3; n++) {
      const rows = Array.from({ length: ROWS / 3 }, (_, i) => {
        const at = n * (ROWS / 3) + i
        const fields = { ms: i % 10 === 0 ? [at, at + 1] : at * 1.5, tags: [null, 'a', ['a', 'b'], `t${i % 4}`][i % 4]! }
        const log = testLog(i, { timestampNs: NOON_NS + BigInt(at), service: ['cart', null, 'shop'][at % 3]!, fields })
        return { ...logRow(log), ingest_id: `batch${n}` }
      })
      await tiers.append('logs', ns, rows)
    }
})
afterAll(() => tiers.close())

function measured(request: Partial<AggregateRequest>, maxRows: number): Promise<AggregateResult> {
  const whole: AggregateRequest = {
    ...{ range: ALL_TIME, filter: MATCH_ALL, groupBy: [known('service')], limit: 10, other: true, exact: true },
    measures: [{ kind: 'count' }, { kind: 'percentile', field: free('ms'), at: 0.95 }, { kind: 'avg', field: free('ms') }],
    rankBy: { measure: 0, order: 'desc' },
    grid: { startNs: NOON_NS, stepNs: 20n, count: 12 },
    ...request
  }
  return tiers.withSnapshot('logs', NS, whole.range, { heavy: true, signal: NEVER }, snapshot => {
    const scope = { snapshot, kind: 'logs', ns: NS, range: whole.range, signal: NEVER } as const
    return aggregateRecords(scope, LOGS.fields, whole, maxRows)
  })
}

const REQUESTS: readonly (readonly [string, Partial<AggregateRequest>])[] = [
  ['all groups', {}],
  ['some groups', { limit: 1 }],
  ['groups by a percentile', { limit: 2, rankBy: { measure: 1, order: 'asc' } }],
  ['groups of many values', { groupBy: [free('tags')], limit: 3 }],
  ['groups of two fields', { groupBy: [free('tags'), known('service')], limit: 4 }],
  ['a grid of a part of the range', { grid: { startNs: NOON_NS + 33n, stepNs: 7n, count: 5 } }],
  ['a grid without rows', { grid: { startNs: 0n, stepNs: 7n, count: 5 } }],
  ['a short range', { range: { startNs: NOON_NS + 70n, endNs: NOON_NS + 170n } }],
  ['no rows', { filter: { kind: 'or', of: [] } }]
]

it.each(REQUESTS)('are the same: %s', async (_, request) => {
  const inOne = await measured(request, ROWS)
  const inTwo = await measured(request, ROWS - 1)
  expect(inOne).toEqual(inTwo)
  const counts = inOne.rows.map(({ values }) => values[0]!)
  expect(new Set(inOne.rows.map(({ key }) => JSON.stringify(key))).size).toBe(counts.length)
  for (const { series } of inOne.rows) expect(series!.every(values => values.length === (request.grid?.count ?? 12))).toBe(true)
})

it('has the values of each bucket in the rows of the group', async () => {
  const { rows, other, groups } = await measured({}, ROWS)
  expect(groups).toEqual({ value: 3, relation: 'eq' })
  expect(other).toBeNull()
  expect(rows.map(({ key }) => key)).toEqual([['cart'], ['shop'], [null]])
  for (const { values, series } of rows) expect(series![0]!.reduce((a, b) => a! + b!, 0)).toBe(values[0])
})
