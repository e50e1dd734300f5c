import { describe, expect, it } from '@jest/globals'
import * as fc from 'fast-check'
import { LinePattern, MATCHED_CHARS } from '../../agent/src/line-pattern/line-pattern.js'

const matches = (pattern: string, line: string): boolean => new LinePattern(pattern).matches(line)

/** Patterns of few characters, so that they match often. */
const patterns = fc.letrec<{ pattern: string; atom: string }>(tie => ({
  atom: fc.oneof(
    fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '[a-b]', '\\d', '\\w', '\\s', '\\S', '\\.', ' '),
    tie('pattern').map(pattern => `(?:${pattern})`)
  ),
  pattern: fc
    .array(fc.tuple(tie('atom'), fc.constantFrom('', '', '', '*', '+', '?', '{2}', '{0,2}', '{1,}', '*?')), { maxLength: 4 })
    .chain(parts => fc.constantFrom('', '|b', '|').map(other => parts.map(([atom, count]) => atom + count).join('') + other))
})).pattern

describe('a pattern of lines', () => {
  it('matches what a regular expression of JavaScript matches', () => {
    const ends = fc.tuple(fc.constantFrom('', '^'), patterns, fc.constantFrom('', '$'))
    fc.assert(
      fc.property(ends, fc.string({ unit: fc.constantFrom('a', 'b', '.', ' ', '7'), maxLength: 12 }), (parts, line) => {
        const pattern = parts.join('')
        expect(matches(pattern, line)).toBe(new RegExp(pattern).test(line))
      }),
      { numRuns: 2_000 }
    )
  })

  it.each([
    ['^\\d{4}-\\d{2}-\\d{2}', '2026-11-24 10:00 INFO a', true],
    ['^\\d{4}-\\d{2}-\\d{2}', '\tat com.shop.Order(Order.java:7)', false],
    ['^\\S', 'Exception in thread', true],
    ['^\\S', '    at f', false],
    ['^(?:INFO|WARN|ERROR) ', 'WARN a', true],
    ['^\\[[^\\]]+\\]', '[main] a', true],
    ['^[^\\s]', '\ta', false],
    ['[]a]', ']', true],
    ['[a-]', '-', true],
    ['a{2', 'a{2', true],
    ['', '', true],
    ['é|日', 'x日', true]
  ])('%s in %j: %s', (pattern, line, expected) => {
    expect(matches(pattern, line)).toBe(expected)
  })

  it('is looked for in the first characters of a line', () => {
    expect(matches('b', `${'a'.repeat(MATCHED_CHARS - 1)}b`)).toBe(true)
    expect(matches('b', `${'a'.repeat(MATCHED_CHARS)}b`)).toBe(false)
    expect(matches('a$', 'a'.repeat(MATCHED_CHARS + 1))).toBe(false)
  })

  it('takes as long for lines that make others backtrack', () => {
    const pattern = new LinePattern('^(?:(?:a+)+)+b$')
    const startedMs = performance.now()
    for (let i = 0; i < 100; i++) pattern.matches('a'.repeat(10_000))
    expect(performance.now() - startedMs).toBeLessThan(2_000)
  })

  it.each([
    ['(a', 'has a group without an end'],
    ['a)', 'has a closing parenthesis without an opening one'],
    ['[a', 'ends too early'],
    ['*a', 'repeats nothing'],
    ['a**', 'repeats a repetition'],
    ['^*', 'repeats an anchor'],
    ['a{101}', 'repeats more than 100 times'],
    ['a{3,2}', 'has a count whose end is before its start'],
    ['(?=a)', 'has a group other than'],
    ['(?<n>a)', 'has a group other than'],
    ['\\1', 'has the unknown escape'],
    ['\\b', 'has the unknown escape'],
    ['[z-a]', 'has a range'],
    ['[\\d-z]', 'has a range'],
    ['[[:alpha:]]', 'has a named class'],
    ['a'.repeat(501), 'exceeds 500 characters (got 501)'],
    ['('.repeat(21) + ')'.repeat(21), 'has more than 20 nested groups'],
    ['(?:a{100}){100}', 'is too long']
  ])('rejects %s', (pattern, fault) => {
    expect(() => new LinePattern(pattern)).toThrow(fault)
  })
})
