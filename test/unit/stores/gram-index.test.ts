import { describe, expect, it } from '@jest/globals'
import { caseClasses, fold } from '../../../src/domain/case-folding.js'
import { forEachGram, SLOTS, STRANGERS } from '../../../src/stores/duckdb/gram-index.js'

function gramsOf(text: string): number[] {
  const slots: number[] = []
  forEachGram(Buffer.from(text), slot => slots.push(slot))
  return slots
}

describe('the grams of a text', () => {
  it('are all runs of five characters, each within the slots', () => {
    const slots = gramsOf('page-fault')
    expect(slots).toHaveLength(6)
    expect(new Set(slots).size).toBe(6)
    expect(slots.every(slot => Number.isInteger(slot) && slot >= 0 && slot < SLOTS)).toBe(true)
    expect(gramsOf('a page-fault!')).toEqual(expect.arrayContaining(slots))
    expect(gramsOf('fault')).toEqual(slots.slice(-1))
    expect(gramsOf('faul')).toEqual([])
  })

  it('are case-insensitive, and differ by everything else', () => {
    expect(gramsOf('PaGe-FAULT')).toEqual(gramsOf('page-fault'))
    expect(gramsOf('[\\]^_')).not.toEqual(gramsOf('{|}~_'))
    expect(gramsOf('@abcd')).not.toEqual(gramsOf('`abcd'))
  })

  it('stop at characters that are not printable ASCII', () => {
    expect(gramsOf('page-\nfault')).toEqual([...gramsOf('page-'), ...gramsOf('fault')])
    expect(gramsOf('café-bar')).toEqual([])
    expect(gramsOf('\u{7f}é\u{1f680}')).toEqual([])
  })

  it('of a folded text are among those of each text that folds to it, where no stranger is', () => {
    const strangers = new Set(STRANGERS.map(String))
    for (const variants of caseClasses()) {
      const others = variants.filter(variant => !strangers.has(variant))
      for (const variant of others) {
        const text = `left${variant}right`
        expect(gramsOf(text)).toEqual(expect.arrayContaining(gramsOf(fold(text))))
      }
    }
    expect([...strangers].sort()).toEqual(['\u{17f}', '\u{212a}'])
  })
})
