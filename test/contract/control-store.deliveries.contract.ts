import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { Delivery, ListedDelivery } from '../../src/domain/alerts/delivery.js'
import { shardOf } from '../../src/domain/alerts/shard.js'
import { firstUlidAt } from '../../src/domain/ulid.js'
import type { ControlStore } from '../../src/ports/control-store.js'
import { BANK, SHOP } from './alert-fixtures.js'
import type { ControlStoreFactory } from './control-fixtures.js'
import { NOW_MS } from './control-fixtures.js'
import { channel, delivery } from './notification-fixtures.js'

const SHARDS = [shardOf(SHOP), shardOf(BANK)]
const LIMITS = { perChannel: 10, total: 100 }
const FAILED_ONCE = [{ atMs: NOW_MS, status: 500, reason: 'status 500', tookMs: 1.5 }]

function listed({ body: _body, ...rest }: Delivery): ListedDelivery {
  return rest
}

function ids(deliveries: readonly ListedDelivery[]): readonly string[] {
  return deliveries.map(({ id }) => id)
}

/** Messages to channels. */
export function controlDeliveriesContract(open: ControlStoreFactory): void {
  let store: ControlStore
  beforeEach(async () => {
    store = await open()
  })
  afterEach(() => store.close())

  const state = async (id: string) => (await store.deliveries.byId(SHOP, id))?.state

  describe('deliveries', () => {
    it('come back as they were inserted, apart by namespace, latest first', async () => {
      const all = [
        delivery('1', { groupKey: 'a', attempts: FAILED_ONCE, tries: 1 }),
        delivery('2', { groupKey: null, type: 'webhook.test' }),
        delivery('3', { groupKey: 'a', channelId: 'd' }),
        delivery('1', { namespaceId: BANK })
      ]
      await store.deliveries.insert(all)
      expect(await store.deliveries.list(SHOP, { channelId: 'c', limit: 10 })).toEqual([all[1]!, all[0]!].map(listed))
      expect(ids(await store.deliveries.list(SHOP, { channelId: 'c', before: '2', limit: 10 }))).toEqual(['1'])
      expect(ids(await store.deliveries.list(SHOP, { channelId: 'c', limit: 1 }))).toEqual(['2'])
      expect(await store.deliveries.byId(BANK, '1')).toEqual(all[3])
      expect(await store.deliveries.byId(BANK, '2')).toBeNull()
    })

    it('take the place of waiting ones of their group and channel alone', async () => {
      await store.deliveries.insert([
        delivery('1', { groupKey: 'a' }),
        delivery('2', { groupKey: 'b' }),
        delivery('3', { groupKey: 'a', channelId: 'd' }),
        delivery('4', { groupKey: null })
      ])
      await store.deliveries.insert([delivery('5', { groupKey: 'a' }), delivery('6', { groupKey: null })])
      expect(await Promise.all(['1', '2', '3', '4', '5'].map(state))).toEqual([
        'replaced',
        'waiting',
        'waiting',
        'waiting',
        'waiting'
      ])
      const waiting = await store.deliveries.waiting(SHOP)
      expect(new Set(waiting.map(({ groupKey, channelId }) => `${groupKey} ${channelId}`))).toEqual(
        new Set(['a c', 'b c', 'a d'])
      )
    })

    it('of one insertion do not take the place of each other: they are parts of one message', async () => {
      await store.deliveries.insert([delivery('1'), delivery('2')])
      expect(await Promise.all(['1', '2'].map(state))).toEqual(['waiting', 'waiting'])
      await store.deliveries.insert([delivery('3'), delivery('4')])
      expect(await Promise.all(['1', '2', '3', '4'].map(state))).toEqual(['replaced', 'replaced', 'waiting', 'waiting'])
    })

    it('count as tests of their channel, and as newer messages of their group', async () => {
      const at = (ms: number, changes: Partial<Delivery>): Delivery => {
        const createdAtMs = NOW_MS + ms
        return delivery(`${firstUlidAt(createdAtMs)}${changes.groupKey ?? ms}`, { createdAtMs, ...changes })
      }
      const test = (ms: number, changes: Partial<Delivery> = {}): Delivery =>
        at(ms, { groupKey: null, type: 'webhook.test', ...changes })
      const [old, part, other] = [at(1, { groupKey: 'a' }), at(1, { groupKey: 'a', id: 'A' }), at(9, { groupKey: 'b' })]
      await store.deliveries.insert([test(0), test(5), test(7), test(8, { channelId: 'd' }), test(9, { namespaceId: BANK })])
      await store.deliveries.insert([old, part, other])
      expect(await store.deliveries.countTests(SHOP, 'c', NOW_MS)).toEqual({ count: 2, firstAtMs: NOW_MS + 5 })
      expect(await store.deliveries.countTests(SHOP, 'c', NOW_MS - 1)).toEqual({ count: 3, firstAtMs: NOW_MS })
      expect(await store.deliveries.countTests(SHOP, 'c', NOW_MS + 7)).toEqual({ count: 0, firstAtMs: null })
      expect(await store.deliveries.hasNewer(old)).toBe(false)
      await store.deliveries.insert([at(2, { groupKey: 'a', channelId: 'd' }), at(2, { groupKey: 'a', namespaceId: BANK })])
      expect(await Promise.all([old, part].map(one => store.deliveries.hasNewer(one)))).toEqual([false, false])
      await store.deliveries.insert([at(3, { groupKey: 'a' })])
      expect(await Promise.all([old, part, other].map(one => store.deliveries.hasNewer(one)))).toEqual([true, true, false])
      expect(await store.deliveries.hasNewer(test(0))).toBe(false)
    })

    it('are due by time, of a channel so many at most, in the requested shards', async () => {
      const at = (id: string, ms: number, changes: Partial<Delivery> = {}) =>
        delivery(id, { groupKey: id, nextAttemptMs: NOW_MS + ms, ...changes })
      await store.deliveries.insert([at('1', 3), at('2', 1), at('3', 2), at('4', 2, { channelId: 'd' }), at('5', 4)])
      await store.deliveries.insert([at('6', 0, { namespaceId: BANK })])
      expect(ids(await store.deliveries.due(SHARDS, NOW_MS + 3, { perChannel: 2, total: 100 }))).toEqual(['6', '2', '3', '4'])
      expect(ids(await store.deliveries.due(SHARDS, NOW_MS + 3, { perChannel: 10, total: 3 }))).toEqual(['6', '2', '3'])
      expect(await store.deliveries.due([], NOW_MS + 3, LIMITS)).toEqual([])
      expect(ids(await store.deliveries.due([shardOf(BANK)], NOW_MS + 3, LIMITS))).toContain('6')
      expect(await store.deliveries.nextDueMs(SHARDS, NOW_MS - 1)).toBe(NOW_MS)
      expect(await store.deliveries.nextDueMs(SHARDS, NOW_MS)).toBe(NOW_MS + 1)
      expect(await store.deliveries.nextDueMs(SHARDS, NOW_MS + 4)).toBeNull()
      expect(await store.deliveries.nextDueMs([], 0)).toBeNull()
    })

    it('keep the outcome of an attempt', async () => {
      await store.deliveries.insert([delivery('1')])
      await store.deliveries.record(SHOP, '1', { state: 'waiting', attempts: FAILED_ONCE, tries: 1, nextAttemptMs: NOW_MS + 5 })
      expect(await store.deliveries.byId(SHOP, '1')).toMatchObject({ attempts: FAILED_ONCE, tries: 1, nextAttemptMs: NOW_MS + 5 })
      expect(await store.deliveries.due(SHARDS, NOW_MS + 4, LIMITS)).toEqual([])
      await store.deliveries.record(SHOP, '1', { state: 'failed', attempts: FAILED_ONCE, tries: 2, nextAttemptMs: null })
      expect(await state('1')).toBe('failed')
      expect(await store.deliveries.nextDueMs(SHARDS, 0)).toBeNull()
    })

    it('stay replaced after a failed attempt, and are delivered after a success', async () => {
      for (const id of ['1', '2', '3']) await store.deliveries.insert([delivery(id)])
      await store.deliveries.record(SHOP, '1', { state: 'waiting', attempts: FAILED_ONCE, tries: 1, nextAttemptMs: NOW_MS })
      await store.deliveries.record(SHOP, '2', { state: 'delivered', attempts: [], tries: 1, nextAttemptMs: null })
      expect(await Promise.all(['1', '2', '3'].map(state))).toEqual(['replaced', 'delivered', 'waiting'])
      expect(ids(await store.deliveries.due(SHARDS, NOW_MS, LIMITS))).toEqual(['3'])
      expect((await store.deliveries.byId(SHOP, '1'))?.attempts).toEqual(FAILED_ONCE)
    })

    it('are given up with their channel, and tried again from the start on request', async () => {
      await store.deliveries.insert([delivery('1', { tries: 9 }), delivery('2', { channelId: 'd' })])
      await store.deliveries.giveUp(SHOP, 'c')
      expect(await Promise.all(['1', '2'].map(state))).toEqual(['failed', 'waiting'])
      await store.deliveries.retry(SHOP, '1', NOW_MS + 7)
      expect(await store.deliveries.byId(SHOP, '1')).toMatchObject({
        state: 'waiting',
        tries: 0,
        nextAttemptMs: NOW_MS + 7,
        triedSinceMs: NOW_MS + 7
      })
      await store.deliveries.record(SHOP, '1', { state: 'delivered', attempts: [], tries: 1, nextAttemptMs: null })
      await store.deliveries.retry(SHOP, '1', NOW_MS + 8)
      expect(await state('1')).toBe('delivered')
    })

    it('are deleted when they are old or too many, but never while they wait', async () => {
      const ended = (id: string, createdAtMs: number): Delivery =>
        delivery(id, { groupKey: id, createdAtMs, state: 'delivered', nextAttemptMs: null })
      await store.deliveries.insert([ended('1', NOW_MS - 2), ended('3', NOW_MS), ended('4', NOW_MS), ended('5', NOW_MS)])
      await store.deliveries.insert([delivery('2', { groupKey: '2', createdAtMs: NOW_MS - 2 })])
      await store.deliveries.deleteOld(NOW_MS, 2)
      expect(ids(await store.deliveries.list(SHOP, { channelId: 'c', limit: 10 }))).toEqual(['5', '4', '2'])
    })

    it('beyond the limit of a channel are deleted at once, however many there are', async () => {
      const many = Array.from({ length: 2_100 }, (_, i) =>
        delivery(String(i).padStart(4, '0'), { groupKey: null, state: 'failed', nextAttemptMs: null })
      )
      await store.deliveries.insert([
        ...many,
        delivery('0', { groupKey: null, channelId: 'd', state: 'failed', nextAttemptMs: null })
      ])
      await store.deliveries.deleteOld(NOW_MS, 20)
      const left = await store.deliveries.list(SHOP, { channelId: 'c', limit: 100 })
      expect([left.length, left.at(-1)?.id]).toEqual([20, '2080'])
      expect(await store.deliveries.list(SHOP, { channelId: 'd', limit: 100 })).toHaveLength(1)
    })

    it('end with their channel', async () => {
      await store.notificationChannels.put(channel('c'))
      await store.deliveries.insert([delivery('1'), delivery('2', { channelId: 'd' })])
      await store.notificationChannels.remove(SHOP, 'c')
      expect(await Promise.all(['1', '2'].map(state))).toEqual([undefined, 'waiting'])
    })
  })
}
