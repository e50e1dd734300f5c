import { expect, it } from '@jest/globals'
import { DuckDBInstance } from '@duckdb/node-api'
import { distinctPoints } from '../../src/stores/duckdb/segments/sealer.js'

const STALE = 0x7ff0000000000002n
const ROWS = 5_000

it('choosing the latest of two values keeps the bits of the mark that ends a series', async () => {
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  await connection.run('CREATE TABLE points (series BIGINT, ts BIGINT, seq BIGINT, value DOUBLE)')
  const mark = new Float64Array(new BigUint64Array([STALE]).buffer)
  const appender = await connection.createAppender('points')
  for (let i = 0; i < ROWS; i++) {
    for (const seq of [1n, 2n]) {
      appender.appendBigInt(BigInt(i % 7))
      appender.appendBigInt(BigInt(i))
      appender.appendBigInt(seq)
      appender.appendDouble(seq === 1n ? -1 : i % 10 === 0 ? mark[0]! : i)
      appender.endRow()
    }
  }
  appender.flushSync()
  const chunks = await (
    await connection.run(`SELECT * FROM (${distinctPoints('SELECT * FROM points')}) ORDER BY ts`)
  ).fetchAllChunks()
  const bits = chunks.flatMap(chunk => {
    const { items } = chunk.getColumnVector(3) as unknown as { readonly items: Float64Array }
    return [...new BigUint64Array(items.buffer, items.byteOffset, items.length)]
  })
  connection.closeSync()
  expect(bits).toHaveLength(ROWS)
  expect(bits.filter(each => each === STALE)).toHaveLength(ROWS / 10)
})
