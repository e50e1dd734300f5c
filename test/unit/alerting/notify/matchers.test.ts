import { describe, expect, it } from '@jest/globals'
import {
  compileMatchers,
  formatMatcher,
  MAX_MATCHER_CHARS,
  MAX_MATCHERS,
  parseMatchers
} from '../../../../src/alerting/notify/route/matchers.js'
import type { Label } from '../../../../src/domain/metric-point.js'

function labels(values: Readonly<Record<string, string>>): readonly Label[] {
  return Object.entries(values).map(([name, value]) => ({ name, value }))
}

const matches = (matcher: string, values: Readonly<Record<string, string>>): boolean =>
  compileMatchers(parseMatchers([matcher], 'matchers'))(labels(values))

describe('matchers', () => {
  // Cases of Alertmanager's matcher/parse and pkg/labels tests, restated.
  it.each([
    ['foo="bar"', { name: 'foo', op: 'eq', value: 'bar' }],
    ['foo=bar', { name: 'foo', op: 'eq', value: 'bar' }],
    ['  foo != "bar" ', { name: 'foo', op: 'neq', value: 'bar' }],
    ['foo=~"bar.*|baz"', { name: 'foo', op: 'regex', value: 'bar.*|baz' }],
    ['foo!~"[a-z]+"', { name: 'foo', op: 'not_regex', value: '[a-z]+' }],
    ['foo=""', { name: 'foo', op: 'eq', value: '' }],
    ['foo="a \\"b\\" \\\\ \\n c"', { name: 'foo', op: 'eq', value: 'a "b" \\ \n c' }],
    ['foo="=!~,{}"', { name: 'foo', op: 'eq', value: '=!~,{}' }],
    ['foo="日本"', { name: 'foo', op: 'eq', value: '日本' }],
    ['"http.route"="/a b"', { name: 'http.route', op: 'eq', value: '/a b' }],
    ['"a \\"b\\""=c', { name: 'a "b"', op: 'eq', value: 'c' }],
    ['🙂=🙂', { name: '🙂', op: 'eq', value: '🙂' }]
  ])('%s is read', (text, matcher) => {
    expect(parseMatchers([text], 'matchers')).toEqual([matcher])
    expect(parseMatchers([formatMatcher(parseMatchers([text], 'matchers')[0]!)], 'matchers')).toEqual([matcher])
  })

  it.each([
    '',
    'foo',
    'foo=',
    '="bar"',
    'foo=="bar"',
    'foo="bar',
    'foo=bar"',
    'foo=b"ar',
    'foo="b"r"',
    'foo=a b',
    'foo="\\x"',
    '{foo="bar"}',
    'foo=~"("',
    'foo!~"a{5000}"'
  ])('%s is refused by its path', text => {
    expect(() => parseMatchers(['a="b"', text], 'route.matchers')).toThrow(
      expect.objectContaining({ code: 'invalid_field', field: 'route.matchers.1' })
    )
  })

  it('match whole values, and absent labels as empty ones', () => {
    expect(matches('a=~"b"', { a: 'abc' })).toBe(false)
    expect(matches('a=~"b.*"', { a: 'b\nc' })).toBe(true)
    expect(matches('a=""', {})).toBe(true)
    expect(matches('a!="x"', {})).toBe(true)
    expect(matches('a=~".+"', {})).toBe(false)
    expect(matches('a!~".+"', { a: '' })).toBe(true)
    expect(matches('constructor=""', {})).toBe(true)
    expect(matches('__proto__="x"', { ['__proto__']: 'x' })).toBe(true)
    expect(matches('__proto__=""', {})).toBe(true)
    expect(compileMatchers([])([])).toBe(true)
  })

  it('are bounded in number, length and the size of their regular expressions', () => {
    expect(parseMatchers(Array<string>(MAX_MATCHERS).fill('a="b"'), 'm')).toHaveLength(MAX_MATCHERS)
    expect(() => parseMatchers(Array<string>(MAX_MATCHERS + 1).fill('a="b"'), 'm')).toThrow('m exceeds 20 matchers (got 21)')
    const fill = (chars: number): string => `a="${'b'.repeat(chars - 4)}"`
    expect(parseMatchers([fill(MAX_MATCHER_CHARS)], 'm')).toHaveLength(1)
    expect(() => parseMatchers([fill(MAX_MATCHER_CHARS + 1)], 'm')).toThrow('must not exceed 2048 characters (got 2049)')
    expect(() => parseMatchers(Array<string>(11).fill('a=~"[x]{990}"'), 'm')).toThrow('must not exceed 10000 characters in total')
  })
})
