import { appendFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import type { NamespaceId } from '../../src/domain/ids.js'
import type { UnassignedLog, UnassignedLogs, UnassignedPart, WrittenPatterns } from '../../src/ports/unassigned-logs.js'
import type { DuckDbStores } from '../../src/stores/duckdb/duckdb-stores.js'
import type { FailPoint } from '../../src/stores/duckdb/process/fail-points.js'
import { find } from '../contract/log-fixtures.js'
import { nextIngestId, NOON_NS, NS, openTestStores, OTHER_NS, testLog } from '../support/duckdb-fixture.js'
import { openTempFolder } from '../support/temp-folder.js'

// Nothing happens by itself: the tests decide when.
const QUIET = { upkeepIntervalMs: 3_600_000, minSegmentRows: 1, sealAgeMs: 3_600_000 }
const KNOWN = 'aaaaaaaaaaaaaaaaaaaa'
const FOUND = 'bbbbbbbbbbbbbbbbbbbb'
const MIB = 1024 * 1024
const DAY_NS = 86_400_000_000_000n

let folder: Awaited<ReturnType<typeof openTempFolder>>
let stores: DuckDbStores

async function open(failPoint?: FailPoint): Promise<void> {
  stores = await openTestStores(folder.path, { limits: QUIET, ...(failPoint && { failPoint }) })
}

beforeEach(async () => {
  folder = await openTempFolder()
  await open()
})

afterEach(async () => {
  await stores.close()
  await folder.remove()
})

/** Ten logs of a day; every other one has a pattern. */
async function store(ns: NamespaceId, day = 0n): Promise<void> {
  const items = Array.from({ length: 10 }, (_, i) =>
    testLog(i, {
      timestampNs: NOON_NS + day * DAY_NS + BigInt(i),
      patternId: i % 2 === 0 ? KNOWN : null,
      fields: { order: i, region: 'eu' }
    })
  )
  await stores.logs.append(ns, { ingestId: nextIngestId(), items })
}

const unassigned = (): UnassignedLogs => stores.logs.unassigned

async function page(ns: NamespaceId, part: string, after = -1): Promise<readonly UnassignedLog[]> {
  const logs = await unassigned().page(ns, { part, after })
  if (typeof logs === 'string') throw new Error(logs)
  return logs
}

function assign(ns: NamespaceId, part: string, places: readonly number[]): ReturnType<UnassignedLogs['assign']> {
  return unassigned().assign(ns, part, { places: Float64Array.from(places), of: new Uint32Array(places.length), ids: [FOUND] })
}

/** Gives all logs of the first page of each part a pattern; the outcomes. */
async function assignAll(ns: NamespaceId): Promise<readonly unknown[]> {
  const done: unknown[] = []
  for (const { part, logs } of await unassigned().parts(ns)) {
    if (logs === null) continue
    const places = (await page(ns, part)).map(({ place }) => place)
    done.push(await assign(ns, part, places))
  }
  return done
}

const WHOLE = { refused: 0, refusal: null, isWhole: true, next: { part: expect.any(String), after: -1 } }
const REWRITTEN = { ...WHOLE, assigned: 5, missed: 0 }

it('gives the logs of a segment the patterns that they lack, and changes nothing else', async () => {
  await store(NS)
  await store(OTHER_NS)
  const before = await find(stores.logs, NS)
  const others = await find(stores.logs, OTHER_NS)
  expect((await unassigned().parts(NS)).map(({ logs }) => logs)).toEqual([5])
  expect(await assignAll(NS)).toEqual([REWRITTEN])
  expect(await find(stores.logs, NS)).toEqual(before.map(log => ({ ...log, patternId: log.patternId ?? FOUND })))
  expect(await find(stores.logs, OTHER_NS)).toEqual(others)
  expect([await unassigned().parts(NS), (await unassigned().parts(OTHER_NS)).length]).toEqual([[], 1])
})

it('lists the latest logs first, and goes on in a part from the name that its rewrite gives', async () => {
  await store(NS, -1n)
  await store(NS)
  const [latest, earlier] = await unassigned().parts(NS)
  const [first, ...others] = await page(NS, latest!.part)
  expect(first!.timestampNs / DAY_NS).toBe(NOON_NS / DAY_NS)
  const { assigned, next } = (await assign(NS, latest!.part, [first!.place])) as WrittenPatterns
  expect([assigned, next!.after]).toEqual([1, -1])
  const { part } = next!
  expect((await page(NS, part)).map(({ message }) => message)).toEqual(others.map(({ message }) => message))
  expect(await unassigned().page(NS, { part: latest!.part, after: -1 })).toBe('gone')
  expect((await unassigned().parts(NS)).map(each => each.part)).toEqual([part, earlier!.part])
})

it('bounds a page by rows and by the bytes of its messages, and leaves no log out', async () => {
  const many = Array.from({ length: 2_001 }, (_, i) => testLog(i, { timestampNs: NOON_NS - BigInt(i), patternId: null }))
  const long = Array.from({ length: 3 }, (_, i) =>
    testLog(i, { timestampNs: NOON_NS + DAY_NS - BigInt(i), patternId: null, message: `${i}`.repeat(3 * MIB) })
  )
  await stores.logs.append(NS, { ingestId: nextIngestId(), items: many })
  await stores.logs.append(NS, { ingestId: nextIngestId(), items: long })
  const [longest, others] = await unassigned().parts(NS)
  const firsts: string[] = []
  for (let after = -1; ;) {
    const logs = await page(NS, longest!.part, after)
    if (logs.length === 0) break
    firsts.push(logs.map(({ message }) => message[0]).join(''))
    after = logs.at(-1)!.place
  }
  expect(firsts).toEqual(['0', '1', '2'])
  expect((await page(NS, others!.part)).length).toBe(2_000)
  expect((await page(NS, others!.part, 1_999)).map(({ place }) => place)).toEqual([2_000])
})

it('reads no log that is deleted, though it is still in its file', async () => {
  await store(NS)
  const { part } = (await unassigned().parts(NS))[0]!
  await stores.logs.deleteBefore(NS, NOON_NS + 4n)
  const [left] = await unassigned().parts(NS)
  expect(left).toMatchObject({ logs: 3 })
  expect((await page(NS, left!.part)).map(({ timestampNs }) => timestampNs)).toEqual([9n, 7n, 5n].map(i => NOON_NS + i))
  await stores.logs.dropNamespace(NS)
  expect([await unassigned().parts(NS), await unassigned().page(NS, { part, after: -1 })]).toEqual([[], 'gone'])
})

it('counts logs as missed that were deleted since they were read', async () => {
  await store(NS)
  const { part } = (await unassigned().parts(NS))[0]!
  const places = (await page(NS, part)).map(({ place }) => place)
  await stores.logs.deleteBefore(NS, NOON_NS + 4n)
  expect(await assign(NS, part, places)).toEqual({ ...WHOLE, assigned: 3, missed: 2 })
})

it('finds a segment gone whose logs were all deleted meanwhile', async () => {
  await store(NS)
  const [{ part }] = (await unassigned().parts(NS)) as [UnassignedPart]
  await stores.logs.deleteBefore(NS, NOON_NS + DAY_NS)
  expect(await assign(NS, part, [1])).toBe('gone')
})

it('takes places beyond 32 bits over the link of its process', async () => {
  await store(NS)
  const [{ part }] = (await unassigned().parts(NS)) as [UnassignedPart]
  const before = await find(stores.logs, NS)
  expect(await assign(NS, part, [2 ** 32 + 1, Number.MAX_SAFE_INTEGER])).toMatchObject({
    assigned: 0,
    missed: 2,
    next: { after: -1 }
  })
  expect(await find(stores.logs, NS)).toEqual(before)
})

it('refuses a segment of another namespace, one that is not listed, and places that do not ascend', async () => {
  await store(NS)
  const { part } = (await unassigned().parts(NS))[0]!
  expect(await unassigned().page(OTHER_NS, { part, after: -1 })).toBe('gone')
  expect(await assign(OTHER_NS, part, [1])).toBe('gone')
  expect(await assign(NS, `${part}x`, [1])).toBe('gone')
  await expect(assign(NS, part, [1, 1])).rejects.toThrow()
  expect((await unassigned().parts(NS)).map(each => each.part)).toEqual([part])
})

it('leaves a segment with damage as it is, and assigns those of the others', async () => {
  await store(NS)
  await store(NS, -1n)
  const [damaged] = await unassigned().parts(NS)
  await appendFile(join(folder.path, 'segments', damaged!.part), 'more')
  expect(await assign(NS, damaged!.part, [1])).toBe('damaged')
  expect(await unassigned().page(NS, { part: damaged!.part, after: -1 })).toBe('damaged')
  expect((await unassigned().parts(NS)).map(({ logs }) => logs)).toEqual([null, 5])
  expect(await assignAll(NS)).toEqual([REWRITTEN])
})

it('lists a segment that cannot be read, next to the others', async () => {
  await store(NS)
  await store(NS, -1n)
  const [damaged] = await unassigned().parts(NS)
  await writeFile(join(folder.path, 'segments', damaged!.part), 'nothing of Parquet')
  expect((await unassigned().parts(NS)).map(({ logs }) => logs)).toEqual([null, 5])
  expect(await unassigned().page(NS, { part: damaged!.part, after: -1 })).toBe('damaged')
})

it.each(['merge.copied', 'merge.synced', 'merge.committed'] as const)(
  'loses and doubles nothing when it dies at %s, and goes on after that',
  async failPoint => {
    await store(NS)
    await store(NS, -1n)
    const before = await find(stores.logs, NS)
    await stores.close()
    await open(failPoint)
    await expect(assignAll(NS)).rejects.toMatchObject({ code: 'store_unavailable' })
    await stores.close()
    await open()
    await assignAll(NS)
    expect(await find(stores.logs, NS)).toEqual(before.map(log => ({ ...log, patternId: log.patternId ?? FOUND })))
    expect(await unassigned().parts(NS)).toEqual([])
  }
)
