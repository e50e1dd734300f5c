import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { MATCH_ALL, type Filter } from '../../src/domain/filter.js'
import type { NamespaceId } from '../../src/domain/ids.js'
import type { SpanStats, SpanStatsRequest, SpanStatsRow } from '../../src/ports/trace-store.js'
import { CELL_NS, planCells } from '../../src/stores/duckdb/read/cell-plan.js'
import { CellStats } from '../../src/stores/duckdb/read/cell-stats.js'
import { percentilesOfBins } from '../../src/stores/duckdb/read/duration-bins.js'
import { inSnapshot } from '../../src/stores/duckdb/read/reading.js'
import { SLOT_NS, SpanCells } from '../../src/stores/duckdb/read/span-cells.js'
import { type TraceReader, traceReader } from '../../src/stores/duckdb/read/trace-reader.js'
import { known } from '../contract/log-fixtures.js'
import { NEVER, newIngestId } from '../contract/fresh-ids.js'
import { BASE_NS } from '../contract/store-under-test.js'
import { toSpan } from '../contract/trace-fixtures.js'
import { spanRows } from '../support/reader-rows.js'
import { Tiers } from '../support/tiers.js'

const NS = 'nscellstats' as NamespaceId
const HOUR = Number(CELL_NS)
const HOURS = 8
const ALWAYS = 0
const NEVER_CELLS = Number.MAX_SAFE_INTEGER
const TOLERANCE = 0.005
const START_NS = (BASE_NS / CELL_NS) * CELL_NS
const SERVICES = ['web', 'db', undefined]

/** Spans all over the hours, with durations from nothing to minutes. */
function sketches(count: number, seed: number) {
  return Array.from({ length: count }, (_, i) => {
    const draw = (seed * 7919 + i * 104_729) % 100_003
    return {
      at: Number(START_NS - BASE_NS) + ((draw * 48_611) % (HOURS * 3_600_000)) * 1_000_000,
      took: draw % 17 === 0 ? 0 : Math.floor(1.0002 ** draw),
      name: `op ${draw % 4}`,
      kind: draw % 3 === 0 ? ('client' as const) : ('server' as const),
      status: draw % 5 === 0 ? ('error' as const) : ('unset' as const),
      ...(SERVICES[draw % 3] !== undefined && { service: SERVICES[draw % 3]! })
    }
  })
}

function comparable({ percentilesNs, ...row }: SpanStatsRow): object {
  return { ...row, percentiles: percentilesNs.length }
}

function expectSame(estimated: SpanStats, exact: SpanStats): void {
  expect(estimated.rows.map(comparable)).toEqual(exact.rows.map(comparable))
  expect(estimated.hasMore).toBe(exact.hasMore)
  estimated.rows.forEach(({ percentilesNs }, i) => {
    percentilesNs.forEach((value, p) => {
      const expected = exact.rows[i]!.percentilesNs[p]!
      expect(Math.abs(value! - expected)).toBeLessThanOrEqual(expected * TOLERANCE + 1e-9)
    })
  })
}

describe('statistics of long ranges', () => {
  let tiers: Tiers
  let byCells: TraceReader
  let byRows: TraceReader

  async function append(count: number, seed: number): Promise<void> {
    const ingestId = newIngestId()
    const rows = await spanRows(sketches(count, seed).map((sketch, i) => toSpan({ trace: seed * 1_000 + i, ...sketch }, i)))
    await tiers.append(
      'spans',
      NS,
      rows.map(row => ({ ...row, ingest_id: ingestId }))
    )
  }

  async function compare(given: Partial<SpanStatsRequest> = {}): Promise<SpanStats> {
    const range = { startNs: START_NS + 1_234_567n, endNs: START_NS + BigInt(HOURS * HOUR) - 7_654_321n }
    const request = {
      range,
      filter: MATCH_ALL,
      groupBy: [known('service')],
      percentiles: [0.5, 0.95, 0.99],
      limit: 100,
      ...given
    }
    const [estimated, exact] = [await byCells.stats(NS, request, NEVER), await byRows.stats(NS, request, NEVER)]
    expectSame(estimated, exact)
    return estimated
  }

  beforeAll(async () => {
    tiers = await Tiers.open('mixed')
    for (const seed of [1, 2, 3, 4]) await append(300, seed)
    byCells = traceReader(tiers, { leastRows: ALWAYS })
    byRows = traceReader(tiers, { leastRows: NEVER_CELLS })
  }, 60_000)

  afterAll(() => tiers.close())

  const served: Filter = { kind: 'eq', field: known('kind'), value: 'server' }
  const queries: readonly [string, Partial<SpanStatsRequest>][] = [
    ['by service', {}],
    ['of all', { groupBy: [] }],
    ['by name and status, cut', { groupBy: [known('name'), known('status')], limit: 3 }],
    ['with a filter and bounds', { filter: served, boundsNs: [1_000n, 50_000n] }],
    ['with bounds of failed spans', { boundsNs: [1_000n, 50_000n], errorBuckets: true }],
    ['without percentiles', { percentiles: [] }],
    ['on a grid of slots', { grid: { startNs: START_NS, stepNs: 600_000_000_000n, count: HOURS * 6 } }],
    ['of durations on a grid', { grid: { startNs: START_NS, stepNs: 600_000_000_000n, count: HOURS * 6, sums: true } }],
    [
      'of durations and their bounds on a grid',
      {
        ...{ boundsNs: [1_000n, 50_000n, 10_000_000n], percentiles: [] },
        grid: { startNs: START_NS + CELL_NS, stepNs: 900_000_000_000n, count: HOURS, sums: true, buckets: true }
      }
    ],
    ['on a grid that is shorter', { grid: { startNs: START_NS + CELL_NS, stepNs: 3_000_000_000_000n, count: 3 } }],
    ['on a grid of odd steps', { grid: { startNs: START_NS + 1n, stepNs: 777_777_777_777n, count: 30 } }],
    ['of a filter that nothing matches', { filter: { kind: 'eq', field: known('service'), value: 'absent' } }]
  ]

  it.each(queries)('are those of the spans, counted first and again: %s', async (_what, given) => {
    const first = await compare(given)
    expect(await compare(given)).toEqual(first)
  })

  it('follow a window that slides, to the nanosecond', async () => {
    for (const step of [0n, 1n, 1_799_999_999_999n, CELL_NS, CELL_NS + 1n]) {
      const range = { startNs: START_NS + step, endNs: START_NS + 5n * CELL_NS + step }
      await compare({ range })
    }
  })

  it('hold spans that come later, sealed or not', async () => {
    for (const seed of [5, 6, 7]) {
      const before = await compare({ groupBy: [] })
      await append(50, seed)
      const after = await compare({ groupBy: [] })
      expect(after.rows[0]!.spans).toBeGreaterThan(before.rows[0]!.spans)
    }
  })

  it('leave out what was deleted', async () => {
    await tiers.delete('spans', NS, START_NS + 3n * CELL_NS)
    await compare()
  })
})

describe('statistics of a range that begins before 1970', () => {
  let tiers: Tiers

  beforeAll(async () => {
    tiers = await Tiers.open('mixed')
    const slots = [-3n, -2n, -1n, 0n, 1n, 12n, 30n]
    const times = slots.flatMap(slot => [-1n, 0n, 1n].map(ns => slot * SLOT_NS + ns))
    const spans = times.map((timestampNs, i) => ({ ...toSpan({ trace: i, name: 'op' }, i), timestampNs }))
    const ingestId = newIngestId()
    const rows = await spanRows(spans)
    await tiers.append(
      'spans',
      NS,
      rows.map(row => ({ ...row, ingest_id: ingestId }))
    )
  }, 60_000)

  afterAll(() => tiers.close())

  it('count each span in its own slot, to the nanosecond', async () => {
    const range = { startNs: -3n * SLOT_NS, endNs: 4n * CELL_NS }
    const grid = { startNs: range.startNs, stepNs: SLOT_NS, count: 51 }
    const request = { range, grid, filter: MATCH_ALL, groupBy: [known('name')], percentiles: [], limit: 10 }
    const byCells = await traceReader(tiers, { leastRows: ALWAYS }).stats(NS, request, NEVER)
    expect(byCells).toEqual(await traceReader(tiers, { leastRows: NEVER_CELLS }).stats(NS, request, NEVER))
    expect(byCells.rows[0]!.grid!.spans.slice(0, 6)).toEqual([3, 3, 3, 3, 2, 0])
  })
})

describe('a query that makes too many groups', () => {
  const MAX_ROWS = 10
  const FINE = 'nscellsfine' as NamespaceId
  const request = { filter: MATCH_ALL, groupBy: [known('name')], percentiles: [], limit: 100 }
  let tiers: Tiers

  /** A span an hour; `names` of them, each of its own, in the last one. */
  async function store(ns: NamespaceId, names: number): Promise<void> {
    const offset = Number(START_NS - BASE_NS)
    const hourly = Array.from({ length: HOURS }, (_, i) => ({ at: offset + i * HOUR, name: 'op' }))
    const last = Array.from({ length: names }, (_, i) => ({ at: offset + (HOURS - 1) * HOUR + i, name: `op ${i}` }))
    const spans = [...hourly, ...last].map((sketch, i) => toSpan({ trace: i, ...sketch }, i))
    const ingestId = newIngestId()
    await tiers.append(
      'spans',
      ns,
      (await spanRows(spans)).map(row => ({ ...row, ingest_id: ingestId }))
    )
  }

  function send(stats: CellStats, ns: NamespaceId, hours: number): Promise<readonly SpanStatsRow[] | null> {
    const range = { startNs: START_NS, endNs: START_NS + BigInt(hours) * CELL_NS }
    const options = { kind: 'spans', ns, range, heavy: true, signal: NEVER } as const
    return inSnapshot(tiers, options, scope => {
      const requested = { ...request, range }
      return stats.rows(scope, requested, planCells(scope, requested, ALWAYS)!)
    })
  }

  beforeAll(async () => {
    tiers = await Tiers.open('sealed')
    await store(NS, 0)
    await store(FINE, MAX_ROWS + 1)
  }, 60_000)

  afterAll(() => tiers.close())

  it('goes without cells in its namespace and range, and nowhere else', async () => {
    const stats = new CellStats(new SpanCells(), MAX_ROWS)
    expect(await send(stats, FINE, HOURS)).toBeNull()
    expect(await send(stats, NS, HOURS)).toMatchObject([{ key: ['op'], spans: HOURS }])
    expect(await send(stats, FINE, HOURS - 1)).toMatchObject([{ key: ['op'], spans: HOURS - 1 }])
    expect(await send(stats, FINE, HOURS)).toBeNull()
  })
})

describe('percentiles of bins', () => {
  it('are between two durations as those of the durations do', () => {
    const bins = new Map([
      [-1, 1],
      [Math.floor(Math.log(1_000) * 100), 1]
    ])
    const [zero, half, most] = percentilesOfBins(bins, [0.0001, 0.5, 0.9999]) as [number, number, number]
    expect(zero).toBeLessThan(1)
    expect(Math.abs(half / 500 - 1)).toBeLessThanOrEqual(TOLERANCE)
    expect(Math.abs(most / 999.9 - 1)).toBeLessThanOrEqual(TOLERANCE)
    expect(percentilesOfBins(new Map(), [0.5])).toEqual([null])
  })
})

describe('the memory of cells', () => {
  const SLOTS = { slots: new Float64Array(3), slotsAtMost: new Float64Array(2), slotsNs: [7n] }
  const cell = [
    { key: ['a'], spans: 1, errors: 0, lastNs: 0n, atMost: [], failedAtMost: [], bins: new Int32Array(100), ...SLOTS }
  ]

  it('is bounded; what was not requested longest goes first', () => {
    const one = new SpanCells()
    one.set('0', cell)
    const cells = new SpanCells(one.bytes * 3)
    for (const key of ['0', '1', '2']) cells.set(key, cell)
    expect(cells.bytes).toBe(one.bytes * 3)
    expect(cells.get('0')).toBe(cell)
    cells.set('3', cell)
    expect(['0', '1', '2', '3'].map(key => cells.get(key) !== undefined)).toEqual([true, false, true, true])
    cells.set('3', cell)
    expect(cells.bytes).toBe(one.bytes * 3)
  })
})
