import { appendFile, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { MATCH_ALL } from '../../src/domain/filter.js'
import type { DuckDbStores } from '../../src/stores/duckdb/duckdb-stores.js'
import type { EncodedHistogram } from '../../src/domain/native-histogram/encode.js'
import { NEVER } from '../contract/fresh-ids.js'
import { nextIngestId, NOON_NS, NS, openTestStores, testLogs, testPoint } from '../support/duckdb-fixture.js'
import { readStoredRows } from '../support/stored-rows.js'
import { openTempFolder } from '../support/temp-folder.js'

let folder: Awaited<ReturnType<typeof openTempFolder>>
let stores: DuckDbStores
let messages: string[]
let onMessage: (message: string) => void

function note(_fields: object, message: string): void {
  messages.push(message)
  onMessage(message)
}

const logger = { info: note, warn: note, error: note }

beforeEach(async () => {
  messages = []
  onMessage = () => undefined
  folder = await openTempFolder()
  stores = await openTestStores(folder.path, { logger, limits: { readWaitMs: 60_000 } })
})

afterEach(async () => {
  await stores.close()
  await folder.remove()
})

function append(count: number): ReturnType<DuckDbStores['logs']['append']> {
  return stores.logs.append(NS, { ingestId: nextIngestId(), items: testLogs(count) })
}

/** Waits until everything acknowledged is in the hot file, as every statement about sizes does. */
function applyAll(): Promise<unknown> {
  return stores.sizes()
}

/** Kills the process and waits until the client has noticed and reports that it starts another. */
async function killProcess(): Promise<void> {
  const noticed = new Promise<void>(resolve => (onMessage = () => resolve()))
  process.kill(stores.client.pid!, 'SIGKILL')
  await noticed
}

it('rejects what was in flight when it dies, reports it in health, and serves again with what was acknowledged', async () => {
  await append(10)
  const inFlight = append(20_000)
  const outcome = inFlight.then(
    () => 'stored',
    (error: { code: string }) => error.code
  )
  await killProcess()
  expect(await outcome).toBe('store_unavailable')
  expect(await stores.health()).toMatchObject([{ healthy: false }])
  await expect(append(1)).rejects.toMatchObject({ code: 'store_unavailable', retryAfterS: 1 })
  await stores.close()
  stores = await openTestStores(folder.path)
  await append(5)
  await stores.close()
  const { ids } = await readStoredRows(folder.path, 'logs', NS)
  expect([15, 20_015]).toContain(ids.length)
})

it('starts again by itself', async () => {
  await killProcess()
  await stores.client.whenRunning()
  expect(await append(3)).toMatchObject({ accepted: 3 })
  expect(await stores.gauges()).toMatchObject({ process_restarts: 1 })
})

const COUNT_ALL = { range: { startNs: 0n, endNs: 2n ** 62n }, filter: MATCH_ALL, total: true }

async function countLogs(signal = new AbortController().signal): Promise<number | undefined> {
  return (await stores.logs.search(NS, COUNT_ALL, signal)).total?.value
}

it('completes a read that was in flight when the process died, or came before the next one was ready', async () => {
  await append(10)
  const inFlight = countLogs()
  await killProcess()
  expect(await Promise.all([inFlight, countLogs()])).toEqual([10, 10])
})

it('refuses a read that ends the process twice', async () => {
  await append(10)
  const read = countLogs().catch((error: { code: string }) => error.code)
  await killProcess()
  await stores.client.whenRunning()
  await killProcess()
  expect(await read).toBe('store_unavailable')
})

it('lets go of a waiting read when it is aborted and when the client is closed', async () => {
  await killProcess()
  const aborted = countLogs(AbortSignal.abort(new Error('gone')))
  const waiting = countLogs()
  await expect(aborted).rejects.toThrow('gone')
  void stores.close()
  await expect(waiting).rejects.toMatchObject({ code: 'store_unavailable', message: 'the store process is shutting down' })
})

it('refuses a second opener with a sentence and leaves the first one alone', async () => {
  const second = openTestStores(folder.path, { lockWaitMs: 200 })
  await expect(second).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('another process') })
  expect(await append(3)).toMatchObject({ accepted: 3 })
})

it('waits for the lock of an opener that is about to end', async () => {
  const second = openTestStores(folder.path, { lockWaitMs: 10_000 })
  await stores.close()
  stores = await second
  expect(await append(3)).toMatchObject({ accepted: 3 })
})

it('ends when its parent is gone and keeps what it acknowledged', async () => {
  await append(7)
  stores.client.breakPipe()
  await stores.close()
  stores = await openTestStores(folder.path)
  await append(1)
  await stores.close()
  expect((await readStoredRows(folder.path, 'logs', NS)).ids).toHaveLength(8)
})

it('ignores SIGINT and SIGTERM, which reach it when they mean its parent', async () => {
  process.kill(stores.client.pid!, 'SIGINT')
  process.kill(stores.client.pid!, 'SIGTERM')
  expect(await append(3)).toMatchObject({ accepted: 3 })
})

it('sets a torn log aside, reports it, and restores from the journal what was behind the tear', async () => {
  await append(100)
  await applyAll()
  await append(50)
  await applyAll()
  await killProcess()
  await stores.close()
  const wal = `${folder.path}/hot.duckdb.wal`
  const content = await readFile(wal)
  content.fill(0x5a, content.length - 200, content.length - 20)
  await writeFile(wal, content)
  stores = await openTestStores(folder.path, { logger })
  expect(await stores.health()).toMatchObject([{ healthy: true, detail: expect.stringContaining('damaged at byte') }])
  expect(messages).toContain('the data was repaired')
  expect((await readdir(folder.path)).some(name => name.includes('.damaged-'))).toBe(true)
  await append(1)
  await stores.close()
  expect((await readStoredRows(folder.path, 'logs', NS)).ids).toHaveLength(151)
})

it('opens when the last entry of its log was cut short or followed by noise', async () => {
  await append(100)
  await killProcess()
  await stores.close()
  const wal = `${folder.path}/hot.duckdb.wal`
  const { size } = await stat(wal)
  await appendFile(wal, Buffer.alloc(3, 1))
  stores = await openTestStores(folder.path)
  await append(1)
  await stores.close()
  expect((await readStoredRows(folder.path, 'logs', NS)).ids).toHaveLength(101)
  expect(size).toBeGreaterThan(0)
})

const journalFile = async (): Promise<string> => `${folder.path}/journal/${(await readdir(`${folder.path}/journal`)).at(-1)!}`

it('replays the journal when it dies before anything was applied', async () => {
  await stores.close()
  stores = await openTestStores(folder.path, { logger, limits: { applyAfterMs: 3_600_000 } })
  for (let i = 0; i < 5; i++) await append(20)
  await killProcess()
  await stores.close()
  stores = await openTestStores(folder.path, { logger })
  expect(await stores.health()).toMatchObject([{ healthy: true, detail: '' }])
  expect(await stores.gauges()).toMatchObject({ applied_rows: 100, pending_rows: 0, journal_files: 0 })
  await stores.close()
  expect((await readStoredRows(folder.path, 'logs', NS)).ids).toHaveLength(100)
})

it('has native histograms after it was killed, those that wait in the journal and those that do not', async () => {
  const [applied, waiting] = ['AQ==', 'Ag=='] as EncodedHistogram[]
  const write = (at: number, histogram: EncodedHistogram) =>
    stores.metrics.append(NS, { ingestId: nextIngestId(), items: [testPoint(at, { histogram })] })
  await write(1, applied!)
  await applyAll()
  await write(2, waiting!)
  await killProcess()
  await stores.close()
  stores = await openTestStores(folder.path, { logger })
  const range = { startNs: 0n, endNs: 2n * NOON_NS }
  const found = await stores.metrics.select(NS, { matchers: [], range, maxSeries: 9, maxSamples: 9 }, NEVER)
  expect(found.map(({ histograms }) => [...histograms!.values()])).toEqual([[applied, waiting]])
})

it.each([
  ['truncated', 'was truncated', [20, 20, 20, 20], (content: Buffer) => content.subarray(0, content.length - 30)],
  [
    'followed by noise',
    'was truncated',
    [20, 20, 20, 20, 20],
    (content: Buffer) => Buffer.concat([content, Buffer.alloc(77, 3)])
  ],
  [
    'damaged in the middle',
    'was damaged',
    [20, 20, 20, 20],
    (content: Buffer) => content.fill(0x5a, content.length / 2, content.length / 2 + 9)
  ]
])('keeps every whole entry of a journal that is %s, sets the rest aside and reports it', async (_what, stated, kept, damage) => {
  await stores.close()
  stores = await openTestStores(folder.path, { logger, limits: { applyAfterMs: 3_600_000 } })
  for (let i = 0; i < 5; i++) await append(20)
  await killProcess()
  await stores.close()
  const file = await journalFile()
  await writeFile(file, damage(await readFile(file)))
  stores = await openTestStores(folder.path, { logger })
  expect(await stores.health()).toMatchObject([{ healthy: true, detail: expect.stringContaining(stated) }])
  expect(messages).toContain('the data was repaired')
  expect(await readdir(`${folder.path}/set-aside`)).toHaveLength(1)
  await stores.close()
  expect((await readStoredRows(folder.path, 'logs', NS)).ids).toHaveLength(kept.reduce((a, b) => a + b, 0))
})

it('refuses a journal of a later format with a sentence and leaves it alone', async () => {
  await append(5)
  await killProcess()
  await stores.close()
  const file = await journalFile()
  const content = await readFile(file)
  content.write('9', 7)
  await writeFile(file, content)
  await expect(openTestStores(folder.path)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('format')
  })
  expect(await readFile(file)).toEqual(content)
})

it('cancels the reads in flight when it closes, and waits for the writes', async () => {
  const child = stores.client.pid!
  process.kill(child, 'SIGSTOP')
  const read = countLogs()
  const written = append(3)
  const closed = stores.close()
  try {
    await expect(read).rejects.toMatchObject({ code: 'store_unavailable', message: 'the store process is shutting down' })
  } finally {
    process.kill(child, 'SIGCONT')
  }
  expect(await written).toMatchObject({ accepted: 3 })
  await closed
})

it('closes twice, and refuses calls afterwards', async () => {
  await Promise.all([stores.close(), stores.close()])
  await expect(append(1)).rejects.toMatchObject({ code: 'store_unavailable' })
})
