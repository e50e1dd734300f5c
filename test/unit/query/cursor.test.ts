import { describe, expect, it } from '@jest/globals'
import * as fc from 'fast-check'
import { GatewayError } from '../../../src/domain/errors.js'
import { MATCH_ALL } from '../../../src/domain/filter.js'
import { type IngestId, type NamespaceId, recordId } from '../../../src/domain/ids.js'
import type { Position } from '../../../src/domain/search.js'
import { CursorCodec, type CursorScope, type CursorState } from '../../../src/query/cursor.js'
import { ListPage, type PageRequested } from '../../../src/query/list-page.js'
import { DEFAULT_QUERY_SETTINGS } from '../../../src/query/settings.js'

const SECRET = 'a secret of at least thirty-two characters'
const scope: CursorScope = { list: 'logs', namespace: 'namespace01' as NamespaceId, filter: MATCH_ALL }
const window = { startNs: 5n, endNs: 1_795_226_475_123_456_789n, unitDetected: 'relative' } as const
const INGEST = '01ARZ3NDEKTSV4RRFFQ69G5FAV' as IngestId
const position = { timestampNs: 1_795_226_475_123_456_788n, id: recordId(INGEST, 7) }
const state: CursorState = { window, order: 'desc', position }
const codec = new CursorCodec(SECRET)

function refusal(work: () => unknown): GatewayError {
  try {
    work()
  } catch (error) {
    if (error instanceof GatewayError) return error
    throw error
  }
  throw new Error('accepted')
}

describe('a cursor', () => {
  it('decodes after a restart to the same state, to the nanosecond', () => {
    const text = codec.encode(scope, state)
    expect(new CursorCodec(SECRET).decode(scope, text)).toEqual(state)
    expect(codec.decode(scope, codec.encode(scope, { ...state, position: null })).position).toBeNull()
    const back = { ...state, isBackward: true }
    expect(codec.decode(scope, codec.encode(scope, back))).toEqual(back)
  })

  it('is refused for another filter, namespace, list or secret', () => {
    const text = codec.encode(scope, state)
    const others: readonly CursorScope[] = [
      { ...scope, namespace: 'namespace02' as NamespaceId },
      { ...scope, filter: { kind: 'or', of: [] } },
      { ...scope, list: 'rum' }
    ]
    for (const other of others) expect(refusal(() => codec.decode(other, text)).field).toBe('cursor')
    expect(refusal(() => new CursorCodec(`${SECRET}!`).decode(scope, text)).code).toBe('invalid_field')
  })

  it('is refused when any character was changed, and whatever else is sent as one', () => {
    const text = codec.encode(scope, state)
    const bytes = Buffer.from(text, 'base64url')
    for (let i = 0; i < bytes.length; i++) {
      const forged = Buffer.from(bytes)
      forged[i]! ^= 1
      expect(refusal(() => codec.decode(scope, forged.toString('base64url'))).code).toBe('invalid_field')
    }
    fc.assert(
      fc.property(fc.string({ maxLength: 600 }), junk =>
        expect(refusal(() => codec.decode(scope, junk)).code).toBe('invalid_field')
      )
    )
  })
})

interface Row {
  readonly id: Position['id']
  readonly timestampNs: bigint
}

/** A store of a few rows, many with equal times. */
class FewRows {
  rows: Row[] = []

  add(timestampNs: bigint, index: number): void {
    this.rows.push({ timestampNs, id: recordId(INGEST, index) })
  }

  search({ limit, order, after }: { limit: number; order: 'asc' | 'desc'; after?: Position }) {
    const sign = order === 'asc' ? 1 : -1
    const compare = (a: Row, b: Row) =>
      sign * (a.timestampNs === b.timestampNs ? (a.id < b.id ? -1 : Number(a.id > b.id)) : a.timestampNs < b.timestampNs ? -1 : 1)
    const beyond = this.rows.filter(row => !after || compare(row, after) > 0).sort(compare)
    return { rows: beyond.slice(0, limit), hasMore: beyond.length > limit }
  }
}

function pageOf(store: FewRows, requested: PageRequested, bytes = 1) {
  const settings = { ...DEFAULT_QUERY_SETTINGS, maxPageBytes: 10 }
  const page = new ListPage({ codec, settings }, scope, requested)
  return page.paged(store.search(page.request()!), page.resumed ?? window, () => bytes)
}

describe('a list in pages', () => {
  const rows = fc.array(fc.bigInt({ min: 0n, max: 4n }), { maxLength: 20 })

  it('gives every row once, in order, forwards and backwards, equal times or not', () => {
    fc.assert(
      fc.property(
        rows,
        fc.integer({ min: 1, max: 5 }),
        fc.constantFrom<'asc' | 'desc'>('asc', 'desc'),
        fc.constantFrom<'forward' | 'backward'>('forward', 'backward'),
        (times, limit, order, direction) => {
          const store = new FewRows()
          times.forEach((time, i) => store.add(time, i))
          const whole = store.search({ limit: 100, order }).rows.map(row => row.id)
          const seen: string[] = []
          let cursor: string | undefined
          for (let turn = 0; turn < 30; turn++) {
            const page = pageOf(store, { order, limit, direction, cursor })
            const ids = page.rows.map(row => row.id)
            if (direction === 'forward') seen.push(...ids)
            else seen.unshift(...ids)
            const { nextCursor, previousCursor = null } = page.page
            const following = direction === 'forward' ? nextCursor : previousCursor
            if (following === null) break
            cursor = following
          }
          expect(seen).toEqual(whole)
        }
      )
    )
  })

  it('is read both ways from the middle by its cursors alone', () => {
    fc.assert(
      fc.property(
        fc.array(fc.bigInt({ min: 0n, max: 4n }), { minLength: 1, maxLength: 20 }),
        fc.integer({ min: 1, max: 5 }),
        fc.constantFrom<'asc' | 'desc'>('asc', 'desc'),
        fc.nat(),
        (times, limit, order, place) => {
          const store = new FewRows()
          times.forEach((time, i) => store.add(time, i))
          const whole = store.search({ limit: 100, order }).rows
          const at = place % whole.length
          const middle = new ListPage({ codec, settings: DEFAULT_QUERY_SETTINGS }, scope, { order, limit })
          const found = { rows: [whole[at]!], hasMore: at < whole.length - 1, hasMoreBefore: at > 0 }
          const { page } = middle.paged(found, window, () => 1)
          const seen = [whole[at]!.id]
          for (let cursor = page.nextCursor; cursor !== null;) {
            const next = pageOf(store, { limit, cursor })
            seen.push(...next.rows.map(row => row.id))
            expect(next.page).not.toHaveProperty('previousCursor')
            cursor = next.page.nextCursor
          }
          for (let cursor = page.previousCursor ?? null; cursor !== null;) {
            const previous = pageOf(store, { limit, cursor })
            seen.unshift(...previous.rows.map(row => row.id))
            // Forwards again, it goes on after its last row.
            expect(previous.page.hasMore).toBe(true)
            const again = pageOf(store, { limit: 1, cursor: previous.page.nextCursor! })
            expect(again.rows.map(row => row.id)).toEqual([seen[previous.rows.length]])
            cursor = previous.page.previousCursor ?? null
          }
          expect(seen).toEqual(whole.map(row => row.id))
        }
      )
    )
  })

  it('goes where the caller requests, whichever way the cursor leads', () => {
    const store = new FewRows()
    for (let i = 0; i < 3; i++) store.add(BigInt(i), i)
    const cursor = codec.encode(scope, { ...state, position: store.rows[1]!, isBackward: true })
    const times = (requested: PageRequested) => pageOf(store, requested).rows.map(row => row.timestampNs)
    expect([times({ cursor }), times({ cursor, direction: 'backward' })]).toEqual([[2n], [2n]])
    expect(times({ cursor, direction: 'forward' })).toEqual([0n])
    expect(pageOf(store, { cursor, limit: 0 }).page).toEqual({ nextCursor: null, previousCursor: null, hasMore: false, limit: 0 })
  })

  it('is not disturbed by rows that arrive between two pages', () => {
    const store = new FewRows()
    for (let i = 0; i < 6; i++) store.add(10n, i)
    const first = pageOf(store, { limit: 3 })
    store.add(11n, 6)
    store.add(10n, 7)
    const second = pageOf(store, { limit: 10, cursor: first.page.nextCursor! })
    expect([...first.rows, ...second.rows].map(row => row.id.slice(-1))).toEqual(['5', '4', '3', '2', '1', '0'])
  })
})

describe('the bounds of a page', () => {
  it('ends a page at its bytes, with a cursor, but never before the first row', () => {
    const store = new FewRows()
    for (let i = 0; i < 5; i++) store.add(BigInt(i), i)
    const page = pageOf(store, { limit: 5 }, 4)
    expect([page.rows.length, page.page.hasMore]).toEqual([2, true])
    expect(pageOf(store, { limit: 5 }, 1_000).rows).toHaveLength(1)
    expect(pageOf(store, { limit: 5, cursor: page.page.nextCursor! }, 4).rows.map(row => row.timestampNs)).toEqual([2n, 1n])
  })

  it('allow no rows, and report whether there are any', () => {
    const store = new FewRows()
    expect(pageOf(store, { limit: 0 }).page).toEqual({ hasMore: false, nextCursor: null, limit: 0 })
    store.add(1n, 0)
    expect(pageOf(store, { limit: 0 }).page).toEqual({ hasMore: true, nextCursor: null, limit: 0 })
    expect(pageOf(store, { limit: 0 }).connection).toMatchObject({ hasNextPage: true, startCursor: null, endCursor: null })
  })

  it('gives no cursor with a page of no rows behind another page, either', () => {
    const store = new FewRows()
    for (let i = 0; i < 3; i++) store.add(BigInt(i), i)
    const first = pageOf(store, { limit: 1 })
    const none = pageOf(store, { limit: 0, cursor: first.page.nextCursor! })
    expect([none.rows, none.page]).toEqual([[], { hasMore: true, nextCursor: null, limit: 0 }])
  })

  it('names the limit that a larger page would break, and keeps its order', () => {
    const store = new FewRows()
    store.add(1n, 0)
    expect(refusal(() => pageOf(store, { limit: 5_001 })).message).toMatch(/5000/)
    expect(pageOf(store, { limit: 5_000 }).rows).toHaveLength(1)
    const cursor = codec.encode(scope, state)
    expect(refusal(() => pageOf(store, { cursor, order: 'asc' })).field).toBe('order')
  })
})
