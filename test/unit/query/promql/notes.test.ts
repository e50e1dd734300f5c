import { describe, expect, it } from '@jest/globals'
import { Notes } from '../../../../src/query/promql/evaluate/notes.js'

const AT = { start: 0, end: 1 }

function notesOf(count: number): Notes {
  const notes = new Notes('x')
  for (let i = 0; i < count; i++) {
    notes.warn(`w${i}`, AT)
    notes.inform(`i${i}`, AT)
  }
  return notes
}

describe('notes on a response', () => {
  it('are all shown up to ten of a kind', () => {
    const { warnings, infos } = notesOf(10)
    expect(warnings).toHaveLength(10)
    expect(warnings.at(-1)).toBe('PromQL warning: w9 (1:1)')
    expect(infos.at(-1)).toBe('PromQL info: i9 (1:1)')
  })

  it('report how many more there are', () => {
    const { warnings, infos } = notesOf(12)
    expect(warnings.slice(9)).toEqual(['PromQL warning: w9 (1:1)', '2 more warning annotations omitted'])
    expect(infos.slice(9)).toEqual(['PromQL info: i9 (1:1)', '2 more info annotations omitted'])
  })

  it('count a sentence once', () => {
    const notes = notesOf(10)
    notes.inform('i3', AT)
    expect(notes.infos).toHaveLength(10)
  })
})
