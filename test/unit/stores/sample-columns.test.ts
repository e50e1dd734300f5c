import { expect, it } from '@jest/globals'
import type { DuckDBDataChunk } from '@duckdb/node-api'
import { SeriesSplitter } from '../../../src/stores/duckdb/read/sample-columns.js'

const STALE = 0x7ff0000000000002n
const ROWS = 2_000

/** A chunk of one series whose every third value is the mark of its end. */
function chunkOf(round: number): DuckDBDataChunk {
  const values = Float64Array.from({ length: ROWS }, (_, i) => i)
  const bits = new BigUint64Array(values.buffer)
  for (let i = 0; i < ROWS; i += 3) bits[i] = STALE
  const columns = [
    new BigInt64Array(ROWS).fill(1n),
    BigInt64Array.from({ length: ROWS }, (_, i) => BigInt(round * ROWS + i)),
    values
  ]
  return { getColumnVector: (i: number) => ({ items: columns[i] }) } as unknown as DuckDBDataChunk
}

it('the bits of a value survive, however often they are read', () => {
  const splitter = new SeriesSplitter()
  for (let round = 0; round < 300; round++) splitter.add(chunkOf(round))
  const { values } = splitter.finish().get(1n)!
  const bits = new BigUint64Array(values.buffer, values.byteOffset, values.length)
  expect(values).toHaveLength(300 * ROWS)
  expect(bits.filter(each => each === STALE)).toHaveLength(300 * Math.ceil(ROWS / 3))
})
