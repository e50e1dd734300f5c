import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { fold } from '../../../src/domain/case-folding.js'
import { unreachable } from '../../../src/domain/errors.js'
import { toNeedle, trigrams } from '../../../src/stores/elasticsearch/document/trigrams.js'

/** What the engine does with a needle, in plain code. */
function isFound(grams: string, substring: string): boolean {
  const words = grams === '' ? [] : grams.split(' ')
  const needle = toNeedle(substring)
  switch (needle.kind) {
    case 'everything':
      return true
    case 'prefix':
      return words.some(word => word.startsWith(needle.text))
    case 'term':
      return words.includes(needle.text)
    case 'phrase':
      return ` ${words.join(' ')} `.includes(` ${needle.text} `)
    default:
      return unreachable(needle)
  }
}

// What Java's Character.isWhitespace holds for.
const WHITE_SPACE =
  '\t\n\v\f\r\u001c\u001d\u001e\u001f \u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2008\u2009\u200a\u2028\u2029\u205f\u3000'

const SPECIAL = [...'abAB .%_*\\"\t\n\u0000\u0001\u0002\u001c\u3000\u00a0\u0085éÉßςΣσİK\u{1f680}中XYZ']

describe('trigrams', () => {
  it('hold no white space that would split them', () => {
    const windows = trigrams(`a${WHITE_SPACE}b`).split(' ')
    expect(windows).toHaveLength(WHITE_SPACE.length + 2)
    expect(windows.every(window => [...WHITE_SPACE].every(space => !window.includes(space)))).toBe(true)
  })

  it('of ASCII are those of any other text', () => {
    const ascii = fc.string({ unit: fc.integer({ min: 0, max: 127 }).map(code => String.fromCharCode(code)), minLength: 1 })
    fc.assert(
      fc.property(ascii, text => {
        // Three characters of another script make it another path; the windows before them are the same.
        const [own, other] = [trigrams(text).split(' '), trigrams(`${text}中中中`).split(' ')]
        expect(own).toHaveLength(text.length)
        expect(own.slice(0, -2)).toEqual(other.slice(0, text.length - 2 < 0 ? 0 : text.length - 2))
        expect(own.at(-1)).toBe(`${other[text.length - 1]![0]}ZZ`)
      })
    )
  })

  it('find a substring, case-insensitive, exactly where it is', () => {
    const anything = fc.string({ unit: fc.constantFrom(...SPECIAL), maxLength: 12 })
    const needle = fc.string({ unit: fc.constantFrom(...SPECIAL), maxLength: 4 })
    fc.assert(
      fc.property(anything, needle, (haystack, substring) => {
        expect(isFound(trigrams(haystack), substring)).toBe(fold(haystack).includes(fold(substring)))
      }),
      { numRuns: 3_000 }
    )
    fc.assert(
      fc.property(anything, fc.nat(), fc.nat(), (haystack, from, length) => {
        const chars = [...haystack]
        const start = from % (chars.length + 1)
        const substring = chars.slice(start, start + (length % 6)).join('')
        expect(isFound(trigrams(haystack), substring)).toBe(true)
      })
    )
  })
})
