import { describe, expect, it } from '@jest/globals'
import { BoundedMap } from '../../../src/threads/bounded-map.js'

describe('a bounded map', () => {
  it('drops the entry that was used longest ago, for one entry more', () => {
    const map = new BoundedMap<string, number>(3)
    for (const [i, key] of ['a', 'b', 'c'].entries()) map.set(key, i)
    map.get('a')
    map.peek('b')
    map.set('c', 9)
    expect(map.size).toBe(3)
    map.set('d', 3)
    expect([...map.keys()].toSorted()).toEqual(['a', 'c', 'd'])
    expect(map.pop()).toBe(0)
  })
})
