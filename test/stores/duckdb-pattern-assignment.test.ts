import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import type { NamespaceId } from '../../src/domain/ids.js'
import type { DuckDbStores } from '../../src/stores/duckdb/duckdb-stores.js'
import type { FailPoint } from '../../src/stores/duckdb/process/fail-points.js'
import type { UnassignedRow, UnassignedSegment } from '../../src/stores/duckdb/segments/pattern-assignment.js'
import { find } from '../contract/log-fixtures.js'
import { nextIngestId, NOON_NS, NS, openTestStores, OTHER_NS, testLog } from '../support/duckdb-fixture.js'
import { openTempFolder } from '../support/temp-folder.js'

// Nothing happens by itself: the tests decide when.
const QUIET = { upkeepIntervalMs: 3_600_000, minSegmentRows: 1, sealAgeMs: 3_600_000 }
const KNOWN = 'aaaaaaaaaaaaaaaaaaaa'
const FOUND = 'bbbbbbbbbbbbbbbbbbbb'
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

const segments = (ns: NamespaceId): Promise<readonly UnassignedSegment[]> => stores.client.call('unassignedSegments', [ns])

const page = (ns: NamespaceId, file: string, after = -1): Promise<readonly UnassignedRow[] | null> =>
  stores.client.call('unassignedPage', [ns, file, after])

async function assignAll(ns: NamespaceId): Promise<readonly boolean[]> {
  const done: boolean[] = []
  for (const { file } of await segments(ns)) {
    const rows = (await page(ns, file))!.map(({ row }) => row)
    done.push(await stores.client.call('assignPatterns', [ns, file, { rows, ids: rows.map(() => FOUND) }]))
  }
  return done
}

it('gives the logs of a segment the patterns that they lack, and changes nothing else', async () => {
  await store(NS)
  await store(OTHER_NS)
  const before = await find(stores.logs, NS)
  const others = await find(stores.logs, OTHER_NS)
  expect((await segments(NS)).map(({ rows }) => rows)).toEqual([5])
  expect(await assignAll(NS)).toEqual([true])
  expect(await find(stores.logs, NS)).toEqual(before.map(log => ({ ...log, patternId: log.patternId ?? FOUND })))
  expect(await find(stores.logs, OTHER_NS)).toEqual(others)
  expect([await segments(NS), (await segments(OTHER_NS)).length]).toEqual([[], 1])
})

it('refuses a segment of another namespace, and one that is not listed', async () => {
  await store(NS)
  const { file } = (await segments(NS))[0]!
  expect(await page(OTHER_NS, file)).toBeNull()
  const assigned = { rows: [1], ids: [FOUND] }
  expect(await stores.client.call('assignPatterns', [OTHER_NS, file, assigned])).toBe(false)
  expect(await stores.client.call('assignPatterns', [NS, `${file}x`, assigned])).toBe(false)
  expect((await segments(NS)).map(each => each.file)).toEqual([file])
})

it('leaves a segment with damage as it is, and assigns those of the others', async () => {
  await store(NS)
  await store(NS, -1n)
  const listed = await segments(NS)
  await appendFile(join(folder.path, 'segments', listed[0]!.file), 'more')
  const assigned = { rows: [1], ids: [FOUND] }
  expect(await stores.client.call('assignPatterns', [NS, listed[0]!.file, assigned])).toBe(false)
  expect(await assignAll(NS)).toEqual([true])
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
    expect(await segments(NS)).toEqual([])
  }
)
