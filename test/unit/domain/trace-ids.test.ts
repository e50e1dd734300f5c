import { describe, expect, it } from '@jest/globals'
import * as fc from 'fast-check'
import { parseDurationNs } from '../../../src/domain/duration.js'
import {
  canonicalSpanId,
  canonicalTraceId,
  idSpellings,
  isShortTraceId,
  linkedTraceIds,
  linkedTraceIdsOf,
  shortTraceId,
  traceIdSuffix
} from '../../../src/domain/trace-ids.js'

const anyId = fc.stringMatching(/^[0-9a-f]{32}$/)

describe('ids of traces and spans', () => {
  it('mean the same in any capitalization and without leading zeros', () => {
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

describe('trace ids of 64 and of 128 bits', () => {
  const WIDE = '4bf92f3577b34da600f067aa0ba902b7'
  const SHORT = '000000000000000000f067aa0ba902b7'

  it('share their last 16 digits', () => {
    expect([traceIdSuffix(WIDE), traceIdSuffix(SHORT)]).toEqual(['00f067aa0ba902b7', '00f067aa0ba902b7'])
    expect([shortTraceId(WIDE), shortTraceId(SHORT), shortTraceId(`1${'0'.repeat(31)}`)]).toEqual([SHORT, SHORT, null])
    expect([WIDE, SHORT, '0'.repeat(32)].map(isShortTraceId)).toEqual([false, true, false])
  })

  it('are written in logs with 16 digits, zeros in front or without leading zeros', () => {
    const short = [SHORT, SHORT.toUpperCase(), 'f067aa0ba902b7', 'F067AA0BA902B7', '00f067aa0ba902b7', '00F067AA0BA902B7']
    expect([...idSpellings(SHORT)].sort()).toEqual([...short].sort())
    expect([...linkedTraceIds(SHORT)].sort()).toEqual([...short].sort())
    expect([...linkedTraceIds(WIDE)].sort()).toEqual([WIDE, WIDE.toUpperCase(), ...short].sort())
    // Without low bits nothing is left that a sender of 64 bits could name.
    const high = `4bf92f3577b34da6${'0'.repeat(16)}`
    expect(linkedTraceIds(high)).toEqual([high, high.toUpperCase()])
    expect(linkedTraceIdsOf('no id')).toEqual(['no id'])
    expect(linkedTraceIdsOf('00F067aa0ba902b7')).toEqual(expect.arrayContaining(['00F067aa0ba902b7', ...short]))
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
