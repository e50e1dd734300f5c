import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { MAX_NAMESPACE_INSTANCES } from '../../../src/alerting/schedule/bounds.js'
import type { ConditionResult } from '../../../src/domain/alerts/alert-state.js'
import { alertGroup } from '../../contract/alert-fixtures.js'
import { AlertWorld, MINUTE_MS } from '../../support/alert-world.js'

const HALF = MAX_NAMESPACE_INSTANCES / 2
let world: AlertWorld

beforeEach(() => {
  world = new AlertWorld()
})
afterEach(() => world.stop())

function elements(count: number): ConditionResult {
  const all = Array.from({ length: count }, (_, i) => ({ labels: [{ name: 'n', value: String(i) }], value: 1 }))
  return { kind: 'vector', elements: all, hasData: true }
}

it('a rule that would exceed the alerts of its namespace fails, is reported, and keeps the alerts that it has', async () => {
  const { store, conditions } = world
  const counts: Record<string, number> = { a: HALF, b: HALF - 1, c: 1 }
  const rules = ['a', 'b', 'c'].map(id => world.rule(id, { condition: { kind: 'promql', expr: id } }))
  store.put(alertGroup('g', { limit: MAX_NAMESPACE_INSTANCES }), ...rules)
  conditions.at = (_, expr) => elements(counts[expr]!)
  const here = await world.start()
  await world.pass(MINUTE_MS, here)
  expect(['a', 'b', 'c'].map(id => [store.stateOf(id).error, store.stateOf(id).instances.size])).toEqual([
    [null, HALF],
    [null, HALF - 1],
    [null, 1]
  ])
  counts['c'] = 2
  await world.pass(MINUTE_MS, here)
  expect(store.stateOf('c').error).toBe(
    'too_many_instances: the namespace would have 20001 alerts, more than its limit of 20000; ' +
      'aggregate the conditions of rules with many alerts'
  )
  await world.pass(2 * MINUTE_MS, here)
  expect([...store.stateOf('c').instances.values()].map(({ state }) => state).sort()).toEqual(['error', 'firing'])
  expect(store.events.at(-1)).toMatchObject({ ruleId: 'c', to: 'error' })
  counts['c'] = 1
  await world.pass(MINUTE_MS, here)
  expect(store.stateOf('c').error).toBeNull()
})
