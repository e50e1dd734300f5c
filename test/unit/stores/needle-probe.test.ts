import { describe, expect, it } from '@jest/globals'
import { fold } from '../../../src/domain/case-folding.js'
import { isWholeNeedle, probeSpellings } from '../../../src/stores/duckdb/read/needle-probe.js'

describe('the piece of a needle that is searched first', () => {
  it.each(['timeout', 'order 4711 was lost', 'a', '\u{1F600}'.repeat(100), 'ß'.repeat(9)])(
    'of %s is inside it, in all its spellings',
    needle => {
      const spellings = probeSpellings(fold(needle))
      expect(spellings.length).toBeGreaterThan(0)
      for (const spelling of spellings) expect(fold(needle)).toContain(fold(spelling))
    }
  )

  it('prefers digits and signs, which have one spelling', () => {
    expect(probeSpellings('user 4711-22')).toEqual([' 4711-22'])
  })

  it('is the whole of a short needle', () => {
    expect(isWholeNeedle('4711', probeSpellings('4711'))).toBe(true)
    expect(isWholeNeedle('4711471147', probeSpellings('4711471147'))).toBe(false)
  })

  it('is looked for in the first 64 places of a needle', () => {
    expect(probeSpellings(`${'e'.repeat(63)}=1234567`)).toEqual(['=1234567'])
    expect(probeSpellings(`${'e'.repeat(72)}=1234567`).map(fold)).toEqual(Array.from({ length: 4 }, () => 'ee'))
  })

  it('of nothing is nothing', () => {
    expect(probeSpellings('')).toEqual([])
  })
})
