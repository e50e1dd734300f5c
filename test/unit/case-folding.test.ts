import { describe, expect, it } from '@jest/globals'
import { fold, needsFoldColumn } from '../../src/domain/case-folding.js'

describe('case folding', () => {
  it.each([
    ['Out-Of-STOCK', 'out-of-stock'],
    ['ÉCLAIR', 'éclair'],
    ['ΣΊΣΥΦΟΣ', 'σίσυφοσ'],
    ['σίσυφος', 'σίσυφοσ'],
    ['Straße ẞ', 'straße ß'],
    ['İstanbul', 'İstanbul'],
    ['ſ K Å', 's k å'],
    ['ꭰ', 'Ꭰ'],
    ['𐐀', '𐐨'],
    ['ﬅ', 'ﬆ']
  ])('folds %s to %s', (text, expected) => {
    expect(fold(text)).toBe(expected)
  })

  it('agrees with the simple folding of regular expressions for every cased code point', () => {
    const wrong: string[] = []
    for (let code = 0; code <= 0xffff; code++) {
      const char = String.fromCodePoint(code)
      if (!/\p{Changes_When_Casefolded}/u.test(char)) continue
      if (fold(char) !== char && !new RegExp(`^${char}$`, 'iu').test(fold(char))) wrong.push(char)
    }
    expect(wrong).toEqual([])
  })

  it('folds twice as once', () => {
    for (let code = 0; code <= 0x1ffff; code++) {
      const char = String.fromCodePoint(code)
      if (fold(fold(char)) !== fold(char)) throw new Error(`U+${code.toString(16)}`)
    }
  })

  it('keeps plain text out of the fold column', () => {
    expect(needsFoldColumn('GET /items/42 ÉCLAIR Ω')).toBe(false)
    expect(needsFoldColumn('micro µ')).toBe(true)
  })
})
