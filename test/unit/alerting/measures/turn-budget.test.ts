import { expect, it } from '@jest/globals'
import { TURN_BURST_MS, TURN_SHARE, TurnBudget } from '../../../../src/alerting/measures/turn-budget.js'
import { namespaceId } from '../../../contract/control-fixtures.js'

const SHOP = namespaceId('shop')

function budgetAt(): { readonly budget: TurnBudget; readonly time: { ms: number } } {
  const time = { ms: 0 }
  return { time, budget: new TurnBudget({ monotonicMs: () => time.ms }) }
}

it('lets a namespace compute for a burst, then for its share of the time', () => {
  const { budget, time } = budgetAt()
  budget.spend(SHOP, TURN_BURST_MS - 1)
  expect(budget.has(SHOP)).toBe(true)
  budget.spend(SHOP, 1)
  expect(budget.has(SHOP)).toBe(false)
  expect(budget.has(namespaceId('bank'))).toBe(true)
  time.ms += 1
  expect(budget.has(SHOP)).toBe(true)
  // Turns of 100 ms, whenever they are allowed.
  let spentMs = 0
  for (const endMs = time.ms + 600_000; time.ms < endMs; time.ms += 10) {
    if (!budget.has(SHOP)) continue
    budget.spend(SHOP, 100)
    spentMs += 100
  }
  expect(spentMs / 600_000).toBeCloseTo(TURN_SHARE, 2)
})

it('forgives what was spent long ago, and saves up no more than a burst', () => {
  const { budget, time } = budgetAt()
  budget.spend(SHOP, 2 * TURN_BURST_MS)
  time.ms += TURN_BURST_MS / TURN_SHARE
  expect(budget.has(SHOP)).toBe(false)
  time.ms += 1_000_000
  budget.spend(SHOP, TURN_BURST_MS)
  expect(budget.has(SHOP)).toBe(false)
})
