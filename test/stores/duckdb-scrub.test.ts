import { randomBytes } from 'node:crypto'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import type { NamespaceId } from '../../src/domain/ids.js'
import type { DuckDbStores } from '../../src/stores/duckdb/duckdb-stores.js'
import { storeRum, toError } from '../contract/event-fixtures.js'
import { storeSpans } from '../contract/trace-fixtures.js'
import { nextIngestId, NOON_NS, NS, openTestStores, testLog, testLogs, testPoint } from '../support/duckdb-fixture.js'
import { filesHolding } from '../support/planted.js'
import { openTempFolder } from '../support/temp-folder.js'

const DOOMED = 'testnamespace03' as NamespaceId
const DAY_NS = 86_400_000_000_000n
/** Nothing happens by itself. */
const QUIET = { sealAgeMs: 1e9, upkeepIntervalMs: 1e9, minSegmentRows: 1, checkpointBytes: 1e12 }

let folder: Awaited<ReturnType<typeof openTempFolder>>
let stores: DuckDbStores
let tokens: string[]
beforeEach(async () => {
  folder = await openTempFolder()
  tokens = []
  stores = await openTestStores(folder.path, { limits: QUIET })
})
afterEach(async () => {
  await stores.close()
  await folder.remove()
})

/** A text that no compression shortens and nothing else contains. */
function token(): string {
  const made = randomBytes(24).toString('hex')
  tokens.push(made)
  return made
}

async function plant(at: bigint): Promise<void> {
  const log = testLog(0, { message: token(), fields: { secret: token() }, service: token(), timestampNs: at })
  await stores.logs.append(DOOMED, { ingestId: nextIngestId(), items: [log] })
  const labels = [{ name: 'planted', value: token() }]
  await stores.metrics.append(DOOMED, { ingestId: nextIngestId(), items: [testPoint(0, { labels, timestampNs: at })] })
  await storeRum(stores, DOOMED, [{ pageUrl: `https://shop.example/${token()}` }], nextIngestId())
  await stores.events.appendErrors(DOOMED, { ingestId: nextIngestId(), items: [toError({ message: token() }, 0)] })
  await storeSpans(stores.traces, DOOMED, [{ id: 1, name: token() }])
}

async function keep(count: number): Promise<void> {
  await stores.logs.append(NS, { ingestId: nextIngestId(), items: testLogs(count) })
  await stores.metrics.append(NS, { ingestId: nextIngestId(), items: [testPoint(0), testPoint(1)] })
}

async function dropAll(): Promise<void> {
  const { logs, metrics, events, traces } = stores
  await Promise.all([logs, metrics, events, traces].map(store => store.dropNamespace(DOOMED)))
}

async function keptRows(): Promise<readonly number[]> {
  const range = { startNs: 0n, endNs: 1n << 62n }
  let logs = 0
  const request = { range, filter: { kind: 'and', of: [] }, order: 'asc' } as const
  for await (const part of stores.logs.stream(NS, request, new AbortController().signal)) logs += part.length
  const select = { matchers: [], range, maxSeries: 10, maxSamples: 10 }
  const series = await stores.metrics.select(NS, select, new AbortController().signal)
  return [logs, series.reduce((sum, { timestampsNs }) => sum + timestampsNs.length, 0)]
}

/** Data of the doomed namespace in each place where it can be, between data of another. */
async function plantEverywhere(): Promise<void> {
  await keep(10)
  await plant(NOON_NS)
  await stores.client.call('sealAll', [])
  await plant(NOON_NS + 1n)
  await keep(10)
  await stores.close()
  const aside = join(folder.path, 'set-aside')
  await mkdir(aside, { recursive: true })
  await writeFile(join(aside, `logs-${DOOMED}-01J.frame`), token())
  await writeFile(join(aside, `logs-${NS}-01J.frame`), 'kept aside')
  stores = await openTestStores(folder.path, { limits: QUIET })
  await plant(NOON_NS - DAY_NS)
  await keep(10)
}

it('leaves no byte of a dropped namespace in any file, and every row of another', async () => {
  await plantEverywhere()
  const before = await filesHolding(folder.path, tokens)
  // Without these the test would look in the wrong places.
  for (const place of ['journal/', 'hot.duckdb', 'set-aside/']) expect(before.some(found => found.includes(place))).toBe(true)
  await dropAll()
  expect(await filesHolding(folder.path, tokens)).toEqual([])
  expect(await readdir(join(folder.path, 'set-aside'))).toEqual([`logs-${NS}-01J.frame`])
  expect(await keptRows()).toEqual([30, 2])
  await stores.close()
  stores = await openTestStores(folder.path, { limits: QUIET })
  expect(await filesHolding(folder.path, tokens)).toEqual([])
  expect(await keptRows()).toEqual([30, 2])
})

it('takes the bytes away as soon as a read that began before has ended', async () => {
  await plantEverywhere()
  const range = { startNs: 0n, endNs: 1n << 62n }
  const request = { range, filter: { kind: 'and', of: [] }, order: 'asc' } as const
  const reading = stores.logs.stream(DOOMED, request, new AbortController().signal)[Symbol.asyncIterator]()
  await reading.next()
  await dropAll()
  while ((await reading.next()).done !== true);
  await stores.client.call('upkeep', [])
  expect(await filesHolding(folder.path, tokens)).toEqual([])
})

it.each(['drop.marked', 'drop.committed', 'scrub.series', 'scrub.filled', 'scrub.done'])(
  'finishes after a crash at %s, and loses nothing of another namespace',
  async failPoint => {
    await plantEverywhere()
    await stores.close()
    stores = await openTestStores(folder.path, { limits: QUIET, failPoint })
    await keep(10)
    await expect(dropAll()).rejects.toMatchObject({ code: 'store_unavailable' })
    await stores.close()
    stores = await openTestStores(folder.path, { limits: QUIET })
    // As the removal of a namespace does when it was interrupted.
    await dropAll()
    expect(await filesHolding(folder.path, tokens)).toEqual([])
    expect(await keptRows()).toEqual([40, 2])
  }
)
