import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import fc from 'fast-check'
import { distinctPoints } from '../../src/stores/duckdb/distinct-points.js'
import { FailPoints } from '../../src/stores/duckdb/process/fail-points.js'
import { SegmentFiles } from '../../src/stores/duckdb/segments/segment-files.js'
import { LAYOUT } from '../../src/stores/duckdb/table-layout.js'
import { UniqueNumbers } from '../../src/stores/duckdb/write/unique-numbers.js'
import { NS } from '../support/duckdb-fixture.js'
import { openTempFolder } from '../support/temp-folder.js'

const NAN = 0x7ff8000000000000n
const HISTOGRAM = 0x7ff8000000000068n
const STALE = 0x7ff0000000000002n
const ZERO = 0n
const NEGATIVE_ZERO = 0x8000000000000000n
const INFINITY = 0x7ff0000000000000n
const ROWS = 5_000

function ofBits(bits: bigint): number {
  return new Float64Array(new BigUint64Array([bits]).buffer)[0]!
}

function toBits(value: number): bigint {
  return new BigUint64Array(new Float64Array([value]).buffer)[0]!
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

describe('a segment', () => {
  let folder: Awaited<ReturnType<typeof openTempFolder>>
  let files: SegmentFiles

  /** The bits of values that were sealed, and then merged this many times. */
  async function sealed(bits: readonly bigint[], merges: number): Promise<readonly bigint[]> {
    return withPoints(
      append => bits.forEach((each, i) => append(0, i, 1n, ofBits(each))),
      async connection => {
        const name = { kind: 'points', ns: NS, day: 0 } as const
        let source = 'points'
        for (let i = 0; i <= merges; i++) {
          const parts = [{ sql: distinctPoints(`SELECT * FROM ${source}`), free: null }]
          const rows = { parts, rows: bits.length, columns: LAYOUT.names('points'), order: 'series, ts' }
          const { file } = await files.write(connection, rows, { file: `${NS}/points-0-1_${i}.parquet`, name, replaces: [] })
          source = `read_parquet('${files.pathOf(file)}')`
        }
        return bitsOf(connection, `SELECT value FROM ${source}`)
      }
    )
  }

  beforeAll(async () => {
    folder = await openTempFolder()
    files = new SegmentFiles(folder.path, new UniqueNumbers(1n), {
      gramIndexRows: ROWS,
      format: LAYOUT.format,
      freeColumns: { report: () => undefined, failPoints: new FailPoints(null) },
      inRoom: (_, work) => work()
    })
  })
  afterAll(() => folder.remove())

  it.each([
    ['other numbers', [NAN, HISTOGRAM, STALE, ZERO, NEGATIVE_ZERO, 0x4000000000000000n]],
    ['nothing else, marks of histograms and of their ends', [HISTOGRAM, STALE]],
    ['nothing else, zeros', [ZERO, NEGATIVE_ZERO]]
  ])('keeps the bits of values that count as equal next to %s', async (_what, kinds) => {
    const bits = Array.from({ length: ROWS }, (_, i) => kinds[i % kinds.length]!)
    expect(await sealed(bits, 0)).toEqual(bits)
  })

  it('keeps the bits of any values, merged too', async () => {
    const special = fc.constantFrom(NAN, HISTOGRAM, STALE, ZERO, NEGATIVE_ZERO, INFINITY, 1n, 0x8000000000000001n)
    const any = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })
    const few = fc.constantFrom(0.1, 0.2, 1, -1).map(toBits)
    const runsOf = (value: fc.Arbitrary<bigint>) =>
      fc.array(fc.tuple(value, fc.integer({ min: 1, max: 400 })), { minLength: 1, maxLength: 12 })
    const runs = fc.oneof(
      runsOf(fc.constantFrom(NAN, HISTOGRAM, STALE)),
      runsOf(fc.constantFrom(ZERO, NEGATIVE_ZERO)),
      runsOf(fc.oneof(special, few)),
      runsOf(fc.oneof(special, any))
    )
    await fc.assert(
      fc.asyncProperty(runs, fc.integer({ min: 0, max: 1 }), async (values, merges) => {
        const bits = values.flatMap(([each, count]) => Array.from({ length: count }, () => each))
        expect(await sealed(bits, merges)).toEqual(bits)
      }),
      { numRuns: 60 }
    )
  })
})
