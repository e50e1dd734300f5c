import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import type { JsonObject } from '../../src/domain/json.js'
import { areConsecutive, latestFirst, sortBytes } from '../../src/stores/duckdb/segments/merge-order.js'
import { NOON_NS, NS, testLog } from '../support/duckdb-fixture.js'
import { logRow } from '../support/reader-rows.js'
import { Tiers } from '../support/tiers.js'

/** A segment of these milliseconds. */
function segment(first: bigint, last: bigint): { path: string; rows: number; minNs: bigint; maxNs: bigint } {
  return { path: `${first}`, rows: 1, minNs: first, maxNs: last }
}

describe('the times of segments that are merged', () => {
  it('follow one another with an overlap of an eighth of the shorter one', () => {
    const earlier = segment(0n, 8_000n)
    expect(areConsecutive(latestFirst([earlier, segment(8_001n, 9_000n)]))).toBe(true)
    expect(areConsecutive(latestFirst([earlier, segment(7_900n, 8_700n)]))).toBe(true)
    expect(areConsecutive(latestFirst([earlier, segment(7_899n, 8_699n)]))).toBe(false)
    expect(areConsecutive(latestFirst([earlier, segment(8_001n, 9_000n), segment(0n, 9_500n)]))).toBe(false)
  })
  it('do not follow one another where one is within another', () => {
    expect(areConsecutive(latestFirst([segment(0n, 8_000n), segment(10n, 20n)]))).toBe(false)
  })
})

describe('a merge of segments', () => {
  let tiers: Tiers
  let connection: DuckDBConnection
  let instance: DuckDBInstance

  beforeAll(async () => {
    instance = await DuckDBInstance.create(':memory:')
    connection = await instance.connect()
  })
  beforeEach(async () => {
    tiers = await Tiers.open('sealed')
  })
  afterEach(() => tiers.close())
  afterAll(() => {
    connection.closeSync()
    instance.closeSync()
  })

  /** One segment: a log for each number of milliseconds. */
  async function seal(name: string, times: readonly number[], fields: JsonObject): Promise<void> {
    const rows = times.map((at, i) => {
      return { ...logRow(testLog(i, { timestampNs: NOON_NS + BigInt(at) * 1_000_000n, fields })), ingest_id: name }
    })
    await tiers.append('logs', NS, rows)
  }

  /** Milliseconds of the rows of the only segment, in its order. */
  async function storedTimes(): Promise<readonly number[]> {
    const files = tiers.segmentsOf('logs', NS).map(({ file }) => file)
    expect(files).toHaveLength(1)
    const result = await connection.runAndReadAll(`SELECT ts FROM read_parquet('${files[0]!}') ORDER BY file_row_number`)
    return result.getRows().map(([ts]) => Number(((ts as bigint) - NOON_NS) / 1_000_000n))
  }

  it('puts segments that follow one another in order without sorting them, whatever free columns each has', async () => {
    tiers.maxSortBytes = 0
    await seal('b', [3, 1, 2], { status: 200 })
    await seal('c', [14, 15], { status: 'ok' })
    await seal('d', [24, 23], { status: 500 })
    await seal('a', [-7, -5], { status: 404 })
    await tiers.merge('logs', NS)
    expect(await storedTimes()).toEqual([24, 23, 15, 14, 3, 2, 1, -5, -7])
    const [list] = await tiers.freeColumns('logs', NS)
    expect(list!.columns).toMatchObject([{ name: 'status', type: 'text', rows: 9, hasNumbers: true }])
    expect(tiers.failures).toEqual([])
  })
  it('sorts segments of the same time', async () => {
    await seal('a', [1, 5, 3], { status: 200 })
    await seal('b', [2, 6, 4], { status: 'ok' })
    await tiers.merge('logs', NS)
    expect(await storedTimes()).toEqual([6, 5, 4, 3, 2, 1])
  })
  it('leaves each segment in its own order where the memory does not hold all', async () => {
    await seal('a', [1, 5, 3], { status: 200 })
    await seal('b', [2, 6, 4], { status: 300 })
    const segments = tiers.segmentsOf('logs', NS).map(({ file, ...rest }) => ({ ...rest, path: file }))
    const bytes = await sortBytes(connection, segments)
    expect(bytes).toBeGreaterThan(6 * 16 * 20)
    tiers.maxSortBytes = bytes - 1
    await tiers.merge('logs', NS)
    expect(await storedTimes()).toEqual([6, 4, 2, 5, 3, 1])
  })
  it('sorts what just fits', async () => {
    await seal('a', [1, 5, 3], { status: 200 })
    await seal('b', [2, 6, 4], { status: 300 })
    const segments = tiers.segmentsOf('logs', NS).map(({ file, ...rest }) => ({ ...rest, path: file }))
    tiers.maxSortBytes = await sortBytes(connection, segments)
    await tiers.merge('logs', NS)
    expect(await storedTimes()).toEqual([6, 5, 4, 3, 2, 1])
  })
})
