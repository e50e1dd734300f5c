import { describe, expect, it } from '@jest/globals'
import * as fc from 'fast-check'
import { RE2JS } from 're2js'
import { isGatewayError } from '../../../src/domain/errors.js'
import { escapeRegex, MAX_REGEX_CHARS, parseRegex } from '../../../src/query/search-language/regex-subset.js'

function codeOf(pattern: string): string {
  try {
    parseRegex(pattern)
    return 'accepted'
  } catch (error) {
    return isGatewayError(error) ? error.code : String(error)
  }
}

/** Lucene's own operators besides RE2's; unescaped they would mean something else there. */
const LUCENE_ONLY = /(?<!\\)(?:\\\\)*["#@&<>~]/

const atom = fc.constantFrom('a', 'b', 'é', '.', '[ab]', '[^b]', '[a-c]', '\\d', '\\W', '\\.', '-', '"', '@', '[\\d_-]', '\\-')
/** Neither deep nor for long strings: JavaScript backtracks for hours over some nested repetitions. */
const { regex } = fc.letrec<{ regex: string; part: string; group: string }>(tie => ({
  part: fc
    .tuple(
      fc.oneof({ maxDepth: 2 }, { weight: 4, arbitrary: atom }, tie('group')),
      fc.constantFrom('', '', '*', '+', '?', '*?', '{1,2}', '{2}')
    )
    .map(([text, repeat]) => text + repeat),
  group: fc.tuple(fc.constantFrom('(', '(?:'), tie('regex')).map(([open, text]) => `${open}${text})`),
  regex: fc.array(fc.oneof(tie('part'), fc.constant('|')), { maxLength: 5 }).map(parts => parts.join(''))
}))

describe('the regexes that every store reads alike', () => {
  it.each([
    ['err.*', 'err.*'],
    ['^a|b$', 'a|b'],
    ['(?:ab)+?', '(ab)+'],
    ['\\d+\\s', '[0-9]+[ \t\n\r\f]'],
    ['[\\w.-]', '[0-9A-Za-z\\_\\.\\-]'],
    ['a@b"c', 'a\\@b\\"c'],
    ['a|', 'a|()'],
    ['x{2,5}', 'x{2,5}'],
    ['', '']
  ])('writes %j as %j', (pattern, written) => expect(parseRegex(pattern)).toBe(written))

  it.each(['a\\b', '(?i)a', '(?=a)', '(?<n>a)', '(?P<n>a)', '\\pL', '\\1', '\\x41', 'a^b', '(^a)', '[\\D]', '\\Qa\\E'])(
    'refuses %j as something that not every store can do',
    pattern => expect(codeOf(pattern)).toBe('query_unsupported')
  )

  it.each([
    '(',
    ')',
    'a)',
    '[',
    '[]',
    '[b-a]',
    '*a',
    'a**',
    'a{',
    'a{2,1}',
    'a{1001}',
    '(a{100}){100}',
    '\\',
    '[[:alpha:]]',
    '}'
  ])('refuses %j as no regex', pattern => expect(codeOf(pattern)).toBe('invalid_query'))
})

describe('the bounds of a regex', () => {
  it('is bounded in length, depth and cost', () => {
    expect(codeOf('a'.repeat(MAX_REGEX_CHARS))).toBe('accepted')
    expect(codeOf('a'.repeat(MAX_REGEX_CHARS + 1))).toBe('invalid_query')
    expect(codeOf('('.repeat(16) + ')'.repeat(16))).toBe('accepted')
    expect(codeOf('('.repeat(17) + ')'.repeat(17))).toBe('invalid_query')
    expect(codeOf('.{1000}'.repeat(4))).toBe('accepted')
    expect(codeOf('.{1000}'.repeat(5))).toBe('invalid_query')
  })
})

describe('a regex as it is written for the stores', () => {
  it('keeps the meaning: the written form in RE2 matches what the sent one matches in JavaScript', () => {
    fc.assert(
      fc.property(
        regex,
        fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'é', '-', '1', '_', '"', '\n'), maxLength: 6 }), {
          maxLength: 8
        }),
        (pattern, strings) => {
          const written = parseRegex(pattern)
          expect(written).not.toMatch(LUCENE_ONLY)
          const re2 = RE2JS.compile(written, RE2JS.DOTALL)
          const oracle = new RegExp(`^(?:${pattern})$`, 's')
          for (const text of strings) expect([text, re2.matches(text)]).toEqual([text, oracle.test(text)])
        }
      ),
      { numRuns: 2_000 }
    )
  })

  it('escapes any text so that it matches just itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii' }), text => {
        expect(parseRegex(escapeRegex(text))).toBe(escapeRegex(text))
        expect(RE2JS.compile(escapeRegex(text)).matches(text)).toBe(true)
      })
    )
  })

  it('throws nothing but its two codes, whatever the text', () => {
    const unit = fc.constantFrom(
      '(',
      ')',
      '[',
      ']',
      '{',
      '}',
      '*',
      '+',
      '?',
      '|',
      '^',
      '$',
      '\\',
      '-',
      '.',
      ',',
      '1',
      'a',
      ':',
      'd',
      '😀'
    )
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 30 }), text => {
        expect(['accepted', 'invalid_query', 'query_unsupported']).toContain(codeOf(text))
        if (codeOf(text) === 'accepted') RE2JS.compile(parseRegex(text))
      }),
      { numRuns: 5_000 }
    )
  })
})
