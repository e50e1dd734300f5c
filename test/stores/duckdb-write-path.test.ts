import { copyFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { DEFAULT_DUCKDB_LIMITS } from '../../src/stores/duckdb/limits.js'
import { FailPoints } from '../../src/stores/duckdb/process/fail-points.js'
import { TransactionStatements } from '../../src/stores/duckdb/process/transaction-statements.js'
import type { AppendRequest } from '../../src/stores/duckdb/wire/calls.js'
import { LOG_ENCODER } from '../../src/stores/duckdb/wire/record-columns.js'
import type { Accepted } from '../../src/stores/duckdb/write/accepted.js'
import { AppendTransaction } from '../../src/stores/duckdb/write/append-transaction.js'
import { type HotDatabase, openHotDatabase } from '../../src/stores/duckdb/write/hot-database.js'
import { KnownManifest } from '../../src/stores/duckdb/segments/known-manifest.js'
import { HotTables } from '../../src/stores/duckdb/write/hot-tables.js'
import { DiskRoom } from '../../src/stores/disk/disk-room.js'
import { SetAside } from '../../src/stores/disk/set-aside.js'
import { KnownBatches } from '../../src/stores/duckdb/write/known-batches.js'
import { SeriesRegistry } from '../../src/stores/duckdb/write/series-registry.js'
import { UniqueNumbers } from '../../src/stores/duckdb/write/unique-numbers.js'
import { LAYOUT } from '../../src/stores/duckdb/table-layout.js'
import { COPIES, WritePath } from '../../src/stores/duckdb/write/write-path.js'
import { nextIngestId, NS, testLogs, packedRequest } from '../support/duckdb-fixture.js'
import { openTempFolder } from '../support/temp-folder.js'

const LIMITS = { ...DEFAULT_DUCKDB_LIMITS, applyAfterMs: 3_600_000 }

let folder: Awaited<ReturnType<typeof openTempFolder>>
let database: HotDatabase
let writer: Awaited<ReturnType<HotDatabase['connect']>>
let writes: WritePath
let isFull: boolean
const sent = new Map<string, AppendRequest>()

class OnADiskThatFillsUp extends AppendTransaction {
  override async commit(group: readonly Accepted[]): Promise<void> {
    if (isFull) throw new Error('IO Error: No space left on device')
    // Typed arrays that are read back belong to another realm than those of a test.
    await super.commit(group.map(accepted => ({ ...accepted, request: sent.get(accepted.request.ingestId)! })))
  }
}

/** Opens the data folder as the store process does. */
async function open(): Promise<void> {
  database = await openHotDatabase({
    layout: LAYOUT,
    failPoints: new FailPoints(null),
    dataDir: folder.path,
    limits: LIMITS,
    lockWaitMs: 0,
    nowMs: () => Date.now(),
    sleep
  })
  const connection = (writer = await database.connect())
  const statements = await TransactionStatements.prepare(connection)
  const numbers = new UniqueNumbers(database.epoch)
  const series = new SeriesRegistry(numbers, LIMITS.maxSeries)
  const tables = new HotTables(connection, numbers, LAYOUT, new KnownManifest())
  await tables.load(Date.now())
  const batches = await KnownBatches.load(await database.connect())
  writes = new WritePath({
    layout: LAYOUT,
    database,
    transaction: new OnADiskThatFillsUp({ layout: LAYOUT, connection, statements, tables, batches, series, numbers }),
    tables,
    batches,
    series,
    setAside: await SetAside.open(folder.path),
    failPoints: new FailPoints(null),
    limits: LIMITS,
    room: new DiskRoom(folder.path, LIMITS.minFreeBytes, COPIES),
    nowMs: () => Date.now(),
    isDropped: () => false,
    onStored: () => undefined,
    onState: () => undefined,
    onTrouble: () => undefined
  })
  await writes.recover()
}

/** Lets go of everything without applying what cannot be applied, as the end of the process would. */
async function letGo(): Promise<void> {
  await writes.close(async () => undefined)
  database.close()
}

function requestOf(count: number): AppendRequest {
  return { kind: 'logs', ns: NS, ingestId: nextIngestId(), rows: count, columns: LOG_ENCODER.columns(testLogs(count)) }
}

function submit(request: AppendRequest): ReturnType<WritePath['submit']> {
  sent.set(request.ingestId, request)
  return writes.submit(request, packedRequest(request))
}

async function countRows(): Promise<number> {
  await writes.applier.flush()
  const connection = await database.connect()
  const result = await connection.runAndReadAll('SELECT count(*) FROM hot.main.logs_0_0')
  return Number(result.getRows()[0]![0])
}

beforeEach(async () => {
  isFull = true
  folder = await openTempFolder()
  await open()
})

afterEach(async () => {
  await letGo()
  await folder.remove()
})

it('knows a request that an earlier start acknowledged and this one could not apply yet', async () => {
  const request = requestOf(5)
  expect(await submit(request)).toMatchObject({ accepted: 5 })
  await letGo()
  await open()
  isFull = false
  expect(await submit(request)).toEqual({ accepted: 0, deduplicated: 5, failures: [] })
  expect(await countRows()).toBe(5)
})

it('applies once what is in two files of the journal, also when neither could be applied at start', async () => {
  await submit(requestOf(5))
  await letGo()
  await copyFile(`${database.journalDir}/00000001.log`, `${database.journalDir}/00000002.log`)
  await open()
  isFull = false
  expect(await countRows()).toBe(5)
})

it('stores what meets a transaction that was left open, and sets nothing aside', async () => {
  isFull = false
  await submit(requestOf(5))
  await writer.run('BEGIN')
  await writes.applier.flush().catch(() => undefined)
  expect(await countRows()).toBe(5)
  expect(writes.gauges).toMatchObject({ set_aside: 0 })
})
