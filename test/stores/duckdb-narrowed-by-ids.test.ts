import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { MATCH_ALL, type Filter } from '../../src/domain/filter.js'
import type { StoredLog } from '../../src/domain/records/log.js'
import type { SearchRequest } from '../../src/domain/search.js'
import { ALL_TIME } from '../../src/domain/time-range.js'
import { idIndexFile } from '../../src/stores/duckdb/id-index.js'
import { type LogReader, logReader } from '../../src/stores/duckdb/read/log-reader.js'
import { NarrowedByIds } from '../../src/stores/duckdb/read/narrowed-by-ids.js'
import type { Segment } from '../../src/stores/duckdb/snapshot.js'
import { NEVER } from '../contract/fresh-ids.js'
import { NOON_NS, NS, testLog } from '../support/duckdb-fixture.js'
import { logRow } from '../support/reader-rows.js'
import { Tiers } from '../support/tiers.js'

const LOWER = '00000000000000abcdef0123456789ab'
const UPPER = LOWER.toUpperCase()
const SHORT = 'abcdef0123456789ab'
const SPELLINGS = [LOWER, UPPER, SHORT]
const ROWS = 100
/** By append: at which of its rows an id is. Appends go into a file, a hot table and another hot table in turn. */
const PLACES: readonly ReadonlyMap<number, string>[] = [
  new Map([
    [10, LOWER],
    [30, UPPER]
  ]),
  new Map([[5, SHORT]]),
  new Map(),
  new Map([[99, UPPER]]),
  new Map(),
  new Map(),
  new Map()
]

const traceId = { in: 'known', name: 'trace_id' } as const
const service = { in: 'known', name: 'service' } as const
const oneOf = (values: readonly string[]): Filter => ({ kind: 'in', field: traceId, values })
const OF_TRACE = oneOf(SPELLINGS)

describe('logs by several spellings of an id', () => {
  let tiers: Tiers
  let logs: LogReader

  beforeAll(async () => {
    tiers = await Tiers.open('mixed')
    logs = logReader(tiers)
    for (const [append, ids] of PLACES.entries()) {
      const rows = Array.from({ length: ROWS }, (_, i) => {
        const at = append * ROWS + i
        const id = ids.get(i) ?? at.toString(16).padStart(32, '1')
        return { ...logRow(testLog(i, { timestampNs: NOON_NS + BigInt(at), traceId: id })), ingest_id: `batch${append}` }
      })
      await tiers.append('logs', NS, rows)
    }
    // As segments of earlier versions.
    for (const { file } of tiers.segmentsOf('logs', NS)) await rm(idIndexFile(file))
  })

  afterAll(() => tiers.close())

  /** What of each segment is read, in order of time; null for one that is left out. */
  function readParts(filter: Filter): Promise<readonly (readonly number[] | null)[]> {
    return tiers.withSnapshot('logs', NS, ALL_TIME, { heavy: false, signal: NEVER }, async snapshot => {
      const scope = { snapshot, kind: 'logs', ns: NS, range: ALL_TIME, signal: NEVER } as const
      const narrowed = (await new NarrowedByIds(scope).scopeOf(filter)).snapshot.segments
      const part = ({ file, rows }: Segment): readonly number[] | null => {
        const skips = narrowed.find(each => each.file === file)?.skips
        const isRead = (row: number) => !skips!.some(({ from, to }) => row >= from && row < to)
        return narrowed.every(each => each.file !== file)
          ? null
          : Array.from({ length: rows }, (_, row) => row).filter(row => !skips || isRead(row))
      }
      return snapshot.segments.toReversed().map(part)
    })
  }

  async function search(filter: Filter, request: Partial<SearchRequest> = {}): Promise<readonly StoredLog[]> {
    const rows = { limit: 2_000, order: 'asc' } as const
    const facets = [{ field: service, filter, limit: 5 }]
    const found = await logs.search(NS, { range: ALL_TIME, filter, rows, total: true, facets, ...request }, NEVER)
    expect(found.total!.value).toBe(found.rows!.length)
    expect(found.facets![0]!.values.reduce((sum, { count }) => sum + count, 0)).toBe(found.rows!.length)
    return found.rows!
  }

  it('finds them in files and hot tables, counts and facets too', async () => {
    const found = await search(OF_TRACE)
    expect(found.map(row => [row.timestampNs - NOON_NS, row.traceId])).toEqual([
      [10n, LOWER],
      [30n, UPPER],
      [105n, SHORT],
      [399n, UPPER]
    ])
  })

  it('reads no file without them, and of others only the rows between the first and the last', async () => {
    const [first, second, third] = await readParts(OF_TRACE)
    // Files begin with their newest row.
    expect(first).toEqual(Array.from({ length: 21 }, (_, i) => ROWS - 31 + i))
    expect([second, third]).toEqual([[0], null])
    expect(await readParts({ kind: 'and', of: [{ kind: 'exists', field: service }, OF_TRACE] })).toEqual([first, second, third])
  })

  it('does not narrow other filters', async () => {
    const all = await readParts(MATCH_ALL)
    expect(all.map(rows => rows?.length)).toEqual([ROWS, 2 * ROWS, 2 * ROWS])
    for (const filter of [
      { kind: 'not', of: OF_TRACE },
      { kind: 'or', of: [OF_TRACE, { kind: 'eq', field: service, value: 'a' }] },
      oneOf([LOWER]),
      oneOf(Array.from({ length: 17 }, (_, i) => `${SHORT}${i}`)),
      { kind: 'in', field: { in: 'tags', name: 'trace_id' }, values: SPELLINGS }
    ] satisfies readonly Filter[]) {
      expect(await readParts(filter)).toEqual(all)
    }
    expect(await search({ kind: 'not', of: OF_TRACE })).toHaveLength(PLACES.length * ROWS - 4)
  })

  it('gives each facet its own filter', async () => {
    const facets = [
      { field: service, filter: OF_TRACE, limit: 5 },
      { field: service, filter: oneOf([SHORT, LOWER]), limit: 5 }
    ]
    const found = await logs.search(NS, { range: ALL_TIME, filter: OF_TRACE, facets }, NEVER)
    expect(found.facets!.map(({ values }) => values.map(({ count }) => count))).toEqual([[4], [2]])
  })
})
