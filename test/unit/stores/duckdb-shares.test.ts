import { describe, expect, it } from '@jest/globals'
import type { NamespaceId } from '../../../src/domain/ids.js'
import { QueueBudget } from '../../../src/stores/shared/queue-budget.js'
import { Slots } from '../../../src/threads/slots.js'

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

describe('slots', () => {
  const { signal } = new AbortController()

  it('go to the namespace that holds fewest, in the order of asking among equals', async () => {
    const slots = new Slots({ size: 2, mostOfOne: 2 })
    const order: string[] = []
    const take = (ns: NamespaceId, name: string): Promise<() => void> =>
      slots.take(ns, signal).then(give => (order.push(name), give))
    const giveFirst = await take(A, 'a1')
    const giveSecond = await take(A, 'a2')
    const third = take(A, 'a3')
    const fourth = take(B, 'b1')
    expect([slots.taken, slots.waiting]).toEqual([2, 2])
    giveFirst()
    await fourth
    giveSecond()
    await third
    expect(order).toEqual(['a1', 'a2', 'b1', 'a3'])
  })

  it('are left to others by a namespace that holds its share', async () => {
    const slots = new Slots({ size: 3, mostOfOne: 2 })
    const order: string[] = []
    const take = (ns: NamespaceId, name: string): Promise<() => void> =>
      slots.take(ns, signal).then(give => (order.push(name), give))
    const giveFirst = await take(A, 'a1')
    await take(A, 'a2')
    const third = take(A, 'a3')
    await take(B, 'b1')
    expect([order, slots.taken, slots.waiting]).toEqual([['a1', 'a2', 'b1'], 3, 1])
    giveFirst()
    await third
    expect([slots.taken, slots.waiting]).toEqual([3, 0])
  })

  it('are not held for one who has given up', async () => {
    const slots = new Slots({ size: 1, mostOfOne: 1 })
    const give = await slots.take(A, signal)
    const controller = new AbortController()
    const waiting = slots.take(B, controller.signal)
    controller.abort(new Error('gone'))
    await expect(waiting).rejects.toThrow('gone')
    expect(slots.waiting).toBe(0)
    give()
    expect(slots.taken).toBe(0)
  })
})
