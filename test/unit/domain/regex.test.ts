import { describe, expect, it } from '@jest/globals'
import { plainAlternatives, regexSize } from '../../../src/domain/regex.js'

describe('the size of a regex', () => {
  it.each([
    ['', 0],
    ['abc', 3],
    ['a.*', 3],
    ['[a-z{9}]b', 2],
    ['[]]a', 2],
    [String.raw`\{5}`, 3],
    ['a{3}', 3],
    ['a{2,5}b', 6],
    ['a{2,}', 2],
    ['(ab){10}', 30],
    ['((a{10}){10}){10}', 1110],
    ['{5}', 0],
    ['a{x}', 4],
    ['(((', 0],
    [')a', 2],
    [String.raw`\Q[\Eab`, 3],
    [String.raw`\Q{9}\E{3}`, 5],
    [String.raw`\Qa(`, 2]
  ])('%s is %d', (pattern, size) => {
    expect(regexSize(pattern)).toBe(size)
  })

  it('is found quickly whatever the text', () => {
    expect(regexSize(`${'('.repeat(50_000)}a{1000}${')'.repeat(50_000)}`)).toBeGreaterThan(50_000)
  })
})

describe('a list of values', () => {
  it.each<[string, readonly string[] | null]>([
    ['a', ['a']],
    ['a|b', ['a', 'b']],
    ['(a|b-1)', ['a', 'b-1']],
    [String.raw`demo\.io:80|x\|y`, null],
    [String.raw`demo\.io:80|/a/b`, ['demo.io:80', '/a/b']],
    ['', ['']],
    ['a|', ['a', '']],
    ['(a)(b)', null],
    ['a.b', null],
    [String.raw`\d`, null],
    ['(?i)a', null]
  ])('%s', (pattern, values) => {
    expect(plainAlternatives(pattern)).toEqual(values)
  })
})
