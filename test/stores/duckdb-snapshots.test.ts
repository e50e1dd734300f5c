import { existsSync } from 'node:fs'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { DEFAULT_DUCKDB_LIMITS } from '../../src/stores/duckdb/limits.js'
import { StoreEngine } from '../../src/stores/duckdb/process/engine.js'
import { LAYOUT } from '../../src/stores/duckdb/table-layout.js'
import type { Snapshot } from '../../src/stores/duckdb/snapshot.js'
import { LOG_ENCODER } from '../../src/stores/duckdb/wire/record-columns.js'
import { nextIngestId, NOON_NS, NS, OTHER_NS, testLogs, packedRequest } from '../support/duckdb-fixture.js'
import { openTempFolder } from '../support/temp-folder.js'

const EVER = { startNs: 0n, endNs: 1n << 62n }
const { signal } = new AbortController()

let folder: Awaited<ReturnType<typeof openTempFolder>>
let engine: StoreEngine

beforeEach(async () => {
  folder = await openTempFolder()
  engine = await StoreEngine.open({
    layout: LAYOUT,
    dataDir: folder.path,
    limits: { ...DEFAULT_DUCKDB_LIMITS, upkeepIntervalMs: 3_600_000 },
    lockWaitMs: 0,
    failPoint: null,
    nowMs: () => Date.now(),
    onGaps: () => undefined,
    onTrouble: (message, error) => {
      throw new Error(message, { cause: error })
    },
    onJob: (job, error) => {
      if (error !== null) throw new Error(job, { cause: error })
    }
  })
})

afterEach(async () => {
  await engine.close()
  await folder.remove()
})

async function append(count: number, timestampNs = NOON_NS): Promise<void> {
  const columns = LOG_ENCODER.columns(testLogs(count, { timestampNs }))
  const request = { kind: 'logs' as const, ns: NS, ingestId: nextIngestId(), rows: count, columns }
  await engine.append(request, packedRequest(request))
}

async function countRows({ connection, hotTables, segments }: Snapshot): Promise<number> {
  const sources = [
    ...hotTables.map(table => `SELECT ns FROM ${table}`),
    ...segments.map(({ file }) => `SELECT '${NS}' AS ns FROM '${file}'`)
  ]
  const result = await connection.runAndReadAll(`SELECT count(*) FROM (${sources.join(' UNION ALL ')}) WHERE ns = '${NS}'`)
  return Number(result.getRows()[0]![0])
}

it('shows the same rows before and after they are sealed, and keeps retired files until it ends', async () => {
  await append(100)
  await engine.sealAll()
  await append(50)
  let file = ''
  await engine.snapshots.withSnapshot('logs', NS, EVER, { heavy: false, signal }, async snapshot => {
    expect(await countRows(snapshot)).toBe(150)
    file = snapshot.segments[0]!.file
    await engine.sealAll()
    await engine.deleteBefore('logs', NS, NOON_NS + 1_000n)
    await engine.upkeep()
    await append(10)
    expect(await countRows(snapshot)).toBe(150)
    expect(existsSync(file)).toBe(true)
  })
  await engine.upkeep()
  expect(existsSync(file)).toBe(false)
})

it('raises the start of the range to the mark of a deletion at once', async () => {
  await append(10)
  await engine.deleteBefore('logs', NS, NOON_NS + 5n)
  const ranges = await Promise.all(
    [NS, OTHER_NS].map(ns => engine.snapshots.withSnapshot('logs', ns, EVER, { heavy: true, signal }, async (_, range) => range))
  )
  expect(ranges).toEqual([{ startNs: NOON_NS + 5n, endNs: EVER.endNs }, EVER])
})

it('shows nothing of a dropped namespace', async () => {
  await append(10)
  await engine.sealAll()
  await engine.dropNamespace(['logs'], NS)
  await engine.snapshots.withSnapshot('logs', NS, EVER, { heavy: false, signal }, async (snapshot, range) => {
    expect(snapshot.segments).toEqual([])
    expect(range.startNs).toBe(range.endNs)
  })
})

it('leaves out segments beyond the range', async () => {
  await append(10)
  await engine.sealAll()
  const segmentsIn = (startNs: bigint, endNs: bigint): Promise<number> =>
    engine.snapshots.withSnapshot(
      'logs',
      NS,
      { startNs, endNs },
      { heavy: false, signal },
      async ({ segments }) => segments.length
    )
  expect(await segmentsIn(NOON_NS + 9n, NOON_NS + 10n)).toBe(1)
  expect(await segmentsIn(NOON_NS + 10n, NOON_NS + 11n)).toBe(0)
  expect(await segmentsIn(0n, NOON_NS)).toBe(0)
})

it('interrupts a running statement when the signal is aborted, and serves the next read', async () => {
  const controller = new AbortController()
  const slow = engine.snapshots.withSnapshot('logs', NS, EVER, { heavy: true, signal: controller.signal }, ({ connection }) => {
    const running = connection.run('SELECT count(*) FROM range(100000000000) a, range(1000) b WHERE a.range % 7 = b.range')
    controller.abort(new Error('gone away'))
    return running
  })
  await expect(slow).rejects.toThrow('gone away')
  await append(1)
  const read = engine.snapshots.withSnapshot('logs', NS, EVER, { heavy: true, signal }, countRows)
  expect(await read).toBe(1)
})

it('reads the hot tables that have rows of the namespace, and no others', async () => {
  const tablesOf = (ns: typeof NS): Promise<number> =>
    engine.snapshots.withSnapshot('logs', ns, EVER, { heavy: false, signal }, async ({ hotTables }) => hotTables.length)
  expect(await tablesOf(NS)).toBe(0)
  await append(10)
  expect([await tablesOf(NS), await tablesOf(OTHER_NS)]).toEqual([1, 0])
  await engine.sealAll()
  expect(await tablesOf(NS)).toBe(0)
})

it('counts every row once while tables are sealed next to reads', async () => {
  const counts: number[] = []
  for (let round = 1; round <= 5; round++) {
    await append(10)
    const sealed = engine.sealAll()
    const reads = [1, 2, 3, 4].map(() => engine.snapshots.withSnapshot('logs', NS, EVER, { heavy: false, signal }, countRows))
    counts.push(...(await Promise.all(reads)))
    await sealed
    counts.push(await engine.snapshots.withSnapshot('logs', NS, EVER, { heavy: false, signal }, countRows))
  }
  expect(counts).toEqual([10, 20, 30, 40, 50].flatMap(rows => Array.from({ length: 5 }, () => rows)))
})

it('shows what comes after a deletion was lifted, and nothing of what it deleted', async () => {
  await append(10)
  await engine.sealAll()
  await engine.deleteBefore('logs', NS, NOON_NS + 5n)
  await append(2, NOON_NS - 100n)
  const rows = await engine.snapshots.withSnapshot('logs', NS, EVER, { heavy: false, signal }, countRows)
  expect(rows).toBe(7)
})
