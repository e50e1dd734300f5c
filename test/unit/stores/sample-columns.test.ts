import { describe, expect, it } from '@jest/globals'
import type { DuckDBDataChunk } from '@duckdb/node-api'
import fc from 'fast-check'
import { SampleGatherer } from '../../../src/stores/duckdb/read/sample-columns.js'

const STALE = 0x7ff0000000000002n
const ROWS = 2_000
const NEVER = new AbortController().signal

interface Row {
  readonly series: bigint
  readonly ts: bigint
  /** The value's 64 bits. */
  readonly bits: bigint
  readonly seq: bigint
}

function chunkOf(rows: readonly Row[]): DuckDBDataChunk {
  const column = (pick: (row: Row) => bigint): BigInt64Array => BigInt64Array.from(rows, pick)
  const values = new Float64Array(column(({ bits }) => BigInt.asIntN(64, bits)).buffer)
  const columns = [column(({ series }) => series), column(({ ts }) => ts), values, column(({ seq }) => seq)]
  return { getColumnVector: (i: number) => ({ items: columns[i] }) } as unknown as DuckDBDataChunk
}

function bitsOf({ buffer, byteOffset, length }: Float64Array): bigint[] {
  return Array.from(new BigUint64Array(buffer, byteOffset, length))
}

/** What must come of rows: one for each time, that with the highest `seq`, by rising time. */
function expected(rows: readonly Row[]): (readonly [bigint, readonly (readonly [bigint, bigint])[]])[] {
  const bySeries = new Map<bigint, Map<bigint, Row>>()
  for (const row of rows) {
    const byTime = bySeries.get(row.series) ?? new Map<bigint, Row>()
    bySeries.set(row.series, byTime)
    const known = byTime.get(row.ts)
    if (known === undefined || known.seq < row.seq) byTime.set(row.ts, row)
  }
  const rising = (a: bigint, b: bigint): number => (a < b ? -1 : 1)
  return [...bySeries]
    .sort(([a], [b]) => rising(a, b))
    .map(([id, byTime]) => [id, [...byTime.values()].sort((a, b) => rising(a.ts, b.ts)).map(({ ts, bits }) => [ts, bits])])
}

describe('rows of samples in any order', () => {
  // Ids of several starts of the store, times on both sides of 1970 and where their words change.
  const ids = [1n, 2n, 2n ** 31n, 2n ** 32n + 1n, 2n ** 32n + 2n, 2n ** 33n + 1n]
  const times = [-(2n ** 32n) - 1n, -(2n ** 32n), -1n, 0n, 1n, 2n ** 32n - 1n, 2n ** 32n, 1_700_000_000_000_000_000n]
  const row = fc.tuple(
    fc.constantFrom(...ids),
    fc.oneof(fc.constantFrom(...times), fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n)),
    fc.constantFrom(0n, 2n ** 63n, STALE, 0x7ff8000000000000n, 0x3ff0000000000000n)
  )

  it('become series with one sample for each time, bit for bit', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 60 }), fc.integer({ min: 1, max: 20 }), async (drawn, size) => {
        const rows = drawn.map(([series, ts, bits], i) => ({ series, ts, bits, seq: BigInt((i * 37) % 61) }))
        const gatherer = new SampleGatherer(ids)
        for (let from = 0; from < rows.length; from += size) gatherer.add(chunkOf(rows.slice(from, from + size)))
        const found = [...(await gatherer.finish(NEVER))].map(([id, { timestampsNs, values }]) => {
          return [id, bitsOf(values).map((bits, i) => [timestampsNs[i], bits])]
        })
        expect(gatherer.rows).toBe(rows.length)
        expect(found).toEqual(expected(rows))
      }),
      { numRuns: 500 }
    )
  })

  it('tell which series hold the mark of a histogram', async () => {
    const gatherer = new SampleGatherer([1n, 2n])
    const rows = [1n, 2n, 2n].map((series, i) => ({ series, ts: BigInt(i), bits: i === 1 ? 0x7ff8000000000068n : 1n, seq: 0n }))
    gatherer.add(chunkOf(rows))
    expect([...(await gatherer.finish(NEVER)).values()].map(({ hasHistograms }) => hasHistograms)).toEqual([false, true])
  })

  it('leave nothing behind of series of which little is kept', async () => {
    const gatherer = new SampleGatherer([1n, 2n])
    gatherer.add(
      chunkOf(Array.from({ length: ROWS }, (_, i) => ({ series: i === 0 ? 1n : 2n, ts: BigInt(i), bits: STALE, seq: 0n })))
    )
    const kept = await gatherer.finish(NEVER, one =>
      one.values.length > 1 ? { ...one, values: one.values.slice(0, 2), timestampsNs: one.timestampsNs.slice(0, 2) } : one
    )
    expect(
      [...kept.values()].map(({ values, timestampsNs }) => [values.buffer.byteLength, timestampsNs.buffer.byteLength])
    ).toEqual([
      [8, 8],
      [16, 16]
    ])
    expect([...kept.values()].flatMap(({ values }) => bitsOf(values))).toEqual([STALE, STALE, STALE])
  })

  it('do not keep chunks in memory that hold few of them', async () => {
    const gatherer = new SampleGatherer([1n])
    const few = chunkOf([{ series: 1n, ts: 0n, bits: STALE, seq: 0n }])
    const many = chunkOf(Array.from({ length: ROWS }, (_, i) => ({ series: 1n, ts: BigInt(i + 1), bits: STALE, seq: 0n })))
    const memory = [few, many].map(chunk => (chunk.getColumnVector(1) as unknown as { items: BigInt64Array }).items)
    gatherer.add(few)
    gatherer.add(many)
    // What becomes of a chunk's memory is not seen once its rows were copied.
    for (const items of memory) items.fill(7n)
    const { timestampsNs } = (await gatherer.finish(NEVER)).get(1n)!
    expect([...timestampsNs]).toEqual([0n, 7n])
  })

  it('are refused when nobody asked for their series', () => {
    const gatherer = new SampleGatherer([1n])
    const stray = [{ series: 2n, ts: 0n, bits: 0n, seq: 0n }]
    expect(() => gatherer.add(chunkOf(stray))).toThrow('a series that was not asked for')
  })
})

it('the bits of a value survive, however often they are read', async () => {
  const gatherer = new SampleGatherer([1n])
  for (let round = 0; round < 300; round++) {
    const rows = Array.from({ length: ROWS }, (_, i) => {
      return { series: 1n, ts: BigInt(round * ROWS + i), bits: i % 3 === 0 ? STALE : 0x3ff0000000000000n, seq: 0n }
    })
    gatherer.add(chunkOf(rows))
  }
  const { values } = (await gatherer.finish(NEVER)).get(1n)!
  expect(values).toHaveLength(300 * ROWS)
  expect(bitsOf(values).filter(each => each === STALE)).toHaveLength(300 * Math.ceil(ROWS / 3))
})
