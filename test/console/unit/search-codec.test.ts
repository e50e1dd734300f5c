import { describe, expect, it } from '@jest/globals'
import { all, one, parseSearch, stringifySearch, withValues } from '../../../console/src/url/search-codec.js'

describe('the query string of a page', () => {
  it('has plain keys in alphabetical order, and repeats them for lists', () => {
    expect(stringifySearch({ service: ['a', 'b'], q: 'level:error "timed out"', from: 'now-15m' })).toBe(
      '?from=now-15m&q=level:error+%22timed+out%22&service=a&service=b'
    )
  })

  it.each(['?q=a%26b%3Dc', '?q=%25+%2B', '?level=error&level=warn', '?x=%F0%9F%98%80', ''])('comes back as it was: %s', text => {
    expect(stringifySearch(parseSearch(text))).toBe(text)
  })

  it('keeps keys that no page knows', () => {
    expect(stringifySearch(withValues(parseSearch('?zzz=1&q=a'), { q: 'b' }))).toBe('?q=b&zzz=1')
  })

  it('drops a key that would replace a prototype', () => {
    const values = parseSearch('?__proto__=a&__proto__=b&constructor=c&q=1')
    expect(Object.getPrototypeOf(values)).toBe(Object.prototype)
    expect(one(values, 'constructor')).toBe('c')
    expect(one(values, 'toString')).toBeNull()
    expect(all(values, 'hasOwnProperty')).toEqual([])
  })

  it('removes keys by null, by an empty string and by an empty list', () => {
    expect(withValues({ a: '1', b: '2', c: ['3'], d: '4' }, { a: null, b: '', c: [] })).toEqual({ d: '4' })
  })
})
