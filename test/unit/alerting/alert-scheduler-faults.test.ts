import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { LEASE_MS, RENEW_EVERY_MS } from '../../../src/alerting/schedule/bounds.js'
import { alertGroup, SHOP } from '../../contract/alert-fixtures.js'
import { AlertWorld, MINUTE_MS, stepsOf } from '../../support/alert-world.js'
import { ManualTime } from '../../support/manual-time.js'
import { ABSENT, PRESENT } from '../../support/scripted-conditions.js'

let world: AlertWorld
let time: AlertWorld['time']
let store: AlertWorld['store']
let conditions: AlertWorld['conditions']

beforeEach(() => {
  world = new AlertWorld()
  ;({ time, store, conditions } = world)
})
afterEach(() => world.stop())

describe('a commit that fails', () => {
  it('is repeated with the same events when nothing was written', async () => {
    store.put(alertGroup('g'), world.rule('r'))
    conditions.at = () => PRESENT
    let failures = 2
    store.beforeCommit = async () => {
      if (failures-- > 0) throw new Error('the control store is unavailable')
    }
    const here = await world.start()
    await world.pass(2 * MINUTE_MS, here)
    expect(store.events.map(({ to }) => to)).toEqual(['firing'])
    expect(here.failures.map(String)).toEqual(expect.arrayContaining(['Error: the control store is unavailable']))
  })

  it('is not repeated when it was written and its response was lost', async () => {
    store.put(alertGroup('g'), world.rule('r'))
    conditions.at = () => PRESENT
    let isLost = true
    store.afterCommit = async () => {
      if (isLost) {
        isLost = false
        throw new Error('the connection was closed')
      }
    }
    const here = await world.start()
    await world.pass(3 * MINUTE_MS, here)
    expect(here.failures).toHaveLength(1)
    expect(store.events.map(({ to }) => to)).toEqual(['firing'])
  })
})

describe('a lease whose renewal is late', () => {
  it('delays evaluations, and rules that are written meanwhile are evaluated afterwards', async () => {
    store.put(alertGroup('g', { intervalMs: 10_000 }), world.rule('r'))
    const here = await world.start()
    await world.pass(10_000, here)
    const before = conditions.reads.length
    let isAway = true
    const acquire = store.acquire.bind(store)
    store.acquire = (...args) => (isAway ? Promise.reject(new Error('the control store is unavailable')) : acquire(...args))
    await world.pass(LEASE_MS + 1_000, here)
    const during = conditions.reads.length
    expect(during - before).toBeLessThanOrEqual(2)
    store.put(alertGroup('g', { intervalMs: 10_000 }), world.rule('s', { condition: { kind: 'promql', expr: 'new' } }))
    here.scheduler.reload(SHOP)
    isAway = false
    await world.pass(20_000, here)
    expect(conditions.reads.slice(during).map(({ expr }) => expr)).toContain('new')
    expect(here.failures.map(String)).toContain('Error: the control store is unavailable')
    // A step that was evaluated and not stored before the lease ended is evaluated again.
    const reads = conditions.reads.filter(({ expr }) => expr !== 'new').flatMap(read => read.times)
    const times = [...new Set(reads)]
    expect(times).toEqual(stepsOf('r', times[0]! - 1, times.length, 10_000))
  })
})

describe('several schedulers on one store', () => {
  it('evaluate a rule once, and the other one goes on as soon as the first has stopped', async () => {
    store.put(alertGroup('g'), world.rule('r'))
    const begin = time.nowMs()
    const here = await world.start('here')
    const there = await world.start('there')
    await world.pass(2 * MINUTE_MS, here, there)
    expect([here.finished.length, there.finished.length]).toEqual([2, 0])
    await here.scheduler.stop()
    await world.pass(RENEW_EVERY_MS + MINUTE_MS, there)
    expect(conditions.reads.map(({ times }) => times)).toEqual(stepsOf('r', begin, there.finished.length + 2).map(step => [step]))
    expect(there.finished.length).toBeGreaterThanOrEqual(1)
  })

  it('leave no step out and repeat none when one of them is paused, and refuse what it writes late', async () => {
    store.put(alertGroup('g', { intervalMs: 10_000 }), world.rule('r'))
    const steps = stepsOf('r', time.nowMs(), 20, 10_000)
    conditions.at = atMs => (steps.indexOf(atMs) % 2 === 0 ? PRESENT : ABSENT)
    // The clock and the timers of `here` stop with it.
    const own = new ManualTime(time.nowMs())
    const here = await world.start('here', own)
    const passBoth = async (ms: number): Promise<void> => {
      own.pass(ms)
      await world.pass(ms, here)
    }
    for (let at = 0; at < 20; at++) await passBoth(1_000)
    const before = store.events.length
    expect(before).toBe(2)
    // `here` is paused in the middle of an evaluation, after its read.
    let resume = (): void => undefined
    const isPaused = new Promise<void>(paused => {
      store.beforeCommit = () => {
        paused()
        store.beforeCommit = () => Promise.resolve()
        return new Promise(resolve => (resume = resolve))
      }
    })
    own.pass(10_000)
    time.pass(10_000)
    await isPaused
    time.pass(LEASE_MS + 1)
    const there = await world.start('there')
    await world.pass(20_000, there)
    expect(there.finished.length).toBeGreaterThan(1)
    resume()
    await here.scheduler.settled()
    own.pass(LEASE_MS + 20_001)
    await world.pass(20_000, here, there)
    expect(here.scheduler.rules).toBe(0)
    expect(store.events.length).toBeGreaterThan(before + 4)
    const times = store.events.map(({ atMs }) => atMs)
    expect(times).toEqual(steps.slice(0, times.length))
  })
})
