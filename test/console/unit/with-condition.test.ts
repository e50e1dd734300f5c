import { expect, it } from '@jest/globals'
import { withCondition } from '../../../console/src/query/with-condition.js'
import { withOnly } from '../../../console/src/query/with-only.js'
import { Lexer } from '../../../src/query/search-language/lexer.js'

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

it.each(['user name', 'k8s:pod', 'cpu%', '5xx_rate', '-a', 'log_fields.http.route', 'a"(b)\\', 'größe', '\u{1d4b3}', '@t/x-y'])(
  'writes the name %j as the service reads it, and adds it once',
  name => {
    const query = withCondition('', name, 'x', false)
    expect(new Lexer(query, () => false).tokens()[0]).toMatchObject({ kind: 'field', name })
    expect(withCondition(query, name, 'x', false)).toBe(query)
  }
)

it.each([
  ['', 'region:us'],
  ['region:eu', 'region:us'],
  ['region:us', 'region:us'],
  ['a AND region:"eu west" AND b', 'a AND b region:us'],
  ['region:(eu OR us) a', 'a region:us'],
  ['region:>=5 -region:eu NOT region:a', 'region:>=5 -region:eu NOT region:a region:us'],
  ['region:eu OR a', '(region:eu OR a) region:us'],
  ['(region:eu a)', '(region:eu a) region:us'],
  ['region:(eu', 'region:(eu region:us']
])('chooses one value of a field in %j', (query, expected) => {
  expect(withOnly(query, 'region', 'us')).toBe(expected)
})
