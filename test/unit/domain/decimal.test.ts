import { expect, it } from '@jest/globals'
import { isDecimal } from '../../../src/domain/decimal.js'

it.each(['0', '12', '+1', '-1.5', '7.', '.5', '1e3', '1.5E-3', '-.5e+10'])('%s is a decimal number', text => {
  expect(isDecimal(text)).toBe(true)
})

it.each(['', '.', '+', '1e', 'e5', '1..2', '1.2.3', '0x1', '1_000', ' 1', 'NaN', 'Infinity'])('"%s" is none', text => {
  expect(isDecimal(text)).toBe(false)
})

it('looks at long texts in a time that grows with their length', () => {
  // With a pattern that splits digits in several ways these take minutes.
  expect(isDecimal(`${'1'.repeat(500_000)}x`)).toBe(false)
  expect(isDecimal(`.${'1'.repeat(500_000)}x`)).toBe(false)
})
