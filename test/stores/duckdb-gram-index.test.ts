import { readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Filter } from '../../src/domain/filter.js'
import type { DuckDbStores } from '../../src/stores/duckdb/duckdb-stores.js'
import { blockBytes, CRC_BYTES, HEADER_BYTES } from '../../src/stores/duckdb/gram-index.js'
import { CandidateSegments } from '../../src/stores/duckdb/read/candidate-segments.js'
import type { Segment } from '../../src/stores/duckdb/snapshot.js'
import { NEVER } from '../contract/fresh-ids.js'
import { nextIngestId, NOON_NS, NS, openTestStores, OTHER_NS, testLog } from '../support/duckdb-fixture.js'
import { openTempFolder } from '../support/temp-folder.js'

const GROUP = 32_768
const ROWS = 3 * GROUP + 100
/** By position in time; segments begin with the newest, so that these are in row groups 3, 2, 2, 1 and 0. */
const RARE: ReadonlyMap<number, string> = new Map([
  [50, 'Disk SDA1 failed'],
  [200, 'GAVE UP'],
  [GROUP + 99, 'disk sdb1 failed'],
  [GROUP + 5_000, 'the \u{212a}ernel pa\u{17f}\u{17f}ed on'],
  [ROWS - 1, 'disk sdc1 failed']
])

const MATCH_ALL = { startNs: 0n, endNs: 1n << 62n }
const message = { in: 'known', name: 'message' } as const
const contains = (value: string): Filter => ({ kind: 'contains', field: message, value })
const both = (...of: readonly Filter[]): Filter => ({ kind: 'and', of })
const either = (...of: readonly Filter[]): Filter => ({ kind: 'or', of })

async function filesOf(dataDir: string): Promise<string[]> {
  return (await readdir(join(dataDir, 'segments'), { recursive: true })).filter(name => /parquet/.test(name)).sort()
}

describe('the index of messages next to a segment', () => {
  let stores: DuckDbStores
  let folder: Awaited<ReturnType<typeof openTempFolder>>
  let dataDir: string
  let segment: Segment

  beforeAll(async () => {
    folder = await openTempFolder()
    dataDir = join(folder.path, 'telemetry')
    stores = await openTestStores(dataDir, { limits: { minSegmentRows: 1, gramIndexRows: 1_000, sealRows: 1_000_000 } })
    for (let from = 0; from < ROWS; from += 10_000) {
      const items = Array.from({ length: Math.min(10_000, ROWS - from) }, (_, i) => {
        const n = from + i
        return testLog(i, { timestampNs: NOON_NS + BigInt(n), message: RARE.get(n) ?? `request ${n % 1000} served` })
      })
      await stores.logs.append(NS, { ingestId: nextIngestId(), items })
    }
    await stores.logs.append(OTHER_NS, { ingestId: nextIngestId(), items: [testLog(0)] })
    await stores.client.call('sealAll', [])
    const [name] = (await filesOf(dataDir)).filter(file => file.startsWith(NS) && file.endsWith('.parquet'))
    const file = join(dataDir, 'segments', name!)
    segment = { file, rows: ROWS, bytes: 1, minNs: NOON_NS, maxNs: NOON_NS + BigInt(ROWS) }
  }, 120_000)

  afterAll(async () => {
    await stores.close()
    await folder.remove()
  })

  /** Row groups that are read for a filter. */
  async function groupsRead(filter: Filter): Promise<readonly number[]> {
    const [candidates] = await new CandidateSegments({ kind: 'logs', signal: NEVER }, filter).among([segment])
    if (!candidates) return []
    const isSkipped = (group: number) =>
      candidates.skips?.some(({ from, to }) => from <= group * GROUP && (group + 1) * GROUP <= to) ?? false
    return [0, 1, 2, 3].filter(group => !isSkipped(group))
  }

  async function messages(filter: Filter): Promise<readonly string[]> {
    const rows = { limit: 1000, order: 'asc' } as const
    const found = await stores.logs.search(NS, { range: MATCH_ALL, filter, rows, total: true }, NEVER)
    expect(found.total!.value).toBe(found.rows!.length)
    return found.rows!.map(row => row.message)
  }

  it('is stored next to large segments', async () => {
    const files = await filesOf(dataDir)
    expect(files.filter(file => file.endsWith('.grams'))).toEqual([
      `${segment.file.slice(join(dataDir, 'segments').length + 1)}.grams`
    ])
    expect(files.filter(file => file.endsWith('.parquet'))).toHaveLength(2)
  })

  it('prunes row groups without a string, case-insensitive', async () => {
    expect(await groupsRead(contains('DISK sd'))).toEqual([0, 1, 2, 3])
    expect(await groupsRead(contains('gave up'))).toEqual([1, 2])
    expect(await groupsRead(contains('not there'))).toEqual([1])
    expect(await groupsRead({ kind: 'prefix', field: message, value: 'GAVE ' })).toEqual([1, 2])
    expect(await groupsRead({ kind: 'eq', field: message, value: 'GAVE UP' })).toEqual([1, 2])
  })

  it('reads everything for conditions that grams cannot decide', async () => {
    const all = [0, 1, 2, 3]
    expect(await groupsRead(contains('gave'))).toEqual(all)
    expect(await groupsRead({ kind: 'contains', field: { in: 'known', name: 'service' }, value: 'nowhere' })).toEqual(all)
    expect(await groupsRead({ kind: 'contains', field: { in: 'log_fields', name: 'message' }, value: 'nowhere' })).toEqual(all)
    expect(await groupsRead({ kind: 'not', of: contains('nowhere') })).toEqual(all)
    expect(await groupsRead(either(contains('nowhere'), contains('up')))).toEqual(all)
    expect(await groupsRead(either())).toEqual(all)
  })

  it('weighs conditions that are queried together', async () => {
    expect(await groupsRead(both(contains('gave up'), contains('nowhere')))).toEqual([1])
    expect(await groupsRead(both(contains('up'), contains('gave up')))).toEqual([1, 2])
    expect(await groupsRead(either(contains('gave up'), contains('disk sdc1')))).toEqual([0, 1, 2])
  })

  it('changes no response, not even for letters beyond ASCII that fold to ASCII', async () => {
    const cases: readonly (readonly [Filter, readonly string[]])[] = [
      [contains('sd'), ['Disk SDA1 failed', 'disk sdb1 failed', 'disk sdc1 failed']],
      [contains('DISK SDB1'), ['disk sdb1 failed']],
      [contains('sda1 failed'), ['Disk SDA1 failed']],
      [contains('kernel passed'), ['the \u{212a}ernel pa\u{17f}\u{17f}ed on']],
      [contains('\u{212a}ERNEL'), ['the \u{212a}ernel pa\u{17f}\u{17f}ed on']],
      [contains('nowhere'), []],
      [either(contains('gave up'), contains('sdc1 failed')), ['GAVE UP', 'disk sdc1 failed']]
    ]
    for (const [filter, expected] of cases) expect(await messages(filter)).toEqual(expected)
  })

  it('counts the same in buckets and facets', async () => {
    const filter = contains('failed')
    const histogram = { startNs: NOON_NS, stepNs: BigInt(GROUP), count: 4 }
    const facet = { field: { in: 'known', name: 'service' }, limit: 10, filter } as const
    const found = await stores.logs.search(NS, { range: MATCH_ALL, filter, histogram, facets: [facet] }, NEVER)
    expect(found.histogram).toEqual([{ key: null, counts: [1, 1, 0, 1] }])
    expect(found.facets![0]!.values.map(({ value, count }) => [value, count])).toEqual([['checkout', 3]])
  })

  it('is copied into a backup', async () => {
    const copy = join(folder.path, 'copy')
    await stores.backup(copy)
    expect(await filesOf(copy)).toEqual(await filesOf(dataDir))
  })

  it('is not believed where it is damaged, cut short or missing', async () => {
    const index = `${segment.file}.grams`
    const whole = await readFile(index)
    const isFound = async () => expect(await messages(contains('gave up'))).toEqual(['GAVE UP'])
    // All bits of all blocks, but not their sums.
    const cleared = Buffer.from(whole)
    for (let at = HEADER_BYTES; at < cleared.length; at += blockBytes(4)) cleared.fill(0, at + CRC_BYTES, at + blockBytes(4))
    await writeFile(index, cleared)
    await isFound()
    await truncate(index, whole.length - 1)
    await isFound()
    await writeFile(index, Buffer.concat([whole.subarray(0, 8), Buffer.alloc(8), whole.subarray(16)]))
    await isFound()
    await rm(index)
    expect(await groupsRead(contains('gave up'))).toEqual([0, 1, 2, 3])
    await isFound()
    await writeFile(index, whole)
    expect(await groupsRead(contains('gave up'))).toEqual([1, 2])
  })

  it('goes with its segment', async () => {
    await stores.logs.dropNamespace(NS)
    await stores.client.call('upkeep', [])
    expect((await filesOf(dataDir)).filter(file => file.startsWith(NS))).toEqual([])
  })
})
