import { existsSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import type { JsonObject } from '../../src/domain/json.js'
import type { IngestId, NamespaceId } from '../../src/domain/ids.js'
import type { DuckDbStores } from '../../src/stores/duckdb/duckdb-stores.js'
import { FAIL_POINTS, type FailPoint, WRITE_FAIL_POINTS } from '../../src/stores/duckdb/process/fail-points.js'
import { nextIngestId, NOON_NS, NS, openTestStores, OTHER_NS, testLogs, testPoint } from '../support/duckdb-fixture.js'
import { readStoredRows } from '../support/stored-rows.js'
import { openTempFolder } from '../support/temp-folder.js'

const DAY_NS = 86_400_000_000_000n
// Nothing happens by itself: the tests decide when.
const QUIET = { upkeepIntervalMs: 3_600_000, minSegmentRows: 1, sealAgeMs: 3_600_000 }

let folder: Awaited<ReturnType<typeof openTempFolder>>
let stores: DuckDbStores
let sent: { readonly ns: NamespaceId; readonly ingestId: IngestId; readonly count: number }[]

async function open(failPoint?: FailPoint, limits: object = {}): Promise<void> {
  stores = await openTestStores(folder.path, { limits: { ...QUIET, ...limits }, ...(failPoint ? { failPoint } : {}) })
}

beforeEach(async () => {
  sent = []
  folder = await openTempFolder()
})

afterEach(async () => {
  await stores.close()
  await folder.remove()
})

async function append(ns: NamespaceId, count: number, timestampNs = NOON_NS, fields: JsonObject = {}): Promise<void> {
  const ingestId = nextIngestId()
  await stores.logs.append(ns, { ingestId, items: testLogs(count, { timestampNs, fields }) })
  sent.push({ ns, ingestId, count })
}

function acknowledged(ns: NamespaceId): string[] {
  const own = sent.filter(request => request.ns === ns)
  return own.flatMap(({ ingestId, count }) => Array.from({ length: count }, (_, i) => `${ingestId}/${i}`)).sort()
}

/** Closes, and checks that each acknowledged record is there once and that no file is stored without being listed. */
async function expectIntact(): Promise<void> {
  await stores.close()
  for (const ns of [NS, OTHER_NS]) {
    const stored = await readStoredRows(folder.path, 'logs', ns)
    expect(stored.ids).toEqual(acknowledged(ns))
    expect(stored.onDisk).toEqual(stored.listed)
    expect(stored.strayTables).toEqual([])
  }
  // Leftovers of a seal or merge are known as such: they are neither kept nor listed again.
  expect(existsSync(join(folder.path, 'set-aside'))).toBe(false)
}

const sealAll = (): Promise<unknown> => stores.client.call('sealAll', [])

it('keeps every record through seals and merges, in at most 8 + log8(n) files', async () => {
  await open()
  for (let i = 0; i < 12; i++) {
    await append(NS, 100, NOON_NS + BigInt(i) * 1_000_000n)
    await append(OTHER_NS, 10)
    await sealAll()
  }
  const { segments } = await stores.gauges()
  expect(segments).toBeLessThanOrEqual(2 * 11)
  await expectIntact()
})

it('seals the latest of two values for one time, and all values where each has a time of its own', async () => {
  await open()
  const write = (ns: NamespaceId, ...values: readonly (readonly [offset: bigint, value: number])[]) =>
    stores.metrics.append(ns, {
      ingestId: nextIngestId(),
      items: values.map(([offset, value], index) => testPoint(index, { timestampNs: NOON_NS + offset, value }))
    })
  await write(NS, [0n, 1], [1n, 2])
  await write(NS, [1n, 3])
  await write(OTHER_NS, [0n, 4], [1n, 5])
  await sealAll()
  expect(await stores.recordsByKind()).toMatchObject({ points: 4 })
  const request = { matchers: [], range: { startNs: 0n, endNs: 2n ** 62n }, maxSeries: 10, maxSamples: 100 }
  const valuesOf = async (ns: NamespaceId): Promise<readonly number[]> => {
    const found = await stores.metrics.select(ns, request, new AbortController().signal)
    return found.flatMap(({ values }) => [...values])
  }
  expect([await valuesOf(NS), await valuesOf(OTHER_NS)]).toEqual([
    [1, 3],
    [4, 5]
  ])
})

it('lets rows of a small namespace wait, and seals those of a large one', async () => {
  await open(undefined, { minSegmentRows: 50, sealRows: 100, upkeepIntervalMs: 20 })
  await append(OTHER_NS, 5)
  for (let i = 0; i < 4; i++) await append(NS, 100)
  await stores.client.call('upkeep', [])
  await stores.close()
  expect((await readStoredRows(folder.path, 'logs', OTHER_NS)).listed.every(file => file.startsWith(NS))).toBe(true)
  await expectIntact()
})

it('removes what is before a mark from the disk, and keeps the rest', async () => {
  await open()
  await append(NS, 10, NOON_NS - 3n * DAY_NS)
  await append(OTHER_NS, 10, NOON_NS - 3n * DAY_NS)
  await append(NS, 10)
  await sealAll()
  await stores.logs.deleteBefore(NS, NOON_NS - DAY_NS)
  await stores.client.call('upkeep', [])
  sent = sent.filter((_, i) => i !== 0)
  await expectIntact()
})

it('removes a dropped namespace from hot tables and files alike, and refuses it from then on', async () => {
  await open()
  await append(NS, 10)
  await append(OTHER_NS, 10)
  await sealAll()
  await append(NS, 10)
  await append(OTHER_NS, 10)
  await stores.logs.dropNamespace(NS)
  await stores.logs.dropNamespace(NS)
  await expect(append(NS, 1)).rejects.toMatchObject({ code: 'namespace_deleted' })
  await stores.close()
  await open()
  await expect(append(NS, 1)).rejects.toMatchObject({ code: 'namespace_deleted' })
  sent = sent.filter(({ ns }) => ns !== NS)
  await expectIntact()
})

it('keeps one value per series and time, the last one', async () => {
  await open()
  for (let i = 0; i < 10; i++) {
    await stores.metrics.append(NS, {
      ingestId: nextIngestId(),
      items: [testPoint(0, { value: i }), testPoint(1, { value: 100 + i })]
    })
    await sealAll()
  }
  await stores.client.call('upkeep', [])
  await stores.close()
  const { ids } = await readStoredRows(folder.path, 'points', NS)
  const last = ids.filter(id => id.endsWith('=9.0') || id.endsWith('=109.0'))
  expect(last).toHaveLength(2)
  expect(ids.length).toBeLessThan(20)
})

it('copies everything into a backup that opens by itself, while writing goes on', async () => {
  await open()
  await append(NS, 100)
  await sealAll()
  await append(NS, 50)
  const target = `${folder.path}-backup`
  const backup = stores.backup(target)
  const copied = acknowledged(NS)
  await append(NS, 25)
  await backup
  await append(NS, 25)
  await expect(stores.backup(target)).rejects.toMatchObject({ code: 'conflict' })
  await expectIntact()
  const restored = await openTestStores(target)
  expect(await restored.health()).toMatchObject([{ healthy: true }])
  await restored.close()
  const { ids } = await readStoredRows(target, 'logs', NS)
  expect([150, 175]).toContain(ids.length)
  expect(ids).toEqual(expect.arrayContaining(copied))
})

it('writes a hot file again that is mostly free, and keeps what is in it', async () => {
  await open()
  for (let i = 0; i < 8; i++) await append(NS, 10_000)
  await stores.close()
  await open()
  await append(NS, 100)
  await sealAll()
  await append(NS, 7)
  const { ingestId, count } = sent.at(-1)!
  await stores.close()
  const before = (await stat(`${folder.path}/hot.duckdb`)).size
  await open(undefined, { rebuildBytes: 1 })
  const after = (await stat(`${folder.path}/hot.duckdb`)).size
  expect(after).toBeLessThan(before / 2)
  const repeated = await stores.logs.append(NS, { ingestId, items: testLogs(count) })
  expect(repeated).toEqual({ accepted: 0, deduplicated: 7, failures: [] })
  await append(NS, 3)
  await expectIntact()
})

const DRIVES: Readonly<Record<(typeof FAIL_POINTS)[number], () => Promise<unknown>>> = {
  'seal.rotated': () => sealAll(),
  'columns.planned': () => sealAll(),
  'columns.refused': () => sealMixed(),
  'seal.copied': () => sealAll(),
  'seal.synced': () => sealAll(),
  'seal.committed': () => sealAll(),
  'merge.copied': () => fillAndMerge(),
  'merge.synced': () => fillAndMerge(),
  'merge.committed': () => fillAndMerge(),
  'retention.committed': () => retire(),
  'drop.marked': () => stores.logs.dropNamespace(OTHER_NS),
  'drop.committed': () => stores.logs.dropNamespace(OTHER_NS),
  'garbage.unlinked': () => retire(),
  'scrub.series': () => stores.logs.dropNamespace(OTHER_NS),
  'scrub.filled': () => stores.logs.dropNamespace(OTHER_NS),
  'scrub.done': () => stores.logs.dropNamespace(OTHER_NS),
  'checkpoint.done': () => stores.client.call('upkeep', []),
  'shrink.moving': () => sealAll(),
  'shrink.moved': () => sealAll()
}

const SHRUNK_ALWAYS = { shrinkBytes: 0, sealIdleMs: 0 }

/** A value that differs from all that the plan of free columns looks at. */
async function sealMixed(): Promise<void> {
  await append(NS, 5_000, NOON_NS, { size: 1 })
  await append(NS, 1, NOON_NS, { size: 'large' })
  await sealAll()
}

async function fillAndMerge(): Promise<void> {
  for (let i = 0; i < 10; i++) {
    await append(NS, 10)
    await sealAll()
  }
}

async function retire(): Promise<void> {
  await sealAll()
  await stores.logs.deleteBefore(OTHER_NS, NOON_NS + DAY_NS)
  await stores.client.call('upkeep', [])
}

it.each(FAIL_POINTS)('loses and doubles nothing when it dies at %s', async failPoint => {
  await open(failPoint, { checkpointBytes: 0, ...(failPoint.startsWith('shrink') && SHRUNK_ALWAYS) })
  await append(NS, 200)
  await append(OTHER_NS, 50)
  // The process dies on the way; then it is up to the next one.
  await expect(DRIVES[failPoint]()).rejects.toMatchObject({ code: 'store_unavailable' })
  await stores.close()
  await open()
  await append(NS, 7)
  await stores.client.call('upkeep', [])
  if (/^(?:drop|scrub)/.test(failPoint) || failPoint === 'retention.committed' || failPoint === 'garbage.unlinked') {
    sent = sent.filter(({ ns }) => ns !== OTHER_NS)
  }
  await expectIntact()
})

it.each(WRITE_FAIL_POINTS)('keeps what is acknowledged once when it dies at %s on its way in', async failPoint => {
  await open()
  await append(NS, 30)
  await stores.close()
  await open(failPoint, { checkpointBytes: 0 })
  const batches = Array.from({ length: 6 }, () => ({ ingestId: nextIngestId(), items: testLogs(20) }))
  const outcomes = await Promise.allSettled(batches.map(batch => stores.logs.append(NS, batch)))
  const rest = sealAll().then(() => stores.client.call('upkeep', []))
  await expect(rest).rejects.toMatchObject({ code: 'store_unavailable' })
  await stores.close()
  const acked = batches.filter((_, i) => outcomes[i]!.status === 'fulfilled')
  expect(acked).toHaveLength(failPoint === 'journal.synced' ? 0 : 6)
  await open()
  // What was synced before the process died is stored though no client was notified; its retry stores nothing twice.
  for (const { ingestId, items } of batches) {
    const { accepted, deduplicated } = await stores.logs.append(NS, { ingestId, items })
    expect(accepted + deduplicated).toBe(20)
    if (acked.some(batch => batch.ingestId === ingestId)) expect(deduplicated).toBe(20)
    sent.push({ ns: NS, ingestId, count: 20 })
  }
  await expectIntact()
  expect(await readdir(`${folder.path}/journal`)).toEqual([])
})
