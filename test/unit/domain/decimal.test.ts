import { expect, it } from '@jest/globals'
import { isDecimal } from '../../../src/domain/decimal.js'
import { endsAtOnce } from '../../support/at-once.js'

it.each(['0', '12', '+1', '-1.5', '7.', '.5', '1e3', '1.5E-3', '-.5e+10'])('%s is a decimal number', text => {
  expect(isDecimal(text)).toBe(true)
})

it.each(['', '.', '+', '1e', 'e5', '1..2', '1.2.3', '0x1', '1_000', ' 1', 'NaN', 'Infinity'])('"%s" is not a decimal', text => {
  expect(isDecimal(text)).toBe(false)
})

it('looks at a long text at once', async () => {
  // With a pattern that splits digits in several ways it takes a minute.
  expect(await endsAtOnce(() => expect(isDecimal(`${'1'.repeat(300_000)}x`)).toBe(false))).toBe(true)
})
