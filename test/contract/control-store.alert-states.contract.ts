import { afterEach, beforeEach, expect, it } from '@jest/globals'
import type { AlertEvent } from '../../src/domain/alerts/alert-state.js'
import { FIRST_RULE_STATE } from '../../src/domain/alerts/alert-state.js'
import { shardOf } from '../../src/domain/alerts/shard.js'
import type { AlertEventRequest, AlertInstanceRequest, ShardLease } from '../../src/ports/alert-states.js'
import type { ControlStore } from '../../src/ports/control-store.js'
import { alertGroup, alertInstance, alertRule, alertTransition, BANK, evaluationChange, SHOP } from './alert-fixtures.js'
import type { ControlStoreFactory } from './control-fixtures.js'
import { NOW_MS } from './control-fixtures.js'

const MINUTE_MS = 60_000
const HERE = 'here'
const THERE = 'there'

/** Leases of shards by the clock of the database. */
export function controlAlertLeasesContract(open: ControlStoreFactory): void {
  let store: ControlStore
  beforeEach(async () => {
    store = await open()
  })
  afterEach(() => store.close())

  const acquire = async (holder: string, ttlMs = MINUTE_MS, shard = 3): Promise<ShardLease | null> =>
    (await store.alertLeases.acquire([shard], holder, ttlMs))[0] ?? null

  it('gives a shard to one holder, who renews it with the same token', async () => {
    const first = (await acquire(HERE, MINUTE_MS))!
    expect(first).toMatchObject({ shard: 3, holder: HERE, token: 1 })
    expect(await acquire(THERE)).toBeNull()
    const renewed = (await acquire(HERE, 2 * MINUTE_MS))!
    expect([renewed.token, renewed.expiresAtMs > first.expiresAtMs]).toEqual([1, true])
    expect((await acquire(THERE, MINUTE_MS, 4))!.token).toBe(1)
  })

  it('ends by the clock of the database', async () => {
    const before = Date.now()
    const lease = (await acquire(HERE, MINUTE_MS))!
    // Tests and their database server share a machine.
    expect(Math.abs(lease.expiresAtMs - before - MINUTE_MS)).toBeLessThan(30_000)
    expect(Number.isSafeInteger(lease.expiresAtMs)).toBe(true)
  })

  it('gives an expired lease to the next holder with the next token, also to the same one', async () => {
    await acquire(HERE, 0)
    expect((await acquire(THERE, 0))!.token).toBe(2)
    expect((await acquire(THERE, 0))!.token).toBe(3)
    expect((await acquire(HERE))!.token).toBe(4)
    expect(await acquire(THERE)).toBeNull()
  })

  it('ends a lease at once when it is released, but not by an earlier token', async () => {
    const old = (await acquire(HERE, 0))!
    const present = (await acquire(HERE))!
    await store.alertLeases.release(old)
    expect(await acquire(THERE)).toBeNull()
    await store.alertLeases.release(present)
    expect((await acquire(THERE))!.token).toBe(3)
  })

  it('gives those of many shards that are free, renews those of the holder and leaves out the others', async () => {
    await acquire(THERE, MINUTE_MS, 1)
    await acquire(HERE, MINUTE_MS, 2)
    await acquire(THERE, 0, 4)
    const leases = await store.alertLeases.acquire([4, 3, 2, 1], HERE, MINUTE_MS)
    expect(leases.map(({ shard, token }) => [shard, token] as const).toSorted(([a], [b]) => a - b)).toEqual([
      [2, 1],
      [3, 1],
      [4, 2]
    ])
    expect(await store.alertLeases.acquire([], HERE, MINUTE_MS)).toEqual([])
  })

  it('gives a shard to one of many that try at once', async () => {
    const leases = await Promise.all(Array.from({ length: 8 }, (_, at) => acquire(`holder-${at}`)))
    expect(leases.filter(lease => lease !== null)).toHaveLength(1)
  })

  it('locks the present lease, and no other', async () => {
    const old = (await acquire(HERE, 0))!
    const lock = (lease: ShardLease): Promise<boolean> => store.transaction(ports => ports.alertLeases.lock(lease))
    // It has expired, but no other holder has taken it.
    expect(await lock(old)).toBe(true)
    const present = (await acquire(THERE))!
    expect([await lock(old), await lock(present), await lock({ ...present, shard: 5 })]).toEqual([false, true, false])
  })

  it('knows the present lease from earlier ones, also when it has expired', async () => {
    const old = (await acquire(HERE, 0))!
    expect(await store.alertLeases.isPresent(old)).toBe(true)
    const present = (await acquire(THERE))!
    const leases = [old, { ...present, shard: 5 }, { ...present, holder: HERE }, present]
    expect(await Promise.all(leases.map(lease => store.alertLeases.isPresent(lease)))).toEqual([false, false, false, true])
  })
}

/** States of rules and their events. */
export function controlAlertStatesContract(open: ControlStoreFactory): void {
  let store: ControlStore
  let lease: ShardLease
  beforeEach(async () => {
    store = await open()
    await store.alertRules.putGroup(alertGroup('g'))
    for (const id of ['r', 's']) await store.alertRules.putRule(alertRule(id))
    lease = (await take(HERE))!
  })
  afterEach(() => store.close())

  const take = async (holder: string, ttlMs = MINUTE_MS, ns = SHOP): Promise<ShardLease | undefined> =>
    (await store.alertLeases.acquire([shardOf(ns)], holder, ttlMs))[0]
  const events = async (request: Partial<AlertEventRequest> = {}): Promise<readonly number[]> => {
    const range = { fromMs: 0, toMs: 2 ** 45, limit: 100 }
    return (await store.alertStates.events(SHOP, { ...range, ...request })).map(({ seq }) => seq)
  }

  it('begins with the first state', async () => {
    expect(await store.alertStates.load(SHOP, 'r')).toEqual(FIRST_RULE_STATE)
    expect(await store.alertStates.states(SHOP, ['r', 's', 'none'])).toEqual(new Map())
    expect(await store.alertStates.states(SHOP, [])).toEqual(new Map())
  })

  it('gives back the state that an evaluation left, and what it changed', async () => {
    const values = [0.1 + 0.2, Number.NaN, Number.POSITIVE_INFINITY, -0, null]
    const instances = values.map((value, at) => alertInstance(`f${at}`, { value, seen: 2 ** 32 - 1 }))
    const others = { firedAtMs: null, keepSinceMs: NOW_MS + 1, resolvedAtMs: NOW_MS + 2, state: 'resolved' } as const
    const all = [...instances, alertInstance('g', others)]
    const transitions = [alertTransition('f1', { value: Number.NaN }), alertTransition('g', { from: 'firing', to: 'resolved' })]
    const change = evaluationChange('r', { changed: all, transitions, error: 'took 11 s', errorsInRow: 3, isLate: true })
    expect(await store.alertStates.commit(lease, [change, evaluationChange('s')])).toBe(true)
    const state = await store.alertStates.load(SHOP, 'r')
    expect(state).toMatchObject({ lastEvalMs: NOW_MS, error: 'took 11 s', errorsInRow: 3 })
    expect([...state.instances.values()]).toEqual(all)
    expect((await store.alertStates.load(SHOP, 's')).instances.size).toBe(0)
    const common = { namespaceId: SHOP, ruleId: 'r', ruleVersion: 1, isLate: true }
    const stored: readonly AlertEvent[] = transitions.map((one, at) => ({ ...one, ...common, seq: at + 1 }))
    expect(await store.alertStates.eventsAfter(SHOP, 0, 10)).toEqual(stored)
  })

  it('replaces instances and removes those that ended, of their rule alone', async () => {
    const both = { changed: [alertInstance('a'), alertInstance('b')] }
    await store.alertStates.commit(lease, [evaluationChange('r', both), evaluationChange('s', both)])
    const next = { lastEvalMs: NOW_MS + 1, changed: [alertInstance('a', { state: 'resolved', value: 9 })], removed: ['b'] }
    await store.alertStates.commit(lease, [evaluationChange('r', next)])
    const left = await store.alertStates.states(SHOP, ['r', 's'])
    expect([...left.get('r')!.instances.values()]).toEqual(next.changed)
    expect(left.get('r')!.lastEvalMs).toBe(NOW_MS + 1)
    expect([...left.get('s')!.instances.keys()]).toEqual(['a', 'b'])
  })

  it('writes nothing for a lease that another holder has taken since', async () => {
    const old = (await take(HERE, 0))!
    const present = (await take(THERE))!
    const change = { changed: [alertInstance('a')], transitions: [alertTransition('a')] }
    expect(await store.alertStates.commit(old, [evaluationChange('r', change)])).toBe(false)
    expect(await store.alertStates.commit({ ...present, holder: HERE }, [evaluationChange('r', change)])).toBe(false)
    expect(await store.alertStates.load(SHOP, 'r')).toEqual(FIRST_RULE_STATE)
    expect(await events()).toEqual([])
    expect(await store.alertStates.commit(present, [evaluationChange('r', change)])).toBe(true)
    expect(await events()).toEqual([1])
  })

  it('leaves out changes of rules that were replaced, removed or never there, and takes the others', async () => {
    await store.alertRules.putRule(alertRule('r', { version: 2 }))
    const change = { changed: [alertInstance('a')], transitions: [alertTransition('a')] }
    const all = ['r', 's', 'none'].map(id => evaluationChange(id, change))
    expect(await store.alertStates.commit(lease, all)).toBe(true)
    expect([...(await store.alertStates.states(SHOP, ['r', 's', 'none'])).keys()]).toEqual(['s'])
    expect((await store.alertStates.eventsAfter(SHOP, 0, 10)).map(({ ruleId }) => ruleId)).toEqual(['s'])
    await store.alertStates.commit(lease, [evaluationChange('r', { ruleVersion: 2 })])
    expect((await store.alertStates.load(SHOP, 'r')).lastEvalMs).toBe(NOW_MS)
  })

  it('commits all or nothing', async () => {
    const broken = evaluationChange('s', { changed: [{ ...alertInstance('b'), state: null as never }] })
    const whole = evaluationChange('r', { changed: [alertInstance('a')], transitions: [alertTransition('a')] })
    await expect(store.alertStates.commit(lease, [whole, broken])).rejects.toThrow()
    expect(await store.alertStates.states(SHOP, ['r', 's'])).toEqual(new Map())
    expect(await events()).toEqual([])
  })

  it('rolls back when its last call throws, and calls nothing for a lease that is not the present one', async () => {
    const change = evaluationChange('r', { changed: [alertInstance('a')], transitions: [alertTransition('a')] })
    const fail = (): never => {
      throw new Error('at the end')
    }
    await expect(store.alertStates.commit(lease, [change], fail)).rejects.toThrow('at the end')
    expect([await store.alertStates.load(SHOP, 'r'), await events()]).toEqual([FIRST_RULE_STATE, []])
    expect(await store.alertStates.commit({ ...lease, token: lease.token + 1 }, [change], fail)).toBe(false)
  })

  it('lists instances by rule and fingerprint, in pages, by rules and by states', async () => {
    const changed = ['b', 'a', 'c'].map(id => alertInstance(id, { state: id === 'c' ? 'resolved' : 'firing' }))
    await store.alertStates.commit(lease, [evaluationChange('s', { changed }), evaluationChange('r', { changed })])
    const list = async (request: Partial<AlertInstanceRequest>): Promise<readonly string[]> => {
      const found = await store.alertStates.instances(SHOP, { limit: 100, ...request })
      return found.map(({ ruleId, instance }) => ruleId + instance.fingerprint)
    }
    expect(await list({})).toEqual(['ra', 'rb', 'rc', 'sa', 'sb', 'sc'])
    expect(await list({ limit: 2, after: { ruleId: 'r', fingerprint: 'b' } })).toEqual(['rc', 'sa'])
    expect(await list({ after: { ruleId: 's', fingerprint: 'c' } })).toEqual([])
    expect(await list({ states: ['firing'], after: { ruleId: 'r', fingerprint: 'a' } })).toEqual(['rb', 'sa', 'sb'])
    expect(await list({ ruleIds: ['s', 'none'], states: ['resolved', 'error'] })).toEqual(['sc'])
    expect([await list({ ruleIds: [] }), await list({ states: [] })]).toEqual([[], []])
    expect(await store.alertStates.instances(BANK, { limit: 100 })).toEqual([])
    expect((await store.alertStates.instances(SHOP, { limit: 1 }))[0]!.instance).toEqual(changed[1])
  })

  it('takes several changes of one rule in their order, late ones before others', async () => {
    const late = { lastEvalMs: NOW_MS, transitions: [alertTransition('a')], isLate: true }
    const onTime = { lastEvalMs: NOW_MS + 9, changed: [alertInstance('a')], transitions: [alertTransition('b')] }
    await store.alertStates.commit(lease, [evaluationChange('r', late), evaluationChange('r', onTime)])
    expect(await store.alertStates.load(SHOP, 'r')).toMatchObject({ lastEvalMs: NOW_MS + 9, error: null })
    const written = await store.alertStates.eventsAfter(SHOP, 0, 10)
    expect(written.map(({ fingerprint, isLate }) => [fingerprint, isLate])).toEqual([
      ['a', true],
      ['b', false]
    ])
  })

  it('ends a rule with an event for each instance that has not ended, and begins again from the first state', async () => {
    const states = ['pending', 'firing', 'nodata', 'error', 'unknown', 'resolved', 'inactive'] as const
    const changed = states.map(state => alertInstance(state, { state }))
    await store.alertStates.commit(lease, [evaluationChange('r', { changed }), evaluationChange('s', { changed })])
    await store.alertStates.end(SHOP, ['r', 'none'], NOW_MS + 7)
    const ended = await store.alertStates.eventsAfter(SHOP, 0, 10)
    expect(Object.fromEntries(ended.map(({ from, to }) => [from, to]))).toEqual({
      pending: 'inactive',
      firing: 'resolved',
      nodata: 'resolved',
      error: 'resolved',
      unknown: 'resolved'
    })
    const { labels, annotations, value } = alertInstance('firing')
    const common = {
      labels,
      annotations,
      value,
      atMs: NOW_MS + 7,
      startsAtMs: NOW_MS,
      ruleId: 'r',
      ruleVersion: 1,
      isLate: false
    }
    expect(ended.find(({ from }) => from === 'firing')).toMatchObject(common)
    expect(await store.alertStates.load(SHOP, 'r')).toEqual(FIRST_RULE_STATE)
    expect((await store.alertStates.load(SHOP, 's')).instances.size).toBe(7)
    await store.alertStates.end(SHOP, ['r'], NOW_MS + 8)
    expect(await store.alertStates.eventsAfter(SHOP, 0, 10)).toHaveLength(5)
  })

  it('numbers events by namespace without a gap, in the order of commits', async () => {
    await store.alertRules.putGroup(alertGroup('g', { namespaceId: BANK }))
    await store.alertRules.putRule(alertRule('r', { namespaceId: BANK }))
    const bank = (await take(HERE, MINUTE_MS, BANK))!
    const commit = (at: number): Promise<boolean> =>
      store.alertStates.commit(lease, [evaluationChange('r', { transitions: [alertTransition(`f${at}`), alertTransition('g')] })])
    await Promise.all([...Array(6).keys()].map(commit))
    await store.alertStates.commit(bank, [evaluationChange('r', { namespaceId: BANK, transitions: [alertTransition('h')] })])
    const all = await store.alertStates.eventsAfter(SHOP, 0, 100)
    expect(all.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
    expect(all.filter((_, at) => at % 2 === 1).every(({ fingerprint }) => fingerprint === 'g')).toBe(true)
    expect((await store.alertStates.eventsAfter(SHOP, 5, 3)).map(({ seq }) => seq)).toEqual([6, 7, 8])
    expect((await store.alertStates.eventsAfter(BANK, 0, 9)).map(({ seq }) => seq)).toEqual([1])
  })

  it('takes thousands of instances in one evaluation', async () => {
    const changed = Array.from({ length: 1_100 }, (_, at) => alertInstance(`f${String(at).padStart(4, '0')}`))
    const transitions = changed.map(({ fingerprint }) => alertTransition(fingerprint))
    await store.alertStates.commit(lease, [evaluationChange('r', { changed, transitions })])
    expect([...(await store.alertStates.load(SHOP, 'r')).instances.keys()]).toEqual(changed.map(one => one.fingerprint))
    expect(await store.alertStates.eventsAfter(SHOP, 0, 5_000)).toHaveLength(1_100)
    const removed = changed.map(({ fingerprint }) => fingerprint)
    await store.alertStates.commit(lease, [evaluationChange('r', { removed })])
    expect((await store.alertStates.load(SHOP, 'r')).instances.size).toBe(0)
  })

  it('lists events by time, newest first, by conditions and page by page', async () => {
    const at = (fingerprint: string, atMs: number) => alertTransition(fingerprint, { atMs })
    // Caught-up steps of one rule come after later ones of another.
    await store.alertStates.commit(lease, [evaluationChange('r', { transitions: [at('a', 50), at('b', 60)] })])
    await store.alertStates.commit(lease, [evaluationChange('s', { transitions: [at('a', 40), at('a', 50)] })])
    expect(await events()).toEqual([2, 4, 1, 3])
    expect(await events({ limit: 2 })).toEqual([2, 4])
    expect(await events({ before: { atMs: 50, seq: 4 } })).toEqual([1, 3])
    expect(await events({ fromMs: 50, toMs: 60 })).toEqual([4, 1])
    expect(await events({ ruleIds: ['s'] })).toEqual([4, 3])
    expect(await events({ ruleIds: [] })).toEqual([])
    expect(await events({ ruleIds: ['r', 's'], fingerprint: 'a' })).toEqual([4, 1, 3])
  })

  it('deletes events before a time, and the oldest beyond the number kept', async () => {
    const transitions = [10, 20, 30, 40].map(atMs => alertTransition('a', { atMs }))
    await store.alertStates.commit(lease, [evaluationChange('r', { transitions })])
    await store.alertStates.deleteEvents(20, 100)
    expect(await events()).toEqual([4, 3, 2])
    await store.alertStates.deleteEvents(0, 2)
    expect(await events()).toEqual([4, 3])
    await store.alertStates.commit(lease, [evaluationChange('r', { transitions: [alertTransition('a', { atMs: 50 })] })])
    expect(await events()).toEqual([5, 4, 3])
  })
}
