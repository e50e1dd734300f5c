import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { NamespaceId } from '../../src/domain/ids.js'
import { ALL_TIME, type TimeRange } from '../../src/domain/time-range.js'
import type { ServiceEdge, ServiceEdges } from '../../src/ports/trace-store.js'
import { CELL_NS } from '../../src/stores/duckdb/read/cell-plan.js'
import { EdgeCells } from '../../src/stores/duckdb/read/edge-cells.js'
import { planEdges } from '../../src/stores/duckdb/read/edge-plan.js'
import { inSnapshot } from '../../src/stores/duckdb/read/reading.js'
import { readServiceEdges } from '../../src/stores/duckdb/read/service-edges.js'
import { type SpanCell, SpanCells } from '../../src/stores/duckdb/read/span-cells.js'
import { type TraceReader, traceReader } from '../../src/stores/duckdb/read/trace-reader.js'
import { NEVER, newIngestId } from '../contract/fresh-ids.js'
import { BASE_NS } from '../contract/store-under-test.js'
import { type SpanSketch, toSpan } from '../contract/trace-fixtures.js'
import { spanRows } from '../support/reader-rows.js'
import { Tiers, type Placement } from '../support/tiers.js'

const NS = 'nsedgecells' as NamespaceId
const HOURS = 8
const ALWAYS = 0
const NEVER_CELLS = Number.MAX_SAFE_INTEGER
const TOLERANCE = 0.005
const START_NS = (BASE_NS / CELL_NS) * CELL_NS
const OFFSET = Number(START_NS - BASE_NS)
const MINUTE = 60_000_000_000
const WHOLE = { startNs: START_NS, endNs: START_NS + BigInt(HOURS) * CELL_NS }
const SERVICES = ['web', 'cart', 'stock', 'mail']
const CALLS = [{ 'rpc.system': 'grpc' }, { 'http.request.method': 'GET' }, { 'db.system': 'redis' }, { 'server.address': 'api' }]

/** A trace that begins anywhere in the hours: calls that are served up to nine minutes later, others that only name their peer. */
function trace(draw: number, id: number): readonly SpanSketch[] {
  const at = OFFSET + ((draw * 48_611) % (HOURS * 3_600_000)) * 1_000_000
  const [caller, called] = [SERVICES[draw % 4]!, SERVICES[(draw >> 2) % 4]!]
  const call = { trace: id, service: caller, kind: 'client', attributes: CALLS[draw % 5] ?? {}, took: draw } as const
  const response = { service: called, kind: 'server', took: draw * 31, status: draw % 7 === 0 ? 'error' : 'unset' } as const
  return [
    { ...call, at, id: 1 },
    { ...response, trace: id, at: at + (draw % 10) * MINUTE, id: 2, parent: 1 },
    { ...call, at: at + 1, id: 3, parent: 2 },
    // Sent twice, and without its parent.
    ...(draw % 11 === 0
      ? [
          { ...call, at, id: 1 },
          { ...response, trace: id, at, id: 4, parent: 9 }
        ]
      : [])
  ]
}

function traces(count: number, seed: number): readonly SpanSketch[] {
  return Array.from({ length: count }, (_, i) => trace((seed * 7919 + i * 104_729) % 100_003, seed * 1_000 + i)).flat()
}

async function append(tiers: Tiers, ns: NamespaceId, sketches: readonly SpanSketch[]): Promise<void> {
  const ingestId = newIngestId()
  const rows = await spanRows(sketches.map(toSpan))
  await tiers.append(
    'spans',
    ns,
    rows.map(row => ({ ...row, ingest_id: ingestId }))
  )
}

function comparable({ percentilesNs, ...edge }: ServiceEdge): object {
  return { ...edge, percentiles: percentilesNs.length }
}

function expectSame(estimated: ServiceEdges, exact: ServiceEdges): void {
  const edgesOf = ({ edges, hasMore }: ServiceEdges) => ({ edges: edges.map(comparable), hasMore })
  expect(edgesOf(estimated)).toEqual(edgesOf(exact))
  estimated.edges.forEach(({ percentilesNs }, i) => {
    percentilesNs.forEach((value, p) => {
      const expected = exact.edges[i]!.percentilesNs[p]!
      expect(Math.abs(value! - expected)).toBeLessThanOrEqual(expected * TOLERANCE + 1e-9)
    })
  })
}

describe('edges of long ranges', () => {
  let tiers: Tiers
  let byCells: TraceReader
  let byRows: TraceReader

  async function compare(range: TimeRange = { startNs: START_NS + 1_234_567n, endNs: WHOLE.endNs - 7_654_321n }, limit = 100) {
    const request = { range, percentiles: [0.5, 0.99], limit }
    const [estimated, exact] = [await byCells.serviceEdges(NS, request, NEVER), await byRows.serviceEdges(NS, request, NEVER)]
    expectSame(estimated, exact)
    return estimated
  }

  beforeAll(async () => {
    tiers = await Tiers.open('mixed')
    for (const seed of [1, 2, 3, 4]) await append(tiers, NS, traces(200, seed))
    byCells = traceReader(tiers, { leastRows: ALWAYS })
    byRows = traceReader(tiers, { leastRows: NEVER_CELLS })
  }, 60_000)

  afterAll(() => tiers.close())

  it('are those of the spans, counted first and again', async () => {
    const first = await compare()
    expect(first.edges.length).toBeGreaterThan(15)
    expect(new Set(first.edges.map(({ protocol }) => protocol))).toEqual(new Set(['grpc', 'redis', null]))
    expect(await compare()).toEqual(first)
    expect(await compare(undefined, 5)).toMatchObject({ hasMore: true, edges: first.edges.slice(0, 5) })
  })

  it('follow a window that slides, to the nanosecond', async () => {
    for (const step of [0n, 1n, 1_799_999_999_999n, CELL_NS, CELL_NS + 1n]) {
      await compare({ startNs: START_NS + step, endNs: START_NS + 5n * CELL_NS + step })
    }
    await compare(ALL_TIME)
  })

  it('hold spans that come later, sealed or not', async () => {
    const calls = ({ edges }: ServiceEdges): number => edges.reduce((sum, edge) => sum + edge.calls, 0)
    for (const seed of [5, 6, 7]) {
      const before = await compare()
      await append(tiers, NS, traces(40, seed))
      expect(calls(await compare())).toBeGreaterThan(calls(before))
    }
  })

  it('leave out what was deleted', async () => {
    await tiers.delete('spans', NS, START_NS + 3n * CELL_NS)
    await compare()
  })
})

class CountedCells extends SpanCells {
  readonly counted: string[] = []

  override set(key: string, cell: SpanCell): void {
    this.counted.push(key)
    super.set(key, cell)
  }
}

describe('hours of edges', () => {
  const open: Tiers[] = []
  const caller = { id: 1, service: 'a', kind: 'client', attributes: { 'peer.service': 'b' } } as const

  async function openTiers(placement: Placement, ...batches: readonly (readonly SpanSketch[])[]): Promise<Tiers> {
    const tiers = await Tiers.open(placement)
    open.push(tiers)
    for (const batch of batches) await append(tiers, NS, batch)
    return tiers
  }

  function send(tiers: Tiers, edgeCells: EdgeCells, range: TimeRange = WHOLE): Promise<ServiceEdges> {
    const options = { kind: 'spans', ns: NS, range: ALL_TIME, heavy: true, signal: NEVER } as const
    const long = { edgeCells, leastRows: ALWAYS }
    return inSnapshot(tiers, options, scope => readServiceEdges(scope, { range, percentiles: [], limit: 100 }, long))
  }

  afterAll(async () => {
    for (const tiers of open) await tiers.close()
  })

  it('are counted once, until a segment is added; not while spans in or around them are not sealed', async () => {
    const at = (minutes: number): SpanSketch => ({ at: OFFSET + minutes * MINUTE, service: 'a' })
    const tiers = await openTiers('sealed', [at(5), at(4 * 60 + 5)])
    const cells = new CountedCells()
    const edgeCells = new EdgeCells(cells)
    const counts = async (): Promise<number> => {
      await send(tiers, edgeCells)
      return cells.counted.splice(0).length
    }
    expect([await counts(), await counts()]).toEqual([5, 0])
    await append(tiers, NS, [at(2 * 60 + 55)])
    expect([await counts(), await counts()]).toEqual([2, 0])
    const unsealed = await openTiers('mixed', [at(5), at(4 * 60 + 5)], [at(2 * 60 + 55)])
    const others = new CountedCells()
    await send(unsealed, new EdgeCells(others))
    expect(others.counted.map(key => key.split(' ')[1])).toEqual([0n, 1n, 4n].map(hour => String(START_NS / CELL_NS + hour)))
  })

  it('join calls whose spans begin up to ten minutes from each other, on both sides of an hour', async () => {
    const late = (trace: number, minutes: number): readonly SpanSketch[] => [
      { ...caller, trace, at: OFFSET + 55 * MINUTE },
      { trace, id: 2, parent: 1, at: OFFSET + (55 + minutes) * MINUTE, service: 'b' }
    ]
    const tiers = await openTiers('sealed', [...late(1, 10), ...late(2, 11), { at: OFFSET + 4 * 60 * MINUTE, service: 'a' }])
    const { edges, complete } = await send(tiers, new EdgeCells(new SpanCells()))
    expect(edges.map(({ target, targetKind, calls }) => [target, targetKind, calls])).toEqual([
      ['b', 'external', 1],
      ['b', 'service', 1]
    ])
    expect(complete).toBe(false)
  })

  it('report for how many spans a caller was not found near them, counted first and again', async () => {
    const called = (trace: number, minutes: number): SpanSketch => {
      return { trace, id: 2, parent: 1, at: OFFSET + minutes * MINUTE, service: 'b' }
    }
    const batches = [1, 2, 3].map(trace => [{ ...caller, trace, at: OFFSET + 30 * MINUTE }])
    const tiers = await openTiers('sealed', ...batches, [called(1, 40)], [{ at: OFFSET + 4 * 60 * MINUTE, service: 'a' }])
    const edgeCells = new EdgeCells(new SpanCells())
    const reported = async () => {
      const { complete, warnings } = await send(tiers, edgeCells)
      return { complete, warnings }
    }
    expect(await reported()).toEqual({ complete: true, warnings: [] })
    const farther = 'over ranges of hours, calls between spans with a larger distance are omitted'
    const one = { complete: false, warnings: [`1 span names a parent that is not found within ten minutes; ${farther}`] }
    await append(tiers, NS, [called(2, 41)])
    expect([await reported(), await reported()]).toEqual([one, one])
    await append(tiers, NS, [called(3, 70)])
    const two = { complete: false, warnings: [`2 spans name a parent that is not found within ten minutes; ${farther}`] }
    expect([await reported(), await reported()]).toEqual([two, two])
    // A shorter range reads whatever its calls are made of.
    const short = { startNs: START_NS, endNs: START_NS + CELL_NS }
    expect(await send(tiers, edgeCells, short)).toMatchObject({
      complete: true,
      warnings: [],
      edges: [{ calls: 2 }, { calls: 1 }]
    })
  })

  it('report only spans that began ten minutes before the newest: later callers may be on their way', async () => {
    const span = (minutes: number, sketch: Partial<SpanSketch> = {}): SpanSketch => {
      return { at: OFFSET + minutes * MINUTE, service: 'b', ...sketch }
    }
    const tiers = await openTiers('mixed', [span(5)], [span(4 * 60 + 5)], [span(5 * 60 + 30, { trace: 9, id: 2, parent: 1 })])
    const edgeCells = new EdgeCells(new SpanCells())
    const range = { startNs: START_NS, endNs: START_NS + 5n * CELL_NS + 50n * BigInt(MINUTE) }
    for (const minutes of [31, 39, 40]) {
      await append(tiers, NS, [span(5 * 60 + minutes)])
      expect((await send(tiers, edgeCells, range)).warnings).toEqual([])
    }
    await append(tiers, NS, [span(5 * 60 + 41)])
    expect((await send(tiers, edgeCells, range)).warnings).toEqual([expect.stringMatching(/^1 span names a parent/)])
    // The caller, late.
    await append(tiers, NS, [span(5 * 60 + 29, { trace: 9, id: 1, service: 'a' })])
    expect(await send(tiers, edgeCells, range)).toMatchObject({ warnings: [], edges: [{ source: 'a', target: 'b', calls: 1 }] })
  })

  it('do not hold calls of the hour before 1970', async () => {
    const at = (hours: number): SpanSketch => ({ ...caller, trace: hours, at: Number(-BASE_NS) + hours * 60 * MINUTE })
    const tiers = await openTiers('sealed', [at(-0.5), at(0.5), at(3)])
    const edgeCells = new EdgeCells(new SpanCells())
    const range = { startNs: -CELL_NS, endNs: 4n * CELL_NS }
    for (let i = 0; i < 2; i++) expect((await send(tiers, edgeCells, range)).edges[0]!.calls).toBe(3)
  })

  it('are done without where edges are too many, and in ranges of as many hours from then on', async () => {
    const peers = ['b', 'c', 'd'].map((name, i) => ({ ...caller, trace: i, at: OFFSET, attributes: { 'peer.service': name } }))
    const tiers = await openTiers('sealed', [...peers, { at: OFFSET + 6 * 60 * MINUTE, service: 'a' }])
    const cells = new CountedCells()
    const edgeCells = new EdgeCells(cells, 2)
    const between = (first: bigint, last: bigint): TimeRange => ({
      startNs: START_NS + first * CELL_NS,
      endNs: START_NS + last * CELL_NS
    })
    expect((await send(tiers, edgeCells, between(0n, 5n))).edges).toHaveLength(3)
    expect((await send(tiers, edgeCells, between(1n, 6n))).edges).toHaveLength(0)
    expect(cells.counted).toEqual([])
    expect((await send(tiers, edgeCells, between(1n, 5n))).edges).toHaveLength(0)
    expect(cells.counted).toHaveLength(4)
  })

  it('are whole ones, at least two of them', async () => {
    const tiers = await openTiers('sealed', [{ at: OFFSET, service: 'a' }])
    const options = { kind: 'spans', ns: NS, range: ALL_TIME, heavy: true, signal: NEVER } as const
    const plan = (endNs: bigint) =>
      inSnapshot(tiers, options, scope => Promise.resolve(planEdges(scope, { startNs: START_NS, endNs }, ALWAYS)))
    expect(await plan(START_NS + 2n * CELL_NS - 1n)).toBeNull()
    expect(await plan(START_NS + 2n * CELL_NS)).toMatchObject({ first: START_NS / CELL_NS, last: START_NS / CELL_NS + 1n })
  })
})
