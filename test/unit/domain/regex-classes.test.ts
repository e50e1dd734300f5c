import { describe, expect, it } from '@jest/globals'
import { RE2JS } from 're2js'
import { classesCost } from '../../../src/domain/regex-classes.js'
import { regexRefusal } from '../../../src/query/promql/regex-bound.js'

describe('what the classes of a regex cost', () => {
  it.each([
    ['abc', 0],
    ['[a-z0-9_.-]+', 0],
    ['(?i)[a-z]', 1],
    ['(?i)[а-я]', 1],
    [String.raw`(?i)[\w.-]`, 0],
    [String.raw`\p{L}+\P{Greek}`, 40],
    [String.raw`[\pL\pN]`, 40],
    [String.raw`(?i)[\pL\pN]`, 200],
    [String.raw`\\p`, 0],
    [String.raw`[B-\x{1e942}]`, 0],
    [String.raw`(?i)[B-\x{1e942}]`, 2_504],
    [String.raw`(?is)[B-\x{1e942}]{3}`, 2_504],
    [String.raw`(?i)[\x42-\x{1e942}x]`, 2_504],
    [String.raw`(?i)[\102-\x{1e942}x]`, 2_504],
    ['(?i)[B-𞥂]', 2_504],
    ['(?i)[]-𞥂]', 2_504],
    ['(?i)[^--𞥂]', 2_504],
    [String.raw`(?i)[\x{0}-\x{10ffff}]`, 0],
    [String.raw`(?i)[B-\x{1e942}`, 2_504],
    ['(?i)[a-', 0],
    ['[', 0],
    ['[]', 0]
  ])('%s: %d', (pattern, cost) => {
    expect(classesCost(pattern)).toBe(cost)
  })

  it('is found quickly whatever the text', () => {
    expect(classesCost(`(?i)${'['.repeat(100_000)}`)).toBe(0)
    expect(classesCost(`(?i)${String.raw`[B-\x{1e942}]`.repeat(10_000)}`)).toBeGreaterThan(10_000_000)
  })
})

describe('a regex', () => {
  it.each([String.raw`(?i)[B-\x{1e942}]`, String.raw`(?i)[\pL\pN]`.repeat(6), String.raw`[\pL`.repeat(51)])(
    'with classes that take long to read is refused: %s',
    pattern => {
      expect(regexRefusal(pattern)).toMatch(/must not exceed 1000 characters .*; a class of Unicode counts as 20 to 100/)
    }
  )

  it.each(['(?i)[а-яё]+-[a-z0-9_.-]{1,40}', String.raw`[\p{L}\p{N}_]+`, String.raw`(?i)error|[^\p{L}]warn`])(
    'with classes that people write is taken: %s',
    pattern => {
      expect(regexRefusal(pattern)).toBeNull()
      expect(() => RE2JS.compile(pattern)).not.toThrow()
    }
  )
})
