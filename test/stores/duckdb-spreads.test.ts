import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { MATCH_ALL } from '../../src/domain/filter.js'
import type { SpreadRequest, SpreadResult } from '../../src/domain/search.js'
import { ALL_TIME } from '../../src/domain/time-range.js'
import { MeasuredColumns } from '../../src/stores/duckdb/read/aggregate-columns.js'
import { LOGS } from '../../src/stores/duckdb/read/stored-record.js'
import { NarrowedByIds } from '../../src/stores/duckdb/read/narrowed-by-ids.js'
import { isHeavySearch } from '../../src/stores/duckdb/read/reading.js'
import { measureSpreads } from '../../src/stores/duckdb/read/spreads.js'
import { NEVER } from '../contract/fresh-ids.js'
import { NOON_NS, NS, testLog } from '../support/duckdb-fixture.js'
import { logRow } from '../support/reader-rows.js'
import { Tiers } from '../support/tiers.js'

const ROWS = 500
const ms = { in: 'log_fields', name: 'ms' } as const
const size = { in: 'log_fields', name: 'size' } as const
const REQUESTS: readonly SpreadRequest[] = [ms, size].map(field => ({ field, filter: MATCH_ALL, cuts: [0] }))

let tiers: Tiers
beforeAll(async () => {
  tiers = await Tiers.open('mixed')
  const rows = Array.from({ length: ROWS }, (_, i) => ({
    ...logRow(testLog(i, { timestampNs: NOON_NS + BigInt(i), fields: { ms: i + 1, size: (i + 1) * 1_000 } })),
    ingest_id: 'batch'
  }))
  await tiers.append('logs', NS, rows)
})
afterAll(() => tiers.close())

async function spreadsOf(maxExact: number): Promise<readonly SpreadResult[]> {
  return tiers.withSnapshot('logs', NS, ALL_TIME, { heavy: true, signal: NEVER }, async snapshot => {
    const narrowing = new NarrowedByIds({ snapshot, kind: 'logs', ns: NS, range: ALL_TIME, signal: NEVER })
    return measureSpreads(narrowing, LOGS.fields, REQUESTS, maxExact)
  })
}

it('estimates percentiles of more numbers than it keeps in memory, and states so', async () => {
  const exact = await spreadsOf(2 * ROWS)
  expect(exact).toMatchObject([
    { numbers: ROWS, min: 1, max: ROWS, areExtremesExact: true, relativeError: 0 },
    { numbers: ROWS, relativeError: 0 }
  ])
  expect(exact[0]!.percentiles[1]).toBe((ROWS + 1) / 2)
  const estimated = await spreadsOf(2 * ROWS - 1)
  expect(estimated).toMatchObject([
    { numbers: ROWS, min: 1, max: ROWS, areExtremesExact: true, relativeError: null },
    { numbers: ROWS, min: 1_000, max: ROWS * 1_000, relativeError: null }
  ])
  for (const [i, { percentiles }] of estimated.entries())
    for (const [at, value] of percentiles.entries()) {
      const truth = exact[i]!.percentiles[at]!
      expect(Math.abs(value! - truth)).toBeLessThanOrEqual(truth * 0.05)
    }
})

it('computes all percentiles of a column by one aggregate', () => {
  const measures = [ms, size].flatMap(field => [0.5, 0.95, 0.5].map(at => ({ kind: 'percentile', field, at }) as const))
  const sql = new MeasuredColumns({ measures }, 'quantile_cont').sql(false)
  expect(sql.slice(0, 3)).toEqual([1, 2, 1].map(at => `quantile_cont(c0, [0.5, 0.95])[${at}]`))
  expect(new Set(sql.map(each => each.replace(/\[\d\]$/, ''))).size).toBe(2)
})

it('is a heavy search', () => {
  const request = { range: ALL_TIME, filter: MATCH_ALL }
  expect([isHeavySearch({ ...request, spreads: REQUESTS }), isHeavySearch({ ...request, spreads: [] })]).toEqual([true, false])
})
