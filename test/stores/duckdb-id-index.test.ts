import { readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { seededRandom } from '../../bench/generate/random.js'
import type { Filter } from '../../src/domain/filter.js'
import { ALL_TIME } from '../../src/domain/time-range.js'
import { blockBytes, CRC_BYTES, FILTER_BYTES, HEADER_BYTES, idIndexFile } from '../../src/stores/duckdb/id-index.js'
import { CandidateSegments } from '../../src/stores/duckdb/read/candidate-segments.js'
import { logReader } from '../../src/stores/duckdb/read/log-reader.js'
import type { Segment } from '../../src/stores/duckdb/snapshot.js'
import { NEVER } from '../contract/fresh-ids.js'
import { NOON_NS, NS, testLog } from '../support/duckdb-fixture.js'
import { logRow } from '../support/reader-rows.js'
import { Tiers } from '../support/tiers.js'

const GROUP = 32_768
const GROUPS = 3
const ROWS = (GROUPS - 1) * GROUP + 1_000
const TRACE = 'abcdef0123456789abcdef0123456789'
const SPAN = 'abcdef0123456789'
/** By position in time; the segment begins with the newest, so that they are in row groups 2, 1 and 0. */
const OF_TRACE: ReadonlyMap<number, Partial<{ traceId: string; spanId: string }>> = new Map([
  [50, { traceId: TRACE, spanId: SPAN }],
  [20_000, { traceId: TRACE.toUpperCase() }],
  [ROWS - 1, { spanId: SPAN }]
])

const traceId = { in: 'known', name: 'trace_id' } as const
const spanId = { in: 'known', name: 'span_id' } as const
const ofTrace: Filter = { kind: 'eq', field: traceId, value: TRACE }
const anySpelling: Filter = { kind: 'in', field: traceId, values: [TRACE, TRACE.toUpperCase()] }
const ofSpan: Filter = { kind: 'eq', field: spanId, value: SPAN }
const unknown: Filter = { kind: 'eq', field: traceId, value: '0'.repeat(32) }

describe('the index of ids of a segment', () => {
  let tiers: Tiers
  let segment: Segment
  let whole: Buffer

  beforeAll(async () => {
    tiers = await Tiers.open('sealed')
    const random = seededRandom(1)
    const rows = Array.from({ length: ROWS }, (_, i) => {
      const ids = OF_TRACE.get(i) ?? (i % 5 < 3 ? { traceId: random.hex(32), spanId: random.hex(16) } : {})
      return { ...logRow(testLog(i, { timestampNs: NOON_NS + BigInt(i), ...ids })), ingest_id: 'batch' }
    })
    await tiers.append('logs', NS, rows)
    segment = tiers.segmentsOf('logs', NS)[0]!
    whole = await readFile(idIndexFile(segment.file))
  }, 60_000)

  afterAll(() => tiers.close())

  /** Row groups that are read for a filter. */
  async function groupsRead(filter: Filter): Promise<readonly number[]> {
    const [candidate] = await new CandidateSegments({ kind: 'logs', signal: NEVER }, filter).among([segment])
    const isSkipped = (group: number) =>
      candidate!.skips?.some(({ from, to }) => from <= group * GROUP && (group + 1) * GROUP <= to) ?? false
    return candidate ? [0, 1, 2].filter(group => !isSkipped(group)) : []
  }

  async function positions(filter: Filter): Promise<readonly number[]> {
    const request = { range: ALL_TIME, filter, rows: { limit: 10, order: 'asc' }, total: true } as const
    const { rows, total } = await logReader(tiers).search(NS, request, NEVER)
    expect(total!.value).toBe(rows!.length)
    return rows!.map(({ timestampNs }) => Number(timestampNs - NOON_NS))
  }

  it.each<[string, Filter, readonly number[], readonly number[]]>([
    ['an id', ofTrace, [2], [50]],
    ['its spellings', anySpelling, [1, 2], [50, 20_000]],
    ['an id of another column', ofSpan, [0, 2], [50, ROWS - 1]],
    ['both', { kind: 'and', of: [anySpelling, ofSpan] }, [2], [50]],
    ['either', { kind: 'or', of: [ofTrace, ofSpan] }, [0, 2], [50, ROWS - 1]],
    ['an id that no log has', unknown, [], []]
  ])('leaves row groups to read for %s', async (_, filter, groups, found) => {
    // One of a hundred row groups is read for nothing; of these none is.
    expect(await groupsRead(filter)).toEqual(groups)
    expect(await positions(filter)).toEqual(found)
  })

  it.each<[string, Filter]>([
    ['none of them', { kind: 'not', of: unknown }],
    ['an id or something else', { kind: 'or', of: [unknown, { kind: 'exists', field: spanId }] }],
    ['more ids than are looked for', { kind: 'in', field: traceId, values: Array.from({ length: 17 }, (_, i) => String(i)) }]
  ])('decides nothing for %s', async (_, filter) => {
    expect(await groupsRead(filter)).toEqual([0, 1, 2])
  })

  it('takes a byte and a half for each id', () => {
    const blocks = whole.readUInt32LE(16)
    expect(whole.length).toBe(HEADER_BYTES + blocks * blockBytes(GROUPS))
    expect(whole.length / (GROUPS * GROUP * 0.6 * 2)).toBeLessThan(1.5)
  })

  describe('that is damaged', () => {
    afterAll(() => writeFile(idIndexFile(segment.file), whole))

    it.each<[string, (file: string) => Promise<void>]>([
      ['missing', file => rm(file, { force: true })],
      ['half of it', file => truncate(file, whole.length / 2)],
      ['empty', file => truncate(file, 0)],
      [
        'other bytes in its filters',
        file => {
          const bytes = Buffer.from(whole)
          for (let at = HEADER_BYTES + CRC_BYTES; at < bytes.length; at += FILTER_BYTES) bytes[at]! ^= 0xff
          return writeFile(file, bytes)
        }
      ],
      [
        'other bytes in its header',
        file => {
          const bytes = Buffer.from(whole)
          bytes[9]! ^= 1
          return writeFile(file, bytes)
        }
      ]
    ])('changes no result: %s', async (_, damage) => {
      await writeFile(idIndexFile(segment.file), whole)
      await damage(idIndexFile(segment.file))
      expect(await groupsRead(anySpelling)).toEqual([0, 1, 2])
      expect(await positions(anySpelling)).toEqual([50, 20_000])
      expect(await positions(unknown)).toEqual([])
    })
  })
})
