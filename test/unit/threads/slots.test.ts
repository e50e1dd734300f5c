import { describe, expect, it } from '@jest/globals'
import { Slots } from '../../../src/threads/slots.js'

/** Takes a slot under a name, and notes when it is granted. */
function taking(slots: Slots<string>, order: string[]) {
  return (caller: string, name: string): Promise<() => void> =>
    slots.request(caller).granted.then(give => (order.push(name), give))
}

describe('slots that are requested', () => {
  it('give each caller one at a time, and serve callers in turn', async () => {
    const slots = new Slots<string>({ size: 2, mostOfOne: 1 })
    const order: string[] = []
    const take = taking(slots, order)
    const giveFirst = await take('a', 'a1')
    const second = take('a', 'a2')
    const third = take('a', 'a3')
    const giveOther = await take('b', 'b1')
    const late = take('c', 'c1')
    expect([order, slots.waiting]).toEqual([['a1', 'b1'], 3])
    giveFirst()
    const giveSecond = await second
    giveOther()
    const giveLate = await late
    expect(order).toEqual(['a1', 'b1', 'a2', 'c1'])
    giveLate()
    giveSecond()
    ;(await third)()
    expect([order, slots.waiting]).toEqual([['a1', 'b1', 'a2', 'c1', 'a3'], 0])
  })

  it('let a caller that comes now go before the second of one that was served', async () => {
    const slots = new Slots<string>({ size: 1, mostOfOne: 1 })
    const order: string[] = []
    const take = taking(slots, order)
    const give = await take('a', 'a1')
    const [second, third] = [take('a', 'a2'), take('a', 'a3')]
    const other = take('b', 'b1')
    give()
    ;(await second)()
    ;(await other)()
    ;(await third)()
    expect(order).toEqual(['a1', 'a2', 'b1', 'a3'])
  })

  it('go to the members of a caller in turn, whichever of them has requested most', async () => {
    const slots = new Slots<string>({ size: 1, mostOfOne: 1 })
    const order: string[] = []
    const take = (member: string, name: string): Promise<() => void> =>
      slots.request('a', member).granted.then(give => (order.push(name), give))
    const give = await take('k', 'k1')
    const more = [take('k', 'k2'), take('k', 'k3'), take('l', 'l1'), take('k', 'k4'), take('l', 'l2')]
    give()
    for (const next of [0, 2, 1, 4, 3]) (await more[next]!)()
    expect(order).toEqual(['k1', 'k2', 'l1', 'k3', 'l2', 'k4'])
  })

  it('are given back once', async () => {
    const slots = new Slots<string>({ size: 1, mostOfOne: 1 })
    const give = await slots.request('a').granted
    const second = slots.request('b').granted
    give()
    give()
    const giveSecond = await second
    const third = slots.request('c').granted
    expect(slots.waiting).toBe(1)
    giveSecond()
    ;(await third)()
  })

  it('are not kept for one who gives up', async () => {
    const slots = new Slots<string>({ size: 1, mostOfOne: 1 })
    const give = await slots.request('a').granted
    const second = slots.request('b')
    const third = slots.request('b')
    second.cancel(new Error('left'))
    await expect(second.granted).rejects.toThrow('left')
    expect(slots.waiting).toBe(1)
    give()
    const giveThird = await third.granted
    third.cancel(new Error('too late'))
    giveThird()
    expect(slots.waiting).toBe(0)
  })
})

describe('slots that are taken', () => {
  const { signal } = new AbortController()

  it('go to the namespace that holds fewest, in the order of requests among equals', async () => {
    const slots = new Slots<string>({ size: 2, mostOfOne: 2 })
    const order: string[] = []
    const take = (ns: string, name: string): Promise<() => void> => slots.take(ns, signal).then(give => (order.push(name), give))
    const giveFirst = await take('a', 'a1')
    const giveSecond = await take('a', 'a2')
    const third = take('a', 'a3')
    const fourth = take('b', 'b1')
    expect([slots.taken, slots.waiting]).toEqual([2, 2])
    giveFirst()
    await fourth
    giveSecond()
    await third
    expect(order).toEqual(['a1', 'a2', 'b1', 'a3'])
  })

  it('are left to others by a namespace that holds its share', async () => {
    const slots = new Slots<string>({ size: 3, mostOfOne: 2 })
    const order: string[] = []
    const take = (ns: string, name: string): Promise<() => void> => slots.take(ns, signal).then(give => (order.push(name), give))
    const giveFirst = await take('a', 'a1')
    await take('a', 'a2')
    const third = take('a', 'a3')
    await take('b', 'b1')
    expect([order, slots.taken, slots.waiting]).toEqual([['a1', 'a2', 'b1'], 3, 1])
    giveFirst()
    await third
    expect([slots.taken, slots.waiting]).toEqual([3, 0])
  })

  it('are not held for one who has given up', async () => {
    const slots = new Slots<string>({ size: 1, mostOfOne: 1 })
    const give = await slots.take('a', signal)
    const controller = new AbortController()
    const waiting = slots.take('b', controller.signal)
    controller.abort(new Error('gone'))
    await expect(waiting).rejects.toThrow('gone')
    expect(slots.waiting).toBe(0)
    give()
    expect(slots.taken).toBe(0)
  })
})
