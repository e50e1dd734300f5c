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
    ['(ms:>=1 a)', '5', '', '(ms:>=1 a) ms:>=5']
  ])('of %j become %j to %j', (query, from, to, expected) => {
    const changed = withBounds(query, 'ms', { from, to })
    expect(changed).toBe(expected)
    expect(boundsIn(changed, 'ms')).toEqual({ from, to })
  })

  it('have names with escapes', () => {
    const changed = withBounds('', 'a "b":c', { from: '1', to: '' })
    expect(changed).toBe(String.raw`a\ \"b\"\:c:>=1`)
    expect(boundsIn(changed, 'a "b":c')).toEqual({ from: '1', to: '' })
  })

  it('are not found where the query has alternatives', () => {
    expect(boundsIn('ms:>=1 OR a', 'ms')).toEqual({ from: '', to: '' })
  })
})
