import { expect, it } from '@jest/globals'
import { readNumber } from '../../../../src/query/promql/syntax/read-number.js'

it.each<[string, number | null]>([
  ['0', 0],
  ['010', 8],
  ['0_7_1', 57],
  ['08', 8],
  ['0x1_f', 31],
  ['1_000.5_0e1_0', 1000.5e10],
  ['.5', 0.5],
  ['5.', 5],
  ['0__7', null],
  ['1_', null],
  ['.', null],
  ['1._5', null]
])('%s is read as %s', (text, value) => expect(readNumber(text)).toBe(value))

it('reads long numbers in a time that grows with their length', () => {
  // With a pattern that splits digits in several ways the first of these does not end.
  expect(readNumber(`0${'7'.repeat(200)}8`)).toBe(Number(`${'7'.repeat(200)}8`))
  expect(readNumber(`${'1'.repeat(19_998)}_ `)).toBeNull()
})
