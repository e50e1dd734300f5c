import { describe, expect, it } from '@jest/globals'
import { FairPlaces } from '../../../src/threads/fair-places.js'

/** Takes a place under a name, and notes when it is granted. */
function taking(places: FairPlaces<string>, order: string[]) {
  return (caller: string, name: string): Promise<() => void> =>
    places.request(caller).granted.then(give => (order.push(name), give))
}

describe('fair places', () => {
  it('give each caller one at a time, and serve callers in turn', async () => {
    const places = new FairPlaces<string>(2)
    const order: string[] = []
    const take = taking(places, order)
    const giveFirst = await take('a', 'a1')
    const second = take('a', 'a2')
    const third = take('a', 'a3')
    const giveOther = await take('b', 'b1')
    const late = take('c', 'c1')
    expect([order, places.waiting]).toEqual([['a1', 'b1'], 3])
    giveFirst()
    const giveSecond = await second
    giveOther()
    const giveLate = await late
    expect(order).toEqual(['a1', 'b1', 'a2', 'c1'])
    giveLate()
    giveSecond()
    ;(await third)()
    expect([order, places.waiting]).toEqual([['a1', 'b1', 'a2', 'c1', 'a3'], 0])
  })

  it('let a caller that comes now go before the second of one that was served', async () => {
    const places = new FairPlaces<string>(1)
    const order: string[] = []
    const take = taking(places, order)
    const give = await take('a', 'a1')
    const [second, third] = [take('a', 'a2'), take('a', 'a3')]
    const other = take('b', 'b1')
    give()
    ;(await second)()
    ;(await other)()
    ;(await third)()
    expect(order).toEqual(['a1', 'a2', 'b1', 'a3'])
  })

  it('are given back once', async () => {
    const places = new FairPlaces<string>(1)
    const give = await places.request('a').granted
    const second = places.request('b').granted
    give()
    give()
    const giveSecond = await second
    const third = places.request('c').granted
    expect(places.waiting).toBe(1)
    giveSecond()
    ;(await third)()
  })

  it('are not kept for one who gives up', async () => {
    const places = new FairPlaces<string>(1)
    const give = await places.request('a').granted
    const second = places.request('b')
    const third = places.request('b')
    second.cancel(new Error('left'))
    await expect(second.granted).rejects.toThrow('left')
    expect(places.waiting).toBe(1)
    give()
    const giveThird = await third.granted
    third.cancel(new Error('too late'))
    giveThird()
    expect(places.waiting).toBe(0)
  })
})
