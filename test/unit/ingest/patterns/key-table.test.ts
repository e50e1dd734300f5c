import { expect, it } from '@jest/globals'
import { seededRandom } from '../../../../bench/generate/random.js'
import { KeyTable } from '../../../../src/ingest/patterns/key-table.js'

it('a key table has what a Map has', () => {
  const random = seededRandom(1)
  const table = new KeyTable()
  const map = new Map<number, number>()
  const keys = Array.from({ length: 5000 }, (_, i) => (i % 3 === 0 ? i * 64 : Math.floor(random.next() * 2 ** 53)))
  for (let n = 0; n < 20_000; n++) {
    const key = random.pick(keys)
    expect(table.get(key)).toBe(map.get(key) ?? -1)
    const value = random.below(2 ** 31 - 1)
    table.set(key, value)
    map.set(key, value)
  }
  expect(table.size).toBe(map.size)
  for (const key of keys) expect(table.get(key)).toBe(map.get(key) ?? -1)
})

it('a key table finds keys with equal low bits in a few steps', () => {
  const table = new KeyTable(7)
  const count = 150_000
  const keyOf = (i: number): number => (i % 2 ** 23) * 2 ** 30
  for (let i = 0; i < count; i++) table.set(keyOf(i), i)
  expect([table.get(0), table.get(keyOf(count - 1)), table.get(5)]).toEqual([0, count - 1, -1])
})
