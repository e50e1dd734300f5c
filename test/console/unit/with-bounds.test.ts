import { describe, expect, it } from '@jest/globals'
import { boundsIn, withBounds } from '../../../console/src/query/with-bounds.js'

describe('bounds of a field in a query', () => {
  it.each([
    ['', '5', '9', 'ms:>=5 ms:<=9'],
    ['timeout', '5', '', 'timeout ms:>=5'],
    ['ms:>=1 timeout ms:<=2', '', '9', 'timeout ms:<=9'],
    ['ms:>=1', '', '', ''],
    ['a OR b', '5', '', '(a OR b) ms:>=5'],
    ['(a OR b) ms:>=1', '-2.5', '', '(a OR b) ms:>=-2.5'],
    ['a OR b', '', '', 'a OR b'],
    ['other.ms:>=1 ms:>3', '5', '', 'other.ms:>=1 ms:>3 ms:>=5'],
    ['NOT ms:>=1 -ms:<=2', '5', '', 'NOT ms:>=1 -ms:<=2 ms:>=5'],
    ['(ms:>=1 a)', '5', '', '(ms:>=1 a) ms:>=5'],
    ['ms:>=5 AND level:error', '10', '', 'level:error ms:>=10'],
    ['a AND ms:>=5 AND b', '', '', 'a AND b'],
    ['a AND ms:>=5 ms:<=9 AND b', '', '', 'a b'],
    ['ms:>=5 AND ms:<=9 AND -b', '', '7', '-b ms:<=7'],
    ['a AND ms:>=5 AND ms:<=9', '', '', 'a'],
    ['ms:>=5 AND ms:<=9', '', '', ''],
    ['level:AND ms:>=5 b', '', '', 'level:AND b'],
    ['a AND NOT ms:>=5 AND b', '1', '', 'a AND NOT ms:>=5 AND b ms:>=1'],
    ['a AND (ms:>=5 AND b)', '1', '', 'a AND (ms:>=5 AND b) ms:>=1'],
    ['ms:>="5" a', '1', '', 'ms:>="5" a ms:>=1']
  ])('of %j become %j to %j', (query, from, to, expected) => {
    const changed = withBounds(query, 'ms', { from, to })
    expect(changed).toBe(expected)
    expect(boundsIn(changed, 'ms')).toEqual({ from, to })
  })

  it.each([
    ['a "b":c', String.raw`a\ \"b\"\:c:>=1`],
    ['cpu%', String.raw`cpu\%:>=1`],
    ['5xx_rate', String.raw`\5xx_rate:>=1`]
  ])('of %j have its name with escapes', (field, expected) => {
    const changed = withBounds('', field, { from: '1', to: '' })
    expect(changed).toBe(expected)
    expect(boundsIn(changed, field)).toEqual({ from: '1', to: '' })
  })

  it('are not found where the query has alternatives', () => {
    expect(boundsIn('ms:>=1 OR a', 'ms')).toEqual({ from: '', to: '' })
  })
})
