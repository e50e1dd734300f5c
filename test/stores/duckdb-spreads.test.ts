import { readFile, writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { MATCH_ALL } from '../../src/domain/filter.js'
import type { SpreadRequest, SpreadResult } from '../../src/domain/search.js'
import { ALL_TIME } from '../../src/domain/time-range.js'
import { MeasuredColumns } from '../../src/stores/duckdb/read/aggregate-columns.js'
import { LOGS } from '../../src/stores/duckdb/read/stored-record.js'
import { NarrowedByIds } from '../../src/stores/duckdb/read/narrowed-by-ids.js'
import { isHeavySearch } from '../../src/stores/duckdb/read/reading.js'
import { SpreadCells } from '../../src/stores/duckdb/read/spread-cells.js'
import { measureSpreads } from '../../src/stores/duckdb/read/spreads.js'
import { NEVER } from '../contract/fresh-ids.js'
import { NOON_NS, NS, testLog } from '../support/duckdb-fixture.js'
import { logRow } from '../support/reader-rows.js'
import { Tiers } from '../support/tiers.js'

/** Leaves only the first bytes of a segment and its footer, whose length is in its last eight bytes. */
async function damagePages(file: string): Promise<void> {
  const bytes = await readFile(file)
  const end = bytes.length - 8 - bytes.readUInt32LE(bytes.length - 8)
  await writeFile(file, bytes.fill(0xab, 8, end))
}

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
    return measureSpreads({ narrowing, fields: LOGS.fields, cells: new SpreadCells(), maxExact }, REQUESTS)
  })
}

function expectWithinError({ percentiles, relativeError }: SpreadResult, truth: SpreadResult): void {
  for (const [at, value] of percentiles.entries()) {
    const exact = truth.percentiles[at]!
    expect(Math.abs(value! - exact)).toBeLessThanOrEqual(Math.abs(exact) * relativeError!)
  }
}

it('estimates percentiles of more numbers than it keeps in memory, and states the error', async () => {
  const exact = await spreadsOf(2 * ROWS)
  expect(exact).toMatchObject([
    { numbers: ROWS, min: 1, max: ROWS, areExtremesExact: true, relativeError: 0 },
    { numbers: ROWS, relativeError: 0 }
  ])
  expect(exact[0]!.percentiles[1]).toBe((ROWS + 1) / 2)
  const estimated = await spreadsOf(2 * ROWS - 1)
  expect(estimated).toMatchObject([
    { numbers: ROWS, min: 1, max: ROWS, areExtremesExact: true },
    { numbers: ROWS, min: 1_000, max: ROWS * 1_000, areExtremesExact: true }
  ])
  for (const [i, spread] of estimated.entries()) {
    expect(spread.relativeError).toBeCloseTo(0.005, 4)
    expectWithinError(spread, exact[i]!)
  }
})

describe('numbers of all magnitudes', () => {
  const FIELDS = {
    // Whole powers of e are bounds of bins, and these of 10 those of the first and the last one with an error.
    magnitudes: (i: number) => 10 ** ((i % 29) - 11) * (1 + i / 1_000),
    negative: (i: number) => -Math.exp(i / 20),
    around: (i: number) => (i % 2 === 0 ? 1 : -1) * (1 + i),
    zeros: (i: number) => (i % 3 === 0 ? i : 0),
    extreme: (i: number) => [Number.MAX_VALUE, -Number.MAX_VALUE, Number.MIN_VALUE, -Number.MIN_VALUE, 0][i % 5]!,
    one: () => 7,
    absent: () => null
  }
  const requests = Object.keys(FIELDS).map(name => ({ field: { in: 'log_fields', name } as const, filter: MATCH_ALL, cuts: [0] }))
  let own: Tiers
  beforeAll(async () => {
    own = await Tiers.open('sealed')
    for (let n = 0; n < 3; n++) {
      const rows = Array.from({ length: 100 }, (_, i) => {
        const fields = Object.fromEntries(Object.entries(FIELDS).map(([name, value]) => [name, value(n * 100 + i)]))
        return { ...logRow(testLog(i, { timestampNs: NOON_NS + BigInt(n * 100 + i), fields })), ingest_id: 'batch' }
      })
      await own.append('logs', NS, rows)
    }
  })
  afterAll(() => own.close())

  function of(cells: SpreadCells, maxExact = 0): Promise<readonly SpreadResult[]> {
    return own.withSnapshot('logs', NS, ALL_TIME, { heavy: true, signal: NEVER }, snapshot => {
      const narrowing = new NarrowedByIds({ snapshot, kind: 'logs', ns: NS, range: ALL_TIME, signal: NEVER })
      return measureSpreads({ narrowing, fields: LOGS.fields, cells, maxExact }, requests)
    })
  }

  it('have estimates within the error, or none is stated', async () => {
    const exact = await of(new SpreadCells(), Infinity)
    const estimated = await of(new SpreadCells())
    const unestimated = ({ field, numbers, min, max, areExtremesExact }: SpreadResult) => [
      field,
      numbers,
      min,
      max,
      areExtremesExact
    ]
    expect(estimated.map(unestimated)).toEqual(exact.map(unestimated))
    const stated = estimated.filter(({ relativeError }) => relativeError !== null)
    expect(stated.map(({ field }) => field.name)).toEqual(['magnitudes', 'negative', 'zeros', 'one', 'absent'])
    for (const spread of stated.slice(0, -1)) expectWithinError(spread, exact[estimated.indexOf(spread)]!)
    expect(estimated.at(-1)).toMatchObject({ numbers: 0, min: null, max: null, percentiles: [null, null, null, null, null] })
    for (const { percentiles, min, max } of estimated.slice(0, -1))
      for (const value of percentiles) expect(value! >= min! && value! <= max!).toBe(true)
  })

  it('are the same by what was counted before, without a look at the segments', async () => {
    const counted = await of(new SpreadCells({ leastRows: Infinity }))
    for (const maxBytes of [10, 1_000_000]) {
      const cells = new SpreadCells({ leastRows: 1, maxBytes })
      for (let i = 0; i < 3; i++) expect(await of(cells)).toEqual(counted)
      expect(cells.bytes > 0 && cells.bytes <= maxBytes).toBe(maxBytes > 10)
    }
    const cells = new SpreadCells({ leastRows: 1 })
    await of(cells)
    await of(cells)
    // The number of rows, which comes from the footers, decides that percentiles are estimated.
    for (const { file } of own.segmentsOf('logs', NS)) await damagePages(file)
    expect(await of(cells)).toEqual(counted)
    await expect(of(new SpreadCells({ leastRows: Infinity }))).rejects.toThrow()
  })
})

it('computes all percentiles of a column by one aggregate', () => {
  const measures = [ms, size].flatMap(field => [0.5, 0.95, 0.5].map(at => ({ kind: 'percentile', field, at }) as const))
  const sql = new MeasuredColumns({ measures }).sql(false)
  expect(sql.slice(0, 3)).toEqual([1, 2, 1].map(at => `quantile_cont(c0, [0.5, 0.95])[${at}]`))
  expect(new Set(sql.map(each => each.replace(/\[\d\]$/, ''))).size).toBe(2)
})

it('is a heavy search', () => {
  const request = { range: ALL_TIME, filter: MATCH_ALL }
  expect([isHeavySearch({ ...request, spreads: REQUESTS }), isHeavySearch({ ...request, spreads: [] })]).toEqual([true, false])
})
