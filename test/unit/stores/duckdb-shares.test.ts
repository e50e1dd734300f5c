import { describe, expect, it } from '@jest/globals'
import type { NamespaceId } from '../../../src/domain/ids.js'
import { QueueBudget } from '../../../src/stores/shared/queue-budget.js'

const A = 'testnamespace01' as NamespaceId
const B = 'testnamespace02' as NamespaceId

describe('the queue budget', () => {
  it('refuses at the bound, and a namespace at half of it', () => {
    const budget = new QueueBudget(100)
    budget.take(A, 50)
    expect(() => budget.take(A, 1)).toThrow(expect.objectContaining({ code: 'overloaded', retryAfterS: 1 }))
    budget.take(B, 50)
    expect(() => budget.take(B, 1)).toThrow(expect.objectContaining({ code: 'overloaded' }))
    expect([budget.bytes, budget.refused]).toEqual([100, 2])
    budget.give(A, 50)
    budget.take(A, 50)
  })

  it('lets one request of any size into an empty queue', () => {
    const budget = new QueueBudget(100)
    budget.take(A, 1_000)
    expect(() => budget.take(B, 1)).toThrow(expect.objectContaining({ code: 'overloaded' }))
  })
})
