import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { AlertRule } from '../../../src/domain/alerts/alert-rule.js'
import { alertGroup } from '../../contract/alert-fixtures.js'
import { AlertWorld, MINUTE_MS, stepsOf } from '../../support/alert-world.js'

let world: AlertWorld
let time: AlertWorld['time']
let store: AlertWorld['store']
let conditions: AlertWorld['conditions']

beforeEach(() => {
  world = new AlertWorld()
  ;({ time, store, conditions } = world)
})
afterEach(() => world.stop())

describe('a recording rule', () => {
  const record = (id: string): AlertRule =>
    world.rule(id, { kind: 'record', name: 'job:load:sum', labels: [{ name: 'team', value: 'a' }] })
  const vector = (...jobs: readonly string[]) => ({
    kind: 'vector' as const,
    elements: jobs.map((job, value) => ({
      labels: [
        { name: 'job', value: job },
        { name: 'team', value: 'b' }
      ],
      value
    })),
    hasData: true
  })

  it('writes the vector of each step at its time, with its labels, and no events', async () => {
    store.put(alertGroup('g'), record('r'))
    const [first, second] = stepsOf('r', time.nowMs(), 2)
    conditions.at = () => vector('api', 'web')
    const here = await world.start()
    await world.pass(2 * MINUTE_MS, here)
    expect(world.recorded.map(({ name, value, atMs }) => [name, value, atMs])).toEqual([
      ['job:load:sum', 0, first],
      ['job:load:sum', 1, first],
      ['job:load:sum', 0, second],
      ['job:load:sum', 1, second]
    ])
    expect(world.recorded[0]!.labels).toEqual([
      { name: 'job', value: 'api' },
      { name: 'team', value: 'a' }
    ])
    expect([store.events, store.stateOf('r').error]).toEqual([[], null])
  })

  it('fails when its samples are rejected or have equal labels, and when its condition fails', async () => {
    store.put(alertGroup('g'), record('r'))
    conditions.at = () => vector('api')
    world.rejection = 'over the series limit'
    const here = await world.start()
    await world.pass(MINUTE_MS, here)
    expect(store.stateOf('r')).toMatchObject({ error: 'over the series limit', errorsInRow: 1 })
    world.rejection = null
    conditions.at = () => vector('api', 'api')
    await world.pass(MINUTE_MS, here)
    expect(store.stateOf('r')).toMatchObject({ error: expect.stringContaining('same labelset'), errorsInRow: 2 })
    conditions.at = () => ({ kind: 'error', message: 'no store' })
    await world.pass(MINUTE_MS, here)
    expect(store.stateOf('r')).toMatchObject({ error: 'no store', errorsInRow: 3 })
    conditions.at = () => vector()
    await world.pass(MINUTE_MS, here)
    expect(store.stateOf('r')).toMatchObject({ error: null, errorsInRow: 0 })
  })
})
