import { describe, expect, it } from '@jest/globals'
import { toLucene } from '../../../src/stores/elasticsearch/read/lucene-regex.js'
import { RegexEffort, withoutCounts } from '../../../src/stores/elasticsearch/read/regex-effort.js'
import { readRegex } from '../../../src/stores/elasticsearch/read/regex-syntax.js'

const affordable = (pattern: string): boolean => new RegexEffort().isAffordable(readRegex(pattern))

describe('the automaton of a regex', () => {
  it.each([
    '',
    'shop',
    '.*',
    '.*timeout.*after \\d+ ms.*',
    '(GET|POST|PUT) /api/v\\d/.*',
    '.*[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}.*',
    '(\\d{1,3}\\.){3}\\d{1,3}',
    '={1000}',
    '.*={100}.*',
    '.*error.{1,8}timeout.*',
    '(a|b|ab)*c',
    '[^a]{0,500}'
  ])('of %s can be made', pattern => {
    expect(affordable(pattern)).toBe(true)
  })

  it.each([
    '.*a.{14}',
    '.*a.{30}',
    '.*error.{1,80}timeout.*',
    '.*={500}.*',
    '(.*a){40}.{9}b',
    '(.{0,40}){40}',
    'a{9999}',
    '(a{99}){99}',
    '(((){9999}){9999}){9999}'
  ])('of %s takes too much', pattern => {
    expect(affordable(pattern)).toBe(false)
  })
})

it('the regexes of one filter share a bound', () => {
  const effort = new RegexEffort()
  const costly = readRegex('.*error.{1,80}timeout.*')
  const isCheapAffordable = () => effort.isAffordable(readRegex('.*timeout.*'))
  for (let i = 0; i < 3; i++) effort.isAffordable(costly)
  expect(isCheapAffordable()).toBe(true)
  for (let i = 0; i < 61; i++) effort.isAffordable(costly)
  expect(isCheapAffordable()).toBe(false)
})

it.each([
  ['.*a.{30}', '.*a.+'],
  ['(ab{2,3}|c{0,9}){5}d?', '(ab+|c*)+d?'],
  ['a{1}b{0,1}c{3,}', 'a{1}b?c+']
])('%s without counts is %s', (pattern, wider) => {
  expect(toLucene(withoutCounts(readRegex(pattern)), false)).toBe(wider)
})

it.each(['a*', 'a+', 'a?', 'a{3}', 'a{3,}', 'a{2,9}', '(a|b){0,4}', 'a{0,1}'])('%s is written as it was read', pattern => {
  expect(toLucene(readRegex(pattern), false)).toBe(pattern.replace('{0,1}', '?'))
})
