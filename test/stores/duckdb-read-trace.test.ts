import { DuckDBDataChunk, type DuckDBValue } from '@duckdb/node-api'
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import type { NamespaceId } from '../../src/domain/ids.js'
import { readSmallTrace, readTrace } from '../../src/stores/duckdb/read/read-trace.js'
import { SMALL_TRACE_SPANS } from '../../src/ports/trace-store.js'
import { ALL_TIME } from '../../src/domain/time-range.js'
import { inSnapshot } from '../../src/stores/duckdb/read/reading.js'
import { NEVER, newIngestId } from '../contract/fresh-ids.js'
import { spanIdOf, toSpan, traceIdOf } from '../contract/trace-fixtures.js'
import { spanRows } from '../support/reader-rows.js'
import { Tiers } from '../support/tiers.js'

const NS = 'nsreadtrace' as NamespaceId
const TRACE = 7
const COUNT = 40
const LARGE_TRACE = 8
const LONG_TEXT = { text: 'ä'.repeat(500) }
const LONG = ['status_message', 'events_json', 'links_json', 'fields_json', 'fields_sent', 'tags_json', 'tags_sent']

const span = (id: number, trace = TRACE) => toSpan({ trace, id, at: id, attributes: LONG_TEXT }, id)

/** Bytes of the long strings that become strings of this process while `run` runs. */
async function longBytesRead(run: () => Promise<unknown>): Promise<number> {
  let bytes = 0
  const spy = jest.spyOn(DuckDBDataChunk.prototype, 'visitColumnValues').mockImplementation(function (
    this: DuckDBDataChunk,
    column,
    visit
  ) {
    const vector = this.getColumnVector(column)
    for (let row = 0; row < vector.itemCount; row++) {
      const value: DuckDBValue = vector.getItem(row)
      if (typeof value === 'string' && value.length > 100) bytes += Buffer.byteLength(value)
      visit(value, row, column, vector.type)
    }
  })
  try {
    await run()
  } finally {
    spy.mockRestore()
  }
  return bytes
}
const idsUpTo = (count: number) => Array.from({ length: count }, (_, i) => spanIdOf(i + 1))

describe('one trace, read whole', () => {
  let tiers: Tiers
  let spanBytes: number

  async function append(ids: readonly number[], trace = TRACE): Promise<void> {
    const ingestId = newIngestId()
    const rows = await spanRows(ids.map(id => span(id, trace)))
    await tiers.append(
      'spans',
      NS,
      rows.map(row => ({ ...row, ingest_id: ingestId }))
    )
  }

  async function read(limit: number, maxBytes: number) {
    const options = { kind: 'spans', ns: NS, range: ALL_TIME, heavy: false, signal: NEVER } as const
    const { spans, hasMore } = await inSnapshot(tiers, options, scope => readTrace(scope, traceIdOf(TRACE), limit, maxBytes))
    return { ids: spans.map(({ spanId }) => spanId), hasMore }
  }

  async function readSmall(trace: number, maxBytes?: number) {
    const options = { kind: 'spans', ns: NS, range: ALL_TIME, heavy: false, signal: NEVER } as const
    const small = await inSnapshot(tiers, options, scope => readSmallTrace(scope, traceIdOf(trace), maxBytes))
    return small && { ids: small.spans.map(({ spanId }) => spanId), hasMore: small.hasMore }
  }

  beforeAll(async () => {
    tiers = await Tiers.open('mixed')
    const ids = Array.from({ length: COUNT }, (_, i) => i + 1)
    await append(ids.filter(id => id % 2 === 0))
    await append(ids.filter(id => id % 2 === 1))
    const [row] = (await spanRows([span(1)])) as readonly Readonly<Record<string, unknown>>[]
    spanBytes = LONG.map(name => Buffer.byteLength((row![name] ?? '') as string)).reduce((a, b) => a + b)
  }, 60_000)

  afterAll(() => tiers.close())

  const cuts = () => {
    it('is cut by bytes, to the byte', async () => {
      expect(spanBytes).toBeGreaterThan(1_000)
      expect(await read(100, COUNT * spanBytes)).toEqual({ ids: idsUpTo(COUNT), hasMore: false })
      expect(await read(100, COUNT * spanBytes - 1)).toEqual({ ids: idsUpTo(COUNT - 1), hasMore: true })
      expect(await read(100, 5 * spanBytes)).toEqual({ ids: idsUpTo(5), hasMore: true })
    })

    it('is cut by whichever bound comes first', async () => {
      expect(await read(20, 5 * spanBytes)).toEqual({ ids: idsUpTo(5), hasMore: true })
      expect(await read(20, 20 * spanBytes)).toEqual({ ids: idsUpTo(20), hasMore: true })
      expect(await read(COUNT, COUNT * spanBytes)).toEqual({ ids: idsUpTo(COUNT), hasMore: false })
    })

    it('takes no more into memory than the bound, though all is in one chunk', async () => {
      const whole = await longBytesRead(() => read(100, COUNT * spanBytes))
      expect(whole).toBeGreaterThan(COUNT * 1_000)
      expect(await longBytesRead(() => read(100, 5 * spanBytes))).toBeLessThanOrEqual(5 * spanBytes)
    })

    it('gives one span at least', async () => {
      expect(await read(100, 1)).toEqual({ ids: idsUpTo(1), hasMore: true })
    })
  }

  describe('of spans sent once', cuts)

  it('is small as long as its records have so many bytes, to the byte', async () => {
    expect(await readSmall(TRACE, COUNT * spanBytes)).toEqual({ ids: idsUpTo(COUNT), hasMore: false })
    expect(await readSmall(TRACE, COUNT * spanBytes - 1)).toBeNull()
  })

  it('costs nothing to refuse: of a large trace no value becomes a string', async () => {
    await append(
      Array.from({ length: SMALL_TRACE_SPANS + 1 }, (_, i) => i + 1),
      LARGE_TRACE
    )
    expect(await longBytesRead(async () => expect(await readSmall(LARGE_TRACE)).toBeNull())).toBe(0)
    expect(await longBytesRead(async () => expect(await readSmall(TRACE, 5 * spanBytes)).toBeNull())).toBe(0)
  })

  describe('of spans of which many were sent again', () => {
    beforeAll(async () => {
      for (let i = 0; i < 4; i++) await append([1, 2, 3, 30])
    })
    cuts()

    it('has each span once, though all copies fit', async () => {
      expect(await read(100, 100 * spanBytes)).toEqual({ ids: idsUpTo(COUNT), hasMore: false })
    })
  })
})
