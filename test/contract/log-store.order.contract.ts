import { expect, it } from '@jest/globals'
import { allOf, type Filter, MATCH_ALL } from '../../src/domain/filter.js'
import { firstUlidAt } from '../../src/domain/ulid.js'
import { ingestIdAt } from './fresh-ids.js'
import { find, messagesOf, pageThrough, store, storeApart, toLog } from './log-fixtures.js'
import { BASE_NS, describeStores, EVERY_TIME, NEVER, newIngestId, newNamespace, type OpenStores } from './store-under-test.js'

/** Order, limits and cursors of a search. */
export function logOrderContract(name: string, open: OpenStores): void {
  describeStores(`${name}: LogStore order`, open, of => {
    it('orders by nanoseconds, which doubles cannot distinguish', async () => {
      const ns = newNamespace()
      await storeApart(
        of().logs,
        ns,
        [2, 0, 3, 1].map(at => ({ at, message: `m${at}` }))
      )
      expect((await find(of().logs, ns)).map(log => log.message)).toEqual(['m3', 'm2', 'm1', 'm0'])
      const ascending = await find(of().logs, ns, MATCH_ALL, { order: 'asc' })
      expect(ascending.map(log => log.message)).toEqual(['m0', 'm1', 'm2', 'm3'])
    })

    it('orders equal times by record id in the same direction', async () => {
      const ns = newNamespace()
      for (let batch = 0; batch < 4; batch++) {
        await store(
          of().logs,
          ns,
          [0, 1, 2].map(i => ({ at: 7, message: `${batch}.${i}` }))
        )
      }
      const ids = (await find(of().logs, ns)).map(({ id }) => id)
      expect(ids).toEqual([...ids].sort().toReversed())
      const ascending = (await find(of().logs, ns, MATCH_ALL, { order: 'asc' })).map(({ id }) => id)
      expect(ascending).toEqual([...ids].toReversed())
      expect(ascending).toHaveLength(12)
    })

    it.each(['asc', 'desc'] as const)('pages %s through equal times without loss or repetition', async order => {
      const ns = newNamespace()
      const times = [5, 5, 5, 1, 9, 5, 9, 1, 5, 5]
      for (let batch = 0; batch < 6; batch++)
        await store(
          of().logs,
          ns,
          times.map(at => ({ at: at + (batch % 2) }))
        )
      const whole = (await find(of().logs, ns, MATCH_ALL, { order })).map(({ id }) => id)
      expect(whole).toHaveLength(60)
      for (const limit of [1, 7, 59, 60, 61]) {
        expect(await pageThrough(of().logs, ns, { limit, order })).toEqual(whole)
      }
    })

    it('finds records by their arrival, whatever their event time', async () => {
      const ns = newNamespace()
      const startMs = Date.now() - 10_000
      const arrived = async (ms: number, at: number): Promise<void> => {
        await store(of().logs, ns, [{ at, message: `arrived ${ms}` }], ingestIdAt(startMs + ms))
      }
      await arrived(0, 3)
      await arrived(5, 1)
      await arrived(9, 2)
      const range = (bounds: { gte: number; lt?: number }): Filter => ({
        kind: 'range',
        field: { in: 'known', name: 'ingest_id' },
        gte: firstUlidAt(startMs + bounds.gte),
        ...(bounds.lt === undefined ? {} : { lt: firstUlidAt(startMs + bounds.lt) })
      })
      expect(await messagesOf(of().logs, ns, range({ gte: 0 }))).toHaveLength(3)
      expect(await messagesOf(of().logs, ns, range({ gte: 5 }))).toEqual(['arrived 5', 'arrived 9'])
      expect(await messagesOf(of().logs, ns, range({ gte: 0, lt: 9 }))).toEqual(['arrived 0', 'arrived 5'])
      expect(await messagesOf(of().logs, ns, range({ gte: 6, lt: 9 }))).toEqual([])
      const both = allOf([range({ gte: 5 }), { kind: 'contains', field: { in: 'known', name: 'message' }, value: 'ARRIVED 9' }])
      const found = await of().logs.search(ns, { range: EVERY_TIME, filter: both, total: true }, NEVER)
      expect(found.total).toEqual({ value: 1, relation: 'eq' })
    })

    it('keeps a cursor stable while newer rows arrive', async () => {
      const ns = newNamespace()
      await store(
        of().logs,
        ns,
        [1, 2, 3, 4].map(at => ({ at, message: `m${at}` }))
      )
      const first = await find(of().logs, ns, MATCH_ALL, { limit: 2 })
      await store(of().logs, ns, [{ at: 9, message: 'new' }])
      const after = { timestampNs: first[1]!.timestampNs, id: first[1]!.id }
      const second = await find(of().logs, ns, MATCH_ALL, { limit: 2, after })
      expect([...first, ...second].map(log => log.message)).toEqual(['m4', 'm3', 'm2', 'm1'])
    })

    it('reaches beyond 10,000 hits by cursor', async () => {
      const ns = newNamespace()
      for (let batch = 0; batch < 4; batch++) {
        const items = Array.from({ length: 2_600 }, (_, i) => toLog({ at: i % 50 }, i))
        await of().logs.append(ns, { ingestId: newIngestId(), items })
      }
      await of().logs.settle(ns)
      const ids = await pageThrough(of().logs, ns, { limit: 5_000, order: 'desc' })
      expect(ids).toHaveLength(10_400)
      expect(new Set(ids).size).toBe(10_400)
    })

    it('returns for limits 0 and 1 whether there is more', async () => {
      const ns = newNamespace()
      const send = (limit: number) =>
        of().logs.search(ns, { range: EVERY_TIME, filter: MATCH_ALL, rows: { limit, order: 'desc' } }, NEVER)
      expect(await send(0)).toMatchObject({ rows: [], hasMore: false })
      await store(of().logs, ns, [{ message: 'only' }])
      expect(await send(0)).toMatchObject({ rows: [], hasMore: true })
      expect(await send(1)).toMatchObject({ rows: [{ message: 'only' }], hasMore: false })
      await store(of().logs, ns, [{ message: 'second', at: 1 }])
      expect(await send(1)).toMatchObject({ rows: [{ message: 'second' }], hasMore: true })
      expect((await send(2)).hasMore).toBe(false)
    })

    it('takes the start of a range in and leaves its end out', async () => {
      const ns = newNamespace()
      await storeApart(
        of().logs,
        ns,
        [0, 1, 2, 3].map(at => ({ at, message: `m${at}` }))
      )
      const range = { startNs: BASE_NS + 1n, endNs: BASE_NS + 3n }
      const request = { range, filter: MATCH_ALL, rows: { limit: 10, order: 'asc' as const }, total: true }
      const found = await of().logs.search(ns, request, NEVER)
      expect(found.rows!.map(log => log.message)).toEqual(['m1', 'm2'])
      expect(found.total).toEqual({ value: 2, relation: 'eq' })
    })

    it('may end a page early when its rows are many bytes, and goes on behind it', async () => {
      const ns = newNamespace()
      await store(
        of().logs,
        ns,
        [1, 2, 3, 4, 5].map(at => ({ at, message: 'x'.repeat(10_000) }))
      )
      const rows = { limit: 5, order: 'desc' as const, maxBytes: 25_000 }
      const page = await of().logs.search(ns, { range: EVERY_TIME, filter: MATCH_ALL, rows }, NEVER)
      expect(page.rows!.length).toBeGreaterThan(0)
      expect(page.hasMore).toBe(page.rows!.length < 5)
      expect(await pageThrough(of().logs, ns, rows)).toHaveLength(5)
      expect(await pageThrough(of().logs, ns, { ...rows, maxBytes: 1 })).toHaveLength(5)
    })

    it('returns only what was requested', async () => {
      const ns = newNamespace()
      await store(of().logs, ns, [{}])
      const empty = await of().logs.search(ns, { range: EVERY_TIME, filter: MATCH_ALL }, NEVER)
      expect(empty).toEqual({ complete: true, warnings: [] })
      const total = await of().logs.search(ns, { range: EVERY_TIME, filter: MATCH_ALL, total: true }, NEVER)
      expect(total).toEqual({ total: { value: 1, relation: 'eq' }, complete: true, warnings: [] })
    })
  })
}
