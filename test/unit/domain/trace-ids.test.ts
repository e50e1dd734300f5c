import { describe, expect, it } from '@jest/globals'
import * as fc from 'fast-check'
import { parseDurationNs } from '../../../src/domain/duration.js'
import { canonicalSpanId, canonicalTraceId, idSpellings } from '../../../src/domain/trace-ids.js'

const anyId = fc.stringMatching(/^[0-9a-f]{32}$/)

describe('ids of traces and spans', () => {
  it('mean the same in any capitalisation and without leading zeros', () => {
    fc.assert(
      fc.property(anyId, id => {
        for (const spelling of idSpellings(id)) expect(canonicalTraceId(spelling)).toBe(id)
        expect(canonicalTraceId(`00${id}`)).toBe(id)
      })
    )
    expect(canonicalSpanId('AB')).toBe('00000000000000ab')
  })

  it('are nothing else', () => {
    for (const text of ['', ' ', 'xyz', 'ab cd', `1${'0'.repeat(32)}`, 'ä', '0x1f', '-1'])
      expect(canonicalTraceId(text)).toBeNull()
    expect(canonicalSpanId(`1${'0'.repeat(16)}`)).toBeNull()
  })
})

describe('lengths of time in nanoseconds', () => {
  it.each([
    ['1ns', 1n],
    ['1.5us', 1_500n],
    ['2µs', 2_000n],
    ['250ms', 250_000_000n],
    ['1m30s', 90_000_000_000n],
    ['0.1ns', 0n],
    ['9007199254740993ns', 9_007_199_254_740_993n],
    ['10000000000000000000s', null],
    ['123456789012345ns', 123_456_789_012_345n],
    ['10', null],
    ['', null],
    ['-1s', null],
    ['1s ', null]
  ])('%s', (text, ns) => expect(parseDurationNs(text)).toBe(ns))
})
