import { expect, it } from '@jest/globals'
import { withCondition } from '../../../console/src/query/with-condition.js'

it.each([
  ['', 'level:error'],
  ['timeout', 'timeout level:error'],
  [' timeout ', 'timeout level:error'],
  ['level:error', 'level:error'],
  ['level:error timeout', 'level:error timeout'],
  ['a level:error b', 'a level:error b'],
  ['a OR b', '(a OR b) level:error'],
  ['(a OR b) c', '(a OR b) c level:error'],
  ['"a OR b"', '"a OR b" level:error'],
  ['a or b', 'a or b level:error'],
  ['a OR level:error', '(a OR level:error) level:error'],
  ['NOT level:error', 'NOT level:error level:error'],
  ['(a OR level:error OR b)', '(a OR level:error OR b) level:error'],
  ['"a level:error b"', '"a level:error b" level:error'],
  ['a AND level:error', 'a AND level:error']
])('adds a condition to %j', (query, expected) => {
  expect(withCondition(query, 'level', 'error', false)).toBe(expected)
})

it('quotes values and excludes them', () => {
  expect(withCondition('a', 'host', 'b "c" d', true)).toBe(String.raw`a -host:"b \"c\" d"`)
})
