import { describe, expect, it } from '@jest/globals'
import type { DuckDBDataChunk } from '@duckdb/node-api'
import fc from 'fast-check'
import { type Gathering, gatherSamples } from '../../../src/stores/duckdb/read/gather-samples.js'
import type { SampleRows } from '../../../src/stores/duckdb/read/sorted-rows.js'

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

function chunkOf(rows: readonly Row[], isNumbered = true): DuckDBDataChunk {
  const column = (pick: (row: Row) => bigint): BigInt64Array => BigInt64Array.from(rows, pick)
  const values = new Float64Array(column(({ bits }) => BigInt.asIntN(64, bits)).buffer)
  const columns = [column(({ series }) => series), column(({ ts }) => ts), values, column(({ seq }) => seq)]
  const columnCount = isNumbered ? 4 : 3
  return { columnCount, getColumnVector: (i: number) => ({ items: columns[i] }) } as unknown as DuckDBDataChunk
}

function rowsOf(chunks: readonly DuckDBDataChunk[], rowCount: number): SampleRows {
  return { rowCount, chunkCount: chunks.length, getChunk: i => chunks[i]! }
}

/** Rows in chunks of a size. */
function chunked(rows: readonly Row[], size = ROWS, isNumbered = true): SampleRows {
  const starts = Array.from({ length: Math.ceil(rows.length / size) }, (_, i) => i * size)
  return rowsOf(
    starts.map(from => chunkOf(rows.slice(from, from + size), isNumbered)),
    rows.length
  )
}

function gathered(rows: SampleRows, ids: readonly bigint[], keep?: Gathering['keep']) {
  return gatherSamples(rows, { ids, signal: NEVER, ...(keep && { keep }) })
}

function withBits(found: Awaited<ReturnType<typeof gathered>>): unknown {
  return [...found!].map(([id, { timestampsNs, values }]) => [id, bitsOf(values).map((bits, i) => [timestampsNs[i], bits])])
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

  const drawnRows = fc
    .array(row, { maxLength: 60 })
    .map(drawn => drawn.map(([series, ts, bits], i) => ({ series, ts, bits, seq: BigInt((i * 37) % 61) })))

  it('become series with one sample for each time, bit for bit', async () => {
    await fc.assert(
      fc.asyncProperty(drawnRows, fc.integer({ min: 1, max: 20 }), async (rows, size) => {
        expect(withBits(await gathered(chunked(rows, size), ids))).toEqual(expected(rows))
      }),
      { numRuns: 500 }
    )
  })

  it('are to be read again with their numbers where several are of one time, and only there', async () => {
    await fc.assert(
      fc.asyncProperty(drawnRows, fc.integer({ min: 1, max: 20 }), async (rows, size) => {
        const found = await gathered(chunked(rows, size, false), ids)
        const isRepeated = new Set(rows.map(({ series, ts }) => `${series} ${ts}`)).size < rows.length
        if (isRepeated) expect(found).toBeNull()
        else expect(withBits(found)).toEqual(expected(rows))
      }),
      { numRuns: 500 }
    )
  })

  it('are read from parts that follow each other, in any order, and from parts that overlap', async () => {
    const part = (times: readonly number[]): Row[] => times.map(ts => ({ series: 1n, ts: BigInt(ts), bits: BigInt(ts), seq: 0n }))
    for (const parts of [
      [[7, 8], [1, 2, 3], [4]],
      [[1, 5, 9], [2, 3], [10]],
      [[3], [2], [1]]
    ]) {
      const rows = parts.flatMap(part)
      expect(withBits(await gathered(chunked(rows, 2, false), [1n]))).toEqual(expected(rows))
    }
  })

  it('report which series hold the mark of a histogram', async () => {
    const rows = [1n, 2n, 2n].map((series, i) => ({ series, ts: BigInt(i), bits: i === 1 ? 0x7ff8000000000068n : 1n, seq: 0n }))
    const found = await gathered(chunked(rows), [1n, 2n])
    expect([...found!.values()].map(({ hasHistograms }) => hasHistograms)).toEqual([false, true])
  })

  it('leave nothing behind of series of which little is kept', async () => {
    const rows = Array.from({ length: ROWS }, (_, i) => ({ series: i === 0 ? 1n : 2n, ts: BigInt(i), bits: STALE, seq: 0n }))
    const kept = await gathered(chunked(rows), [1n, 2n], one =>
      one.values.length > 1 ? { ...one, values: one.values.slice(0, 2), timestampsNs: one.timestampsNs.slice(0, 2) } : one
    )
    const series = [...kept!.values()]
    expect(series.map(({ values, timestampsNs }) => [values.buffer.byteLength, timestampsNs.buffer.byteLength])).toEqual([
      [8, 8],
      [16, 16]
    ])
    expect(series.flatMap(({ values }) => bitsOf(values))).toEqual([STALE, STALE, STALE])
  })

  it('are requested again, and not held, where they are many', async () => {
    const chunks = [0, 1].map(i => chunkOf([{ series: 1n, ts: BigInt(i), bits: STALE, seq: 0n }], false))
    const requested = async (rowCount: number): Promise<readonly number[]> => {
      const indexes: number[] = []
      const rows = rowsOf(chunks, rowCount)
      const found = await gathered({ ...rows, getChunk: i => (indexes.push(i), rows.getChunk(i)) }, [1n])
      expect([...found!.get(1n)!.timestampsNs]).toEqual([0n, 1n])
      return indexes
    }
    expect(await requested(1_000_000)).toEqual([0, 1])
    expect(await requested(1_000_001)).toEqual([0, 1, 0, 1])
  })

  it('are left out where no one requested their series', async () => {
    const rows = [1n, 2n, 3n, 2n ** 40n, 1n].map((series, i) => ({ series, ts: BigInt(i), bits: STALE, seq: 0n }))
    const found = await gathered(chunked(rows, 2, false), [3n, 1n])
    expect([...found!].map(([id, { timestampsNs }]) => [id, [...timestampsNs]])).toEqual([
      [3n, [2n]],
      [1n, [0n, 4n]]
    ])
    const { values } = found!.get(1n)!
    expect(values.buffer.byteLength).toBe(3 * 8)
  })

  it('are not sorted for a caller who has left', async () => {
    const rows = rowsOf(
      Array.from({ length: 200 }, () =>
        chunkOf(Array.from({ length: ROWS }, (_, i) => ({ series: 1n, ts: BigInt(i), bits: 0n, seq: 0n })))
      ),
      200 * ROWS
    )
    const caller = new AbortController()
    const sorting = gatherSamples(rows, { ids: [1n], signal: caller.signal })
    caller.abort(new Error('left'))
    await expect(sorting).rejects.toThrow('left')
  })
})

it('the bits of a value survive, however often they are read', async () => {
  const rounds = Array.from({ length: 300 }, (_, round) => {
    const rows = Array.from({ length: ROWS }, (_, i) => {
      return { series: 1n, ts: BigInt(round * ROWS + i), bits: i % 3 === 0 ? STALE : 0x3ff0000000000000n, seq: 0n }
    })
    return chunkOf(rows, false)
  })
  const found = await gathered(rowsOf(rounds, 300 * ROWS), [1n])
  const { values } = found!.get(1n)!
  expect(values).toHaveLength(300 * ROWS)
  expect(bitsOf(values).filter(each => each === STALE)).toHaveLength(300 * Math.ceil(ROWS / 3))
})
