import { expect, it } from '@jest/globals'
import { groupedBy } from '../../../src/domain/grouped-by.js'

it('groups keep the order in which their keys appear, items the order of the input', () => {
  const groups = groupedBy(['pear', 'fig', 'plum', 'kiwi', 'date'], text => text.length)
  expect([...groups]).toEqual([
    [4, ['pear', 'plum', 'kiwi', 'date']],
    [3, ['fig']]
  ])
  expect(groupedBy([], String).size).toBe(0)
})
