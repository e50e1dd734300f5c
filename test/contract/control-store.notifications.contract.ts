import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { NotificationGroup } from '../../src/domain/alerts/notification-group.js'
import { shardOf } from '../../src/domain/alerts/shard.js'
import type { ControlStore } from '../../src/ports/control-store.js'
import { alertGroup, alertRule, alertTransition, BANK, evaluationChange, SHOP } from './alert-fixtures.js'
import type { ControlStoreFactory } from './control-fixtures.js'
import { namespace, NOW_MS, userId } from './control-fixtures.js'
import { channel, delivery, notificationGroup, notifiedAlert, silence } from './notification-fixtures.js'

const SHARDS = [shardOf(SHOP), shardOf(BANK)]

/** Channels, routing, silences, mute times and groups of alerts. */
export function controlNotificationsContract(open: ControlStoreFactory): void {
  let store: ControlStore
  beforeEach(async () => {
    store = await open()
  })
  afterEach(() => store.close())

  describe('channels', () => {
    it('come back as they were put, apart by namespace, by name', async () => {
      const full = channel('b', {
        name: 'a',
        kind: 'slack',
        format: 'alertmanager',
        signature: 'v1a',
        events: [],
        isEnabled: false,
        previousSecret: 'sealed',
        previousUntilMs: NOW_MS + 1,
        disabledReason: 'status 410',
        failingSinceMs: NOW_MS,
        lastDeliveryAtMs: NOW_MS,
        lastError: 'status 500'
      })
      const all = [channel('a', { name: 'b' }), full, channel('a', { namespaceId: BANK })]
      for (const one of all) await store.notificationChannels.put(one)
      expect(await store.notificationChannels.all(SHOP)).toEqual([full, all[0]])
      expect(await store.notificationChannels.byId(BANK, 'a')).toEqual(all[2])
      expect(await store.notificationChannels.byId(BANK, 'b')).toBeNull()
      expect(await store.notificationChannels.everywhere()).toHaveLength(3)
    })

    it('are replaced by id, and refuse the name of another one of the namespace', async () => {
      await store.notificationChannels.put(channel('a'))
      const changed = channel('a', { name: 'other', lastError: 'status 500' })
      await store.notificationChannels.put(changed)
      expect(await store.notificationChannels.byId(SHOP, 'a')).toEqual(changed)
      await expect(store.notificationChannels.put(channel('b', { name: 'other' }))).rejects.toMatchObject({ code: 'name_taken' })
      await store.notificationChannels.put(channel('b', { name: 'other', namespaceId: BANK }))
    })

    it('are removed once, and only in their namespace', async () => {
      await store.notificationChannels.put(channel('a'))
      expect(await store.notificationChannels.remove(BANK, 'a')).toBe(false)
      expect(await store.notificationChannels.remove(SHOP, 'a')).toBe(true)
      expect(await store.notificationChannels.remove(SHOP, 'a')).toBe(false)
    })
  })

  describe('routing', () => {
    const document = (version: number, text = '{}') => ({
      namespaceId: SHOP,
      version,
      document: text,
      updatedBy: userId('ada'),
      updatedAtMs: NOW_MS
    })

    it('takes the next version alone', async () => {
      expect(await store.notificationRules.routing(SHOP)).toBeNull()
      expect(await store.notificationRules.putRouting(document(2))).toBe(false)
      expect(await store.notificationRules.putRouting(document(1))).toBe(true)
      expect(await store.notificationRules.putRouting(document(1, '{"route":{}}'))).toBe(false)
      expect(await store.notificationRules.putRouting(document(3))).toBe(false)
      expect(await store.notificationRules.putRouting(document(2, '{"route":{}}'))).toBe(true)
      expect(await store.notificationRules.routing(SHOP)).toEqual(document(2, '{"route":{}}'))
      expect(await store.notificationRules.routing(BANK)).toBeNull()
    })
  })

  describe('silences', () => {
    it('are listed by their end, up to the limit', async () => {
      const all = [3, 1, 2].map(end => silence(`s${end}`, { endsAtMs: NOW_MS + end }))
      for (const one of [...all, silence('s4', { namespaceId: BANK })]) await store.notificationRules.putSilence(one)
      const ids = (silences: readonly { id: string }[]): string[] => silences.map(({ id }) => id)
      expect(ids(await store.notificationRules.silences(SHOP, 2))).toEqual(['s3', 's2'])
      expect(ids(await store.notificationRules.silencesAfter(SHOP, NOW_MS + 1, 10))).toEqual(['s2', 's3'])
      expect(ids(await store.notificationRules.silencesAfter(SHOP, NOW_MS, 1))).toEqual(['s1'])
      expect(await store.notificationRules.silence(SHOP, 's1')).toEqual(all[1])
      expect(await store.notificationRules.silence(BANK, 's1')).toBeNull()
    })

    it('are replaced by id, and deleted after their end', async () => {
      await store.notificationRules.putSilence(silence('s'))
      await store.notificationRules.putSilence(silence('s', { endsAtMs: NOW_MS, comment: 'over' }))
      expect(await store.notificationRules.silences(SHOP, 10)).toEqual([silence('s', { endsAtMs: NOW_MS, comment: 'over' })])
      await store.notificationRules.deleteSilencesBefore(NOW_MS)
      expect(await store.notificationRules.silences(SHOP, 10)).toHaveLength(1)
      await store.notificationRules.deleteSilencesBefore(NOW_MS + 1)
      expect(await store.notificationRules.silences(SHOP, 10)).toEqual([])
    })
  })

  describe('mute times', () => {
    it('are kept by name and removed once', async () => {
      const muted = (name: string, intervals = '[]') => ({ namespaceId: SHOP, name, intervals })
      for (const name of ['weekend', 'nights']) await store.notificationRules.putMuteTime(muted(name))
      await store.notificationRules.putMuteTime(muted('nights', '[{"times":[]}]'))
      expect(await store.notificationRules.muteTimes(SHOP)).toEqual([muted('nights', '[{"times":[]}]'), muted('weekend')])
      expect(await store.notificationRules.muteTimes(BANK)).toEqual([])
      expect(await store.notificationRules.removeMuteTime(BANK, 'nights')).toBe(false)
      expect(await store.notificationRules.removeMuteTime(SHOP, 'nights')).toBe(true)
      expect(await store.notificationRules.removeMuteTime(SHOP, 'nights')).toBe(false)
    })
  })

  describe('groups', () => {
    it('come back as they were put, with every value of a double', async () => {
      const resolved = notifiedAlert('b', { endsAtMs: NOW_MS + 1, value: Number.NaN, isLate: true })
      const sent = { atMs: NOW_MS, owed: new Map([['rule/a', 'nodata' as const]]), resolved: [resolved], done: ['rule/b'] }
      const full = notificationGroup(`{}:{x="${'long '.repeat(4_000)}"}`, {
        routeKey: null,
        alerts: new Map([
          ['rule/a', notifiedAlert('a', { value: Number.NEGATIVE_INFINITY })],
          ['rule/b', resolved]
        ]),
        sent: new Map([['c', sent]]),
        nextFlushMs: null,
        flushes: 7,
        isAcked: true
      })
      await store.notificationGroups.put(SHOP, [full, notificationGroup('{}:{}')])
      expect(await store.notificationGroups.byKey(SHOP, full.key)).toEqual(full)
      expect(await store.notificationGroups.byKey(BANK, full.key)).toBeNull()
      const quoting = notificationGroup('{}:{x="\\"isAcked\\":true"}', { labels: [{ name: 'x', value: '"isAcked":true' }] })
      await store.notificationGroups.put(SHOP, [quoting])
      expect([await store.notificationGroups.acked(SHOP), await store.notificationGroups.acked(BANK)]).toEqual([[full.key], []])
      await store.notificationGroups.remove(SHOP, [quoting.key])
      await store.notificationGroups.put(SHOP, [notificationGroup('{}:{}', { flushes: 2 })])
      const all = await store.notificationGroups.all(SHOP)
      expect(new Map(all.map(group => [group.key, group.flushes]))).toEqual(
        new Map([
          [full.key, 7],
          ['{}:{}', 2]
        ])
      )
      await store.notificationGroups.remove(SHOP, [full.key, 'unknown'])
      expect(await store.notificationGroups.all(SHOP)).toHaveLength(1)
    })

    it('are read by key, by their next flush, and after they left the routing', async () => {
      const keys = Array.from({ length: 450 }, (_, i) => `{}:{n="${i}"}`)
      const groups = keys.map((key, i) =>
        notificationGroup(key, { nextFlushMs: i % 3 === 0 ? null : NOW_MS + i, routeKey: i < 2 ? null : '{}' })
      )
      await store.notificationGroups.put(SHOP, groups)
      await store.notificationGroups.put(BANK, [notificationGroup('bank', { routeKey: null, nextFlushMs: NOW_MS })])
      const own = store.notificationGroups
      const keysOf = (some: readonly NotificationGroup[]): readonly string[] => some.map(({ key }) => key)
      expect(await own.count(SHOP)).toBe(450)
      expect(new Set(keysOf(await own.all(SHOP)))).toEqual(new Set(keys))
      expect(new Set(keysOf(await own.byKeys(SHOP, [...keys, 'unknown', 'bank'])))).toEqual(new Set(keys))
      expect(await own.byKeys(SHOP, [])).toEqual([])
      expect(new Set(keysOf(await own.retired(SHOP)))).toEqual(new Set(keys.slice(0, 2)))
      expect(keysOf(await own.due(SHOP, NOW_MS + 5, 10))).toEqual([1, 2, 4, 5].map(i => keys[i]))
      expect(keysOf(await own.due(SHOP, NOW_MS + 5, 3))).toEqual([1, 2, 4].map(i => keys[i]))
      await own.put(SHOP, [{ ...groups[2]!, routeKey: null }])
      expect(new Set(keysOf(await own.retired(SHOP)))).toEqual(new Set(keys.slice(0, 3)))
    })

    it('end without a next flush, unless a delivery of theirs waits', async () => {
      const group = (key: string, nextFlushMs: number | null = null) => notificationGroup(key, { nextFlushMs })
      await store.notificationGroups.put(SHOP, [group('due', NOW_MS), group('waiting'), group('delivered'), group('over')])
      await store.notificationGroups.put(BANK, [group('over')])
      const ended = { state: 'delivered', nextAttemptMs: null } as const
      await store.deliveries.insert([
        delivery('1', { groupKey: 'waiting' }),
        delivery('2', { groupKey: 'delivered', ...ended }),
        delivery('3', { groupKey: 'over', namespaceId: BANK })
      ])
      await store.notificationGroups.removeEnded(SHOP)
      expect(new Set((await store.notificationGroups.all(SHOP)).map(({ key }) => key))).toEqual(new Set(['due', 'waiting']))
      expect(await store.notificationGroups.count(BANK)).toBe(1)
      expect(await store.notificationGroups.count(SHOP)).toBe(2)
    })

    it('have a cursor from the start', async () => {
      expect(await store.notificationGroups.cursor(SHOP)).toEqual({ seq: 0, routingVersion: 0 })
      await store.notificationGroups.setCursor(SHOP, { seq: 5, routingVersion: 1 })
      await store.notificationGroups.setCursor(SHOP, { seq: 2 ** 40, routingVersion: 2 })
      expect(await store.notificationGroups.cursor(SHOP)).toEqual({ seq: 2 ** 40, routingVersion: 2 })
      expect(await store.notificationGroups.cursor(BANK)).toEqual({ seq: 0, routingVersion: 0 })
    })

    it('have work when a flush is due, or when events were committed after the cursor', async () => {
      const withWork = (nowMs: number, shards = SHARDS) => store.notificationGroups.withWork(shards, nowMs)
      expect(await withWork(NOW_MS)).toEqual([])
      await store.notificationGroups.put(SHOP, [notificationGroup('a', { nextFlushMs: NOW_MS })])
      await store.notificationGroups.put(BANK, [notificationGroup('a', { nextFlushMs: null })])
      expect(await withWork(NOW_MS - 1)).toEqual([])
      expect(await withWork(NOW_MS)).toEqual([SHOP])
      expect(await withWork(NOW_MS, [])).toEqual([])
      await store.notificationGroups.remove(SHOP, ['a'])
      const [lease] = await store.alertLeases.acquire([shardOf(BANK)], 'g', 15_000)
      await store.alertRules.putGroup(alertGroup('g', { namespaceId: BANK }))
      await store.alertRules.putRule(alertRule('r', { namespaceId: BANK }))
      const change = evaluationChange('r', { namespaceId: BANK, transitions: [alertTransition('a'), alertTransition('b')] })
      expect(await store.alertStates.commit(lease!, [change])).toBe(true)
      expect(await withWork(NOW_MS)).toEqual([BANK])
      await store.notificationGroups.setCursor(BANK, { seq: 1, routingVersion: 0 })
      expect(await withWork(NOW_MS)).toEqual([BANK])
      await store.notificationGroups.setCursor(BANK, { seq: 2, routingVersion: 0 })
      expect(await withWork(NOW_MS)).toEqual([])
    })
  })

  it('end with their namespace, and no others', async () => {
    await store.namespaces.insert(namespace('shop'))
    for (const ns of [SHOP, BANK]) {
      await store.notificationChannels.put(channel('a', { namespaceId: ns }))
      await store.notificationRules.putSilence(silence('s', { namespaceId: ns }))
      await store.notificationRules.putMuteTime({ namespaceId: ns, name: 'nights', intervals: '[]' })
      await store.notificationGroups.put(ns, [notificationGroup('a')])
      await store.notificationGroups.setCursor(ns, { seq: 3, routingVersion: 1 })
    }
    await store.namespaces.setState(SHOP, 'deleted', NOW_MS)
    const left = async (ns: typeof SHOP): Promise<readonly number[]> => [
      (await store.notificationChannels.all(ns)).length,
      (await store.notificationRules.silences(ns, 10)).length,
      (await store.notificationRules.muteTimes(ns)).length,
      (await store.notificationGroups.all(ns)).length,
      (await store.notificationGroups.cursor(ns)).seq
    ]
    expect(await left(SHOP)).toEqual([0, 0, 0, 0, 0])
    expect(await left(BANK)).toEqual([1, 1, 1, 1, 3])
  })
}
