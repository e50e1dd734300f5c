import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { alertGroup, SHOP } from '../../contract/alert-fixtures.js'
import { namespace, namespaceId } from '../../contract/control-fixtures.js'
import { AlertWorld, flush, MINUTE_MS, stepsOf } from '../../support/alert-world.js'
import { ABSENT, PRESENT } from '../../support/scripted-conditions.js'

const HOUR_MS = 60 * MINUTE_MS

let world: AlertWorld
let time: AlertWorld['time']
let store: AlertWorld['store']
let conditions: AlertWorld['conditions']

beforeEach(() => {
  world = new AlertWorld()
  ;({ time, store, conditions } = world)
})
afterEach(() => world.stop())

describe('an alert scheduler', () => {
  it('evaluates a rule at its steps, from the first one after it was written', async () => {
    store.put(alertGroup('g'), world.rule('r'))
    const begin = time.nowMs()
    const here = await world.start()
    await world.pass(3 * MINUTE_MS, here)
    expect(conditions.reads.map(({ times }) => times)).toEqual(stepsOf('r', begin, 3).map(step => [step]))
    expect(here.finished.every(({ lateMs, failed }) => lateMs < 1_000 && failed === 0)).toBe(true)
  })

  it('stores transitions with their true times, and reports that there are events', async () => {
    store.put(alertGroup('g'), world.rule('r', { forMs: MINUTE_MS }))
    const [first, second, third] = stepsOf('r', time.nowMs(), 4) as [number, number, number]
    conditions.at = atMs => (atMs < third ? PRESENT : ABSENT)
    const here = await world.start()
    await world.pass(3 * MINUTE_MS, here)
    expect(store.events.map(({ from, to, atMs }) => [from, to, atMs])).toEqual([
      ['inactive', 'pending', first],
      ['pending', 'firing', second],
      ['firing', 'resolved', third]
    ])
    expect(store.events.every(({ isLate }) => !isLate)).toBe(true)
    expect(here.events).toEqual([SHOP, SHOP, SHOP])
  })

  it('writes what has no event once in 5 s, of all rules together', async () => {
    const ids = Array.from({ length: 20 }, (_, at) => `r${at}`)
    store.put(alertGroup('g', { intervalMs: 10_000 }), ...ids.map(id => world.rule(id)))
    const here = await world.start()
    // The first evaluation of a rule is stored at once.
    await world.pass(20_000, here)
    const before = store.commits.length
    await world.pass(20_000, here)
    expect(store.commits.length - before).toBe(4)
    const last = store.commits.slice(-2).flat()
    expect(new Set(last.map(({ ruleId }) => ruleId)).size).toBe(20)
    expect(last.every(({ changed, transitions }) => changed.length + transitions.length === 0)).toBe(true)
    for (const id of ids) expect(time.nowMs() - store.stateOf(id).lastEvalMs!).toBeLessThan(15_001)
  })

  it('writes values that change without an event with the times', async () => {
    store.put(alertGroup('g', { intervalMs: 10_000 }), world.rule('r'))
    let value = 0
    conditions.at = () => ({ kind: 'vector', elements: [{ labels: [], value: value++ }], hasData: true })
    const here = await world.start()
    await world.pass(60_000, here)
    expect(store.events).toHaveLength(1)
    const [instance] = store.stateOf('r').instances.values()
    expect(instance!.value).toBeGreaterThanOrEqual(4)
  })

  it('catches up with missed steps at their own times by one read, and marks them late', async () => {
    store.put(alertGroup('g'), world.rule('r'))
    const begin = time.nowMs()
    const here = await world.start()
    await world.pass(2 * MINUTE_MS, here)
    await here.scheduler.stop()
    conditions.reads.length = 0
    const steps = stepsOf('r', begin, 40)
    conditions.at = atMs => (atMs >= steps[10]! && atMs < steps[13]! ? PRESENT : ABSENT)
    time.pass(30 * MINUTE_MS)
    const next = await world.start('again')
    await world.pass(1_000, next)
    const missed = steps.filter(step => step > begin + 2 * MINUTE_MS && step <= time.nowMs())
    expect(conditions.reads.map(({ times }) => times)).toEqual([missed])
    expect(store.events.map(({ to, atMs, startsAtMs, isLate }) => [to, atMs, startsAtMs, isLate])).toEqual([
      ['firing', steps[10], steps[10], true],
      ['resolved', steps[13], steps[10], true]
    ])
    await world.pass(MINUTE_MS, next)
    expect(store.stateOf('r').lastEvalMs).toBe(missed.at(-1)! + MINUTE_MS)
  })

  it('skips steps that are more than an hour old: alerts are unknown until the next one', async () => {
    store.put(alertGroup('g'), world.rule('r'))
    conditions.at = () => PRESENT
    const here = await world.start()
    await world.pass(2 * MINUTE_MS, here)
    await here.scheduler.stop()
    time.pass(3 * HOUR_MS)
    const next = await world.start('again')
    await world.pass(1_000, next)
    const [, unknown, firing] = store.events
    expect(store.events.map(({ to }) => to)).toEqual(['firing', 'unknown', 'firing'])
    expect(firing!.atMs).toBe(unknown!.atMs + MINUTE_MS)
    expect(time.nowMs() - firing!.atMs).toBeLessThanOrEqual(HOUR_MS)
    expect(next.finished[0]!.skipped).toBeGreaterThan(110)
  })

  it('runs two evaluations of a namespace at once, eight in all, and serves namespaces round robin', async () => {
    const names = Array.from({ length: 10 }, (_, at) => `n${at}`)
    for (const name of names) {
      world.namespaces.set(namespaceId(name), namespace(name))
      store.put(alertGroup(`g-${name}`, { namespaceId: namespaceId(name) }))
      const count = name === 'n0' ? 50 : 1
      for (let at = 0; at < count; at++)
        store.put(
          store.groupsById.get(`g-${name}`)!,
          world.rule(`${name}-${at}`, { namespaceId: namespaceId(name), groupId: `g-${name}` })
        )
    }
    const waiting: (() => void)[] = []
    conditions.gate = () => new Promise(resolve => waiting.push(resolve))
    // All are due when the scheduler starts.
    time.pass(MINUTE_MS)
    const here = await world.start()
    time.pass(0)
    await flush()
    while (here.scheduler.waiting > 0 || waiting.length > 0) {
      expect(conditions.running).toBeLessThanOrEqual(8)
      waiting.shift()?.()
      await flush()
    }
    await here.scheduler.settled()
    const order = conditions.reads.map(read => read.namespace)
    expect([conditions.maxRunning, conditions.maxRunningOf.get('n0')]).toEqual([8, 2])
    // Whatever the 50 rules of n0 do, each other namespace is among the first.
    const firsts = names.slice(1).map(name => order.indexOf(name))
    expect(Math.max(...firsts)).toBeLessThan(20)
    expect(order.filter(name => name === 'n0')).toHaveLength(50)
  })

  it('ends an evaluation at its time limit as a failure of that step', async () => {
    store.put(alertGroup('g'), world.rule('r'))
    const [first] = stepsOf('r', time.nowMs(), 1)
    let isStuck = true
    conditions.gate = () => (isStuck ? new Promise(() => undefined) : Promise.resolve())
    const here = await world.start()
    await world.passBlocked(first! - time.nowMs())
    await time.dueIn(10_000)
    isStuck = false
    time.pass(10_000)
    await here.scheduler.settled()
    expect(store.stateOf('r')).toMatchObject({
      lastEvalMs: first,
      errorsInRow: 1,
      error: expect.stringContaining('limit of 10s')
    })
    await world.pass(MINUTE_MS, here)
    expect(store.stateOf('r')).toMatchObject({ errorsInRow: 0, error: null })
  })

  it('reads fewer steps at once after a read of many took too long', async () => {
    store.put(alertGroup('g'), world.rule('r'))
    time.pass(8 * MINUTE_MS)
    let isSlow = true
    conditions.gate = ({ times }) => {
      isSlow &&= times.length > 2
      return isSlow ? new Promise(() => undefined) : Promise.resolve()
    }
    const here = await world.start()
    time.pass(0)
    for (const expected of [8, 4]) {
      await time.dueIn(10_000)
      expect(conditions.reads.at(-1)!.times).toHaveLength(expected)
      time.pass(10_000)
      await flush()
      time.pass(0)
    }
    await here.scheduler.settled()
    await world.pass(1_000, here)
    expect(conditions.reads.slice(0, 4).map(({ times }) => times.length)).toEqual([8, 4, 2, 6])
    expect(store.stateOf('r').error).toBeNull()
  })

  it('follows a rule that is changed, disabled or new', async () => {
    store.put(alertGroup('g'), world.rule('r'))
    conditions.at = () => PRESENT
    const here = await world.start()
    await world.pass(2 * MINUTE_MS, here)
    expect(store.events).toMatchObject([{ to: 'firing', ruleVersion: 1 }])
    store.put(alertGroup('g'), world.rule('r', { version: 2, name: 'Renamed' }), world.rule('s'))
    here.scheduler.reload(SHOP)
    await world.pass(MINUTE_MS, here)
    expect(store.events.filter(({ ruleId }) => ruleId === 'r').slice(1)).toMatchObject([{ ruleVersion: 2 }, { ruleVersion: 2 }])
    expect(store.events.filter(({ ruleId }) => ruleId === 's')).toHaveLength(1)
    store.rulesById.set('r', { ...store.rulesById.get('r')!, version: 3, enabled: false })
    here.scheduler.reload(SHOP)
    await here.scheduler.settled()
    expect(here.scheduler.rules).toBe(1)
    const before = conditions.reads.length
    await world.pass(MINUTE_MS, here)
    expect(conditions.reads.length - before).toBe(1)
  })

  it('discards an evaluation of a version that was replaced meanwhile, and evaluates the step with the new one', async () => {
    store.put(alertGroup('g'), world.rule('r', { condition: { kind: 'promql', expr: 'old' } }))
    const [first] = stepsOf('r', time.nowMs(), 1)
    conditions.at = () => PRESENT
    let open = (): void => undefined
    conditions.gate = ({ expr }) => (expr === 'old' ? new Promise(resolve => (open = resolve)) : Promise.resolve())
    const here = await world.start()
    await world.passBlocked(first! - time.nowMs())
    await time.dueIn(10_000)
    store.put(
      alertGroup('g'),
      world.rule('r', { version: 2, condition: { kind: 'promql', expr: 'new' }, updatedAtMs: first! - 1 })
    )
    here.scheduler.reload(SHOP)
    open()
    await here.scheduler.settled()
    await world.pass(1_000, here)
    expect(store.events).toMatchObject([{ ruleVersion: 2, atMs: first }])
  })

  it('ends rules of deleted namespaces, and lets those of suspended ones wait', async () => {
    store.put(alertGroup('g'), world.rule('r'))
    const here = await world.start()
    world.namespaces.set(SHOP, namespace('shop', { state: 'suspended' }))
    await world.pass(3 * MINUTE_MS, here)
    expect(conditions.reads).toEqual([])
    world.namespaces.set(SHOP, namespace('shop'))
    await world.pass(MINUTE_MS, here)
    expect(conditions.reads.map(({ times }) => times.length)).toEqual([4])
    world.namespaces.set(SHOP, namespace('shop', { state: 'deleting' }))
    await world.pass(MINUTE_MS, here)
    expect([conditions.reads.length, here.scheduler.rules]).toEqual([1, 0])
  })

  it('reports three failures in a row as a transition', async () => {
    store.put(alertGroup('g'), world.rule('r'))
    conditions.at = () => ({ kind: 'error', message: 'the store is unavailable' })
    const here = await world.start()
    await world.pass(2 * MINUTE_MS, here)
    expect([store.events.length, store.stateOf('r').errorsInRow]).toEqual([0, 2])
    await world.pass(MINUTE_MS, here)
    expect(store.events).toMatchObject([{ to: 'error' }])
    expect(here.finished.reduce((sum, { failed }) => sum + failed, 0)).toBe(3)
  })
})
