import { expect, it } from '@jest/globals'
import { bareObject } from '../../../src/domain/bare-object.js'

it('a name in a bare object is only a name', () => {
  const object = bareObject<number>()
  expect(object['constructor']).toBeUndefined()
  expect('toString' in object).toBe(false)
  object['__proto__'] = 1
  object['constructor'] = 2
  object['7'] = 3
  expect(Object.entries(object)).toEqual([
    ['7', 3],
    ['__proto__', 1],
    ['constructor', 2]
  ])
  expect(JSON.stringify(object)).toBe('{"7":3,"__proto__":1,"constructor":2}')
  expect(({} as Record<string, unknown>)['7']).toBeUndefined()
})

it('what is written into one does not reach another', () => {
  const first = bareObject<number>()
  first['__proto__'] = 1
  expect(Object.keys(bareObject())).toEqual([])
})
