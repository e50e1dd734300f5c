import { afterEach, beforeEach, expect, it } from '@jest/globals'
import type { AlertCondition, AlertRule } from '../../src/domain/alerts/alert-rule.js'
import { KEPT_RULE_VERSIONS } from '../../src/domain/alerts/alert-rule.js'
import { ALERT_SHARDS, shardOf } from '../../src/domain/alerts/shard.js'
import type { ControlStore } from '../../src/ports/control-store.js'
import { alertGroup, alertInstance, alertRule, alertTransition, BANK, evaluationChange, SHOP } from './alert-fixtures.js'
import type { ControlStoreFactory } from './control-fixtures.js'
import { namespace, NOW_MS } from './control-fixtures.js'

const CONDITIONS: readonly AlertCondition[] = [
  { kind: 'logs', query: 'level:error', groupBy: ['service', 'host'], agg: 'p99', field: 'took_ms', windowMs: 300_000 },
  { kind: 'traces', service: 'api', operation: null, agg: 'error_rate', windowMs: 60_000 },
  { kind: 'event', type: 'deploy', service: 'api', environment: null, windowMs: 60_000 },
  { kind: 'absence', of: { kind: 'metric', query: 'up{job="a"}' }, forMs: 600_000 }
]

/** Rules of alerts and their groups. */
export function controlAlertRulesContract(open: ControlStoreFactory): void {
  let store: ControlStore
  beforeEach(async () => {
    store = await open()
    await store.alertRules.putGroup(alertGroup('g'))
  })
  afterEach(() => store.close())

  const put = async (...rules: readonly AlertRule[]): Promise<void> => {
    for (const rule of rules) expect(await store.alertRules.putRule(rule)).toBe(true)
  }
  const ids = async (): Promise<readonly string[]> => (await store.alertRules.rules(SHOP, 100)).map(({ id }) => id)

  it('gives groups back by name, apart by namespace, up to the limit', async () => {
    const other = alertGroup('h', { name: 'a', intervalMs: 2 ** 40, limit: 7, queryOffsetMs: 15_000 })
    await store.alertRules.putGroup(other)
    await store.alertRules.putGroup(alertGroup('g', { namespaceId: BANK, name: 'a' }))
    expect(await store.alertRules.groups(SHOP, 10)).toEqual([other, alertGroup('g')])
    expect(await store.alertRules.groups(SHOP, 1)).toEqual([other])
    expect(await store.alertRules.group(BANK, 'g')).toMatchObject({ name: 'a' })
    expect(await store.alertRules.group(BANK, 'h')).toBeNull()
  })

  it('replaces a group, but not by the name of another one', async () => {
    await store.alertRules.putGroup(alertGroup('h'))
    const changed = alertGroup('g', { name: 'new', limit: 1 })
    await store.alertRules.putGroup(changed)
    expect(await store.alertRules.group(SHOP, 'g')).toEqual(changed)
    await expect(store.alertRules.putGroup(alertGroup('h', { name: 'new' }))).rejects.toMatchObject({ code: 'conflict' })
    expect(await store.alertRules.group(SHOP, 'h')).toEqual(alertGroup('h'))
  })

  it('gives rules of every kind back as they were put', async () => {
    const rules = CONDITIONS.map((condition, at) => alertRule(`r${at}`, { position: at, condition, forNOfM: [2, 3] }))
    await put(...rules)
    expect(await store.alertRules.rules(SHOP, 10)).toEqual(rules)
    expect(await store.alertRules.rule(SHOP, 'r1')).toEqual(rules[1])
    expect(await store.alertRules.rule(BANK, 'r1')).toBeNull()
    expect((await store.alertRules.withIds(SHOP, ['r0', 'r1', 'none'])).map(({ id }) => id).sort()).toEqual(['r0', 'r1'])
    expect([await store.alertRules.withIds(SHOP, []), await store.alertRules.withIds(BANK, ['r0'])]).toEqual([[], []])
    expect([await store.alertRules.countRules(SHOP), await store.alertRules.countRules(BANK)]).toEqual([CONDITIONS.length, 0])
  })

  it('lists rules by the name of their group and their position, up to the limit', async () => {
    await store.alertRules.putGroup(alertGroup('a', { name: 'zz' }))
    await put(alertRule('1', { groupId: 'a' }), alertRule('2', { position: 1 }), alertRule('3'), alertRule('4', { position: 1 }))
    expect(await ids()).toEqual(['3', '2', '4', '1'])
    expect((await store.alertRules.rules(SHOP, 2)).map(({ id }) => id)).toEqual(['3', '2'])
  })

  it('replaces only the version before, and keeps all of them', async () => {
    await put(alertRule('r'))
    const second = alertRule('r', { version: 2, name: 'Second', enabled: false, updatedAtMs: NOW_MS + 1 })
    await put(second)
    for (const version of [1, 2, 4]) expect(await store.alertRules.putRule(alertRule('r', { version }))).toBe(false)
    expect(await store.alertRules.putRule(alertRule('none', { version: 2 }))).toBe(false)
    expect(await store.alertRules.rule(SHOP, 'r')).toEqual(second)
    expect(await store.alertRules.versions(SHOP, 'r', 10)).toEqual([second, alertRule('r')])
    expect(await store.alertRules.versions(SHOP, 'r', 1)).toEqual([second])
    expect(await store.alertRules.versions(BANK, 'r', 10)).toEqual([])
  })

  it('takes one of two changes of the same version', async () => {
    await put(alertRule('r'))
    const changes = ['a', 'b', 'c', 'd'].map(name => store.alertRules.putRule(alertRule('r', { version: 2, name })))
    const taken = await Promise.all(changes)
    expect(taken.filter(Boolean)).toHaveLength(1)
    expect((await store.alertRules.versions(SHOP, 'r', 10)).map(({ version }) => version)).toEqual([2, 1])
  })

  it(`keeps ${KEPT_RULE_VERSIONS} versions`, async () => {
    for (let version = 1; version <= KEPT_RULE_VERSIONS + 1; version++) await put(alertRule('r', { version }))
    const kept = await store.alertRules.versions(SHOP, 'r', 1_000)
    expect([kept.length, kept[0]!.version, kept.at(-1)!.version]).toEqual([KEPT_RULE_VERSIONS, KEPT_RULE_VERSIONS + 1, 2])
  })

  it('lists enabled rules of a shard with their groups, of all namespaces of it', async () => {
    await store.alertRules.putGroup(alertGroup('g', { namespaceId: BANK }))
    await put(alertRule('b', { position: 1 }), alertRule('a'), alertRule('off', { enabled: false }))
    await put(alertRule('a', { namespaceId: BANK }))
    const found = new Map<string, number>()
    for (let shard = 0; shard < ALERT_SHARDS; shard++)
      for (const { group, rule } of await store.alertRules.ofShard(shard)) {
        expect(group).toEqual(alertGroup('g', { namespaceId: rule.namespaceId }))
        found.set(`${rule.namespaceId} ${rule.id}`, shard)
      }
    expect(Object.fromEntries(found)).toEqual({
      [`${SHOP} a`]: shardOf(SHOP),
      [`${SHOP} b`]: shardOf(SHOP),
      [`${BANK} a`]: shardOf(BANK)
    })
    expect((await store.alertRules.ofShard(shardOf(SHOP))).filter(({ rule }) => rule.namespaceId === SHOP)).toHaveLength(2)
  })

  it('removes a rule with its versions and state, and leaves its events', async () => {
    await put(alertRule('r'), alertRule('s'), alertRule('r', { namespaceId: BANK }))
    const [lease] = await store.alertLeases.acquire([shardOf(SHOP)], 'a', 60_000)
    const left = { changed: [alertInstance('f')], transitions: [alertTransition('f')] }
    await store.alertStates.commit(lease!, [evaluationChange('r', left), evaluationChange('s', left)])
    expect(await store.alertRules.removeRule(BANK, 's')).toBe(false)
    expect(await store.alertRules.removeRule(SHOP, 'r')).toBe(true)
    expect(await store.alertRules.removeRule(SHOP, 'r')).toBe(false)
    expect(await ids()).toEqual(['s'])
    expect(await store.alertRules.rule(BANK, 'r')).not.toBeNull()
    expect(await store.alertRules.versions(SHOP, 'r', 10)).toEqual([])
    expect([...(await store.alertStates.states(SHOP, ['r', 's'])).keys()]).toEqual(['s'])
    expect((await store.alertStates.eventsAfter(SHOP, 0, 10)).map(({ ruleId }) => ruleId)).toEqual(['r', 's'])
  })

  it('removes a group with its rules and nothing else', async () => {
    await store.alertRules.putGroup(alertGroup('h'))
    await store.alertRules.putGroup(alertGroup('g', { namespaceId: BANK }))
    await put(alertRule('r'), alertRule('s', { groupId: 'h' }), alertRule('t', { namespaceId: BANK }))
    expect(await store.alertRules.removeGroup(SHOP, 'g')).toBe(true)
    expect(await store.alertRules.removeGroup(SHOP, 'g')).toBe(false)
    expect(await ids()).toEqual(['s'])
    expect(await store.alertRules.versions(SHOP, 'r', 10)).toEqual([])
    expect(await store.alertRules.countRules(BANK)).toBe(1)
  })

  it('forgets those of a deleted namespace with their states and events, and no others', async () => {
    await store.namespaces.insert(namespace('shop'))
    await store.alertRules.putGroup(alertGroup('g', { namespaceId: BANK }))
    await put(alertRule('r'), alertRule('r', { namespaceId: BANK }))
    const left = { changed: [alertInstance('f')], transitions: [alertTransition('f')] }
    for (const ns of [SHOP, BANK]) {
      const [lease] = await store.alertLeases.acquire([shardOf(ns)], 'a', 60_000)
      expect(await store.alertStates.commit(lease!, [evaluationChange('r', { namespaceId: ns, ...left })])).toBe(true)
    }
    await store.namespaces.setState(SHOP, 'deleted', NOW_MS)
    const kept = async (ns: typeof SHOP): Promise<readonly number[]> => [
      (await store.alertRules.groups(ns, 10)).length,
      (await store.alertRules.rules(ns, 10)).length,
      (await store.alertRules.versions(ns, 'r', 10)).length,
      (await store.alertStates.states(ns, ['r'])).size,
      (await store.alertStates.load(ns, 'r')).instances.size,
      (await store.alertStates.eventsAfter(ns, 0, 10)).length
    ]
    expect(await kept(SHOP)).toEqual([0, 0, 0, 0, 0, 0])
    expect(await kept(BANK)).toEqual([1, 1, 1, 1, 1, 1])
  })
}
