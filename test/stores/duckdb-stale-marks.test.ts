import { expect, it } from '@jest/globals'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { distinctPoints } from '../../src/stores/duckdb/segments/sealer.js'
import { SegmentFiles } from '../../src/stores/duckdb/segments/segment-files.js'
import { UniqueNumbers } from '../../src/stores/duckdb/write/unique-numbers.js'
import { NS } from '../support/duckdb-fixture.js'
import { openTempFolder } from '../support/temp-folder.js'

const STALE = 0x7ff0000000000002n
const ROWS = 5_000

function ofBits(bits: bigint): number {
  return new Float64Array(new BigUint64Array([bits]).buffer)[0]!
}

/** A column of doubles as their bits. */
async function bitsOf(connection: DuckDBConnection, sql: string): Promise<readonly bigint[]> {
  const chunks = await (await connection.run(sql)).fetchAllChunks()
  return chunks.flatMap(chunk => {
    const { items } = chunk.getColumnVector(0) as unknown as { readonly items: Float64Array }
    return [...new BigUint64Array(items.buffer, items.byteOffset, items.length)]
  })
}

async function withPoints<T>(
  fill: (append: (series: number, ts: number, seq: bigint, value: number) => void) => void,
  read: (connection: DuckDBConnection) => Promise<T>
): Promise<T> {
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  await connection.run('CREATE TABLE points (series BIGINT, ts BIGINT, seq BIGINT, value DOUBLE)')
  const appender = await connection.createAppender('points')
  fill((series, ts, seq, value) => {
    for (const whole of [BigInt(series), BigInt(ts), seq]) appender.appendBigInt(whole)
    appender.appendDouble(value)
    appender.endRow()
  })
  appender.flushSync()
  try {
    return await read(connection)
  } finally {
    connection.closeSync()
  }
}

it('choosing the latest of two values keeps the bits of the mark that ends a series', async () => {
  const bits = await withPoints(
    append => {
      for (let i = 0; i < ROWS; i++) {
        append(i % 7, i, 1n, -1)
        append(i % 7, i, 2n, i % 10 === 0 ? ofBits(STALE) : i)
      }
    },
    connection => bitsOf(connection, `SELECT value FROM (${distinctPoints('SELECT * FROM points')}) ORDER BY ts`)
  )
  expect(bits).toHaveLength(ROWS)
  expect(bits.filter(each => each === STALE)).toHaveLength(ROWS / 10)
})

it('a segment keeps the bits of every value beside others that count as equal', async () => {
  const folder = await openTempFolder()
  const files = new SegmentFiles(folder.path, new UniqueNumbers(1n), ROWS)
  // An ordinary NaN, the mark of a histogram, that of an ended series, both zeros, and a number.
  const kinds = [0x7ff8000000000000n, 0x7ff8000000000068n, STALE, 0n, 0x8000000000000000n, 0x4000000000000000n]
  const kindOf = (i: number): bigint => kinds[i % kinds.length]!
  const bits = await withPoints(
    append => {
      for (let i = 0; i < ROWS; i++) append(0, i, 1n, ofBits(kindOf(i)))
    },
    async connection => {
      const name = { kind: 'points', ns: NS, day: 0 } as const
      const { file } = await files.write(connection, 'SELECT * FROM points ORDER BY series, ts', name)
      return bitsOf(connection, `SELECT value FROM read_parquet('${files.pathOf(file)}')`)
    }
  )
  expect(bits).toEqual(Array.from({ length: ROWS }, (_, i) => kindOf(i)))
  await folder.remove()
})
