import { readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { DuckDbStores } from '../../src/stores/duckdb/duckdb-stores.js'
import { ALL_TIME } from '../../src/domain/time-range.js'
import { findTraces, probePace } from '../../src/stores/duckdb/read/find-traces.js'
import { writeTraceIndex } from '../../src/stores/duckdb/segments/write-trace-index.js'
import { toSpan, traceIdOf } from '../contract/trace-fixtures.js'
import { NEVER } from '../contract/fresh-ids.js'
import { nextIngestId, NOON_NS, NS, openTestStores, OTHER_NS } from '../support/duckdb-fixture.js'
import { openTempFolder } from '../support/temp-folder.js'

const MS = 1_000_000n

/** Ids of which many begin alike, so that a guess by their value is far off, and two share their last digits. */
const TRACES = [
  ...Array.from({ length: 3_000 }, (_, i) => traceIdOf(i + 1)),
  ...Array.from({ length: 3_000 }, (_, i) => `${'7'.repeat(16)}f${(i * 7919).toString(16).padStart(15, '0')}`),
  `${'a'.repeat(16)}${'0'.repeat(15)}1`
]

async function filesOf(dataDir: string): Promise<string[]> {
  return (await readdir(join(dataDir, 'segments'), { recursive: true })).filter(name => /parquet/.test(name)).sort()
}

describe('the index of traces next to a segment', () => {
  let stores: DuckDbStores
  let folder: Awaited<ReturnType<typeof openTempFolder>>
  let dataDir: string

  beforeAll(async () => {
    folder = await openTempFolder()
    dataDir = join(folder.path, 'telemetry')
    stores = await openTestStores(dataDir, { limits: { minSegmentRows: 1 } })
    const items = TRACES.flatMap((trace, i) =>
      [0n, 5n].map((ms, n) => ({ ...toSpan({ trace, id: n + 1 }, 2 * i + n), timestampNs: NOON_NS + (BigInt(i) + ms) * MS + 3n }))
    )
    await stores.traces.append(NS, { ingestId: nextIngestId(), items })
    await stores.traces.append(OTHER_NS, { ingestId: nextIngestId(), items: items.slice(0, 2) })
    await stores.client.call('sealAll', [])
  }, 60_000)

  afterAll(async () => {
    await stores.close()
    await folder.remove()
  })

  it('is stored next to each segment of spans', async () => {
    const files = await filesOf(dataDir)
    expect(files.filter(name => name.endsWith('.traces'))).toEqual(
      files.filter(name => name.endsWith('.parquet')).map(name => `${name}.traces`)
    )
    expect(files).toHaveLength(4)
  })

  it('is not believed where a byte of it was changed', async () => {
    const [segment] = (await filesOf(dataDir)).filter(name => name.startsWith(NS))
    const file = join(dataDir, 'segments', segment!)
    const copy = join(folder.path, 'changed.parquet')
    const bytes = await readFile(`${file}.traces`)
    bytes[bytes.length >> 1]! ^= 1
    await writeFile(`${copy}.traces`, bytes)
    expect(await findTraces(copy, TRACES, probePace(NEVER))).toBeNull()
    // One by one, only those whose place is damaged.
    const alone = await Promise.all(TRACES.map(async trace => findTraces(copy, [trace], probePace(NEVER))))
    expect(alone.filter(found => found === null).length).toBeGreaterThan(0)
    expect(alone.filter(found => found?.length === 0)).toEqual([])
  })

  it('reports when each trace has spans, to the millisecond, and which are not there', async () => {
    const [segment] = (await filesOf(dataDir)).filter(name => name.startsWith(NS))
    const file = join(dataDir, 'segments', segment!)
    const found = (await findTraces(file, [...TRACES, traceIdOf(999_999), 'f'.repeat(32), '0'.repeat(32)], probePace(NEVER)))!
    expect(found.map(({ traceId }) => traceId)).toEqual(TRACES)
    const wrong = found.filter(({ firstNs, lastNs }, i) => {
      const [first, last] = [NOON_NS + BigInt(i) * MS, NOON_NS + BigInt(i + 6) * MS - 1n]
      const sharesHash = i === 0 || i === TRACES.length - 1
      return sharesHash ? firstNs !== NOON_NS : firstNs !== first || lastNs !== last
    })
    expect(wrong).toEqual([])
    expect(await findTraces(file, ['no trace id'], probePace(NEVER))).toBeNull()
  })

  it('returns the same for few traces, read piece by piece, as for many, read at once', async () => {
    const [segment] = (await filesOf(dataDir)).filter(name => name.startsWith(NS))
    const file = join(dataDir, 'segments', segment!)
    const requested = TRACES.filter((_, i) => i % 60 === 0)
    const atOnce = await findTraces(file, requested, probePace(NEVER))
    const pace = probePace(NEVER)
    const pieces: unknown[] = []
    for (let at = 0; at < requested.length; at += 32)
      pieces.push(...(await findTraces(file, requested.slice(at, at + 32), pace))!)
    expect(requested.length).toBeGreaterThan(64)
    expect(pieces).toEqual(atOnce)
  })

  it('lets others go on while it looks for many, and stops when they have left', async () => {
    const [segment] = (await filesOf(dataDir)).filter(name => name.startsWith(NS))
    const caller = new AbortController()
    const found = findTraces(join(dataDir, 'segments', segment!), TRACES, probePace(caller.signal))
    setImmediate(() => caller.abort(new Error('left')))
    await expect(found).rejects.toThrow('left')
  })

  it('finds the spans of one trace and summaries of traces far from each other', async () => {
    for (const i of [0, 1, 3_000, 5_999, 6_000])
      expect((await stores.traces.trace(NS, TRACES[i]!, 10, NEVER)).spans.map(span => span.traceId)).toEqual([
        TRACES[i],
        TRACES[i]
      ])
    const far = TRACES.filter((_, i) => i % 250 === 0)
    const summaries = await stores.traces.summaries(NS, far, NEVER)
    expect(summaries.map(({ traceId, spanCount }) => `${traceId} ${spanCount}`).sort()).toEqual(far.map(id => `${id} 2`).sort())
  })

  const sharing = [TRACES[0]!, TRACES.at(-1)!]
  const bySuffix = async () =>
    stores.traces.traceIdsBySuffix(NS, { range: ALL_TIME, suffixes: [TRACES[0]!.slice(16), 'f'.repeat(16)], limit: 9 }, NEVER)

  it('finds the traces that share their last digits', async () => {
    expect(await bySuffix()).toEqual({ traceIds: sharing, complete: true, warnings: [] })
  })

  it('is copied into a backup and goes with its namespace', async () => {
    const copy = join(folder.path, 'copy')
    await stores.backup(copy)
    expect(await filesOf(copy)).toEqual(await filesOf(dataDir))
    await stores.traces.dropNamespace(OTHER_NS)
    await stores.client.call('upkeep', [])
    expect((await filesOf(dataDir)).filter(name => name.startsWith(OTHER_NS))).toEqual([])
  })

  it('can be missing or damaged: the spans are found all the same', async () => {
    const [segment] = (await filesOf(dataDir)).filter(name => name.startsWith(NS))
    const index = join(dataDir, 'segments', `${segment!}.traces`)
    const isFound = async () => (await stores.traces.trace(NS, TRACES[7]!, 10, NEVER)).spans.length
    await truncate(index, 3)
    expect(await isFound()).toBe(2)
    expect((await bySuffix()).traceIds).toEqual(sharing)
    await rm(index)
    expect(await isFound()).toBe(2)
    expect((await bySuffix()).traceIds).toEqual(sharing)
  })
})

describe('writing the index of traces', () => {
  const DAY_NS = 86_400_000_000_000n
  const DAY = 20_000
  let folder: Awaited<ReturnType<typeof openTempFolder>>
  let instance: DuckDBInstance
  let files = 0

  beforeAll(async () => {
    folder = await openTempFolder()
    instance = await DuckDBInstance.create(':memory:')
  })

  afterAll(async () => {
    instance.closeSync()
    await folder.remove()
  })

  async function write(...spans: readonly (readonly [traceId: string, timeNs: bigint])[]): Promise<number> {
    const connection = await instance.connect()
    const file = join(folder.path, `${files++}.parquet`)
    try {
      const rows = spans.map(([traceId, timeNs]) => `('${traceId}', ${timeNs})`).join(', ')
      await connection.run(`COPY (SELECT * FROM (VALUES ${rows}) AS t(trace_id, ts)) TO '${file}' (FORMAT parquet)`)
      return await writeTraceIndex(connection, file, DAY)
    } finally {
      connection.closeSync()
    }
  }

  it('leaves it out for ids and times that an entry cannot hold', async () => {
    const noon = BigInt(DAY) * DAY_NS + DAY_NS / 2n
    const good = [traceIdOf(1), noon] as const
    expect(await write(good, [traceIdOf(2), noon])).toBe(52)
    expect(await write(['f'.repeat(32), BigInt(DAY) * DAY_NS])).toBe(36)
    expect(await write(good, [`${'1'.repeat(31)}x`, noon])).toBe(0)
    expect(await write(good, [traceIdOf(2), noon - DAY_NS])).toBe(0)
    expect(await write(good, [traceIdOf(1), noon + 60n * DAY_NS])).toBe(0)
  })
})
