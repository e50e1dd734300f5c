import { describe, expect, it } from '@jest/globals'
import { complexityInSteps, complexityOf, findRecords, sliceItems } from '../../../src/wire/json/json-structure.js'

const MIB = 1024 * 1024
/** A string of 4 MiB with escaped quotes and backslashes, its last character one. */
const LONG = `"${'abcdef\\\\\\"'.repeat((4 * MIB) / 10)}"`
const WIDE = '[],'.repeat((4 * MIB) / 3)

/** The steps of a generator and what it returns. */
function stepsOf<T, R>(generator: Generator<T, R>): { readonly yielded: readonly T[]; readonly returned: R } {
  const yielded: T[] = []
  for (;;) {
    const step = generator.next()
    if (step.done) return { yielded, returned: step.value }
    yielded.push(step.value)
  }
}

describe('the structure of a large body', () => {
  it('is scanned in steps within a long item', () => {
    const bytes = Buffer.from(`[{"a":[${WIDE}[]]},{"b":1}]`)
    const { yielded, returned } = stepsOf(sliceItems(bytes, 0, 64 * 1024))
    const slices = yielded.filter(step => step !== null)
    expect(yielded.length - slices.length).toBeGreaterThanOrEqual(6)
    expect(slices.map(({ start, end }) => bytes.toString('latin1', start, end).slice(0, 5))).toEqual(['{"a":', '{"b":'])
    expect(returned).toBe(bytes.length)
  })

  it('is scanned in steps before the records', () => {
    const bytes = Buffer.from(`{"a":[${WIDE}[]],"logs":[{}]}`)
    const { yielded, returned } = stepsOf(findRecords(bytes, 'logs'))
    expect(yielded.length).toBeGreaterThanOrEqual(6)
    expect(bytes.toString('latin1', returned)).toBe('[{}]}')
  })

  it('is scanned in steps within a long string', () => {
    const bytes = Buffer.from(`[{"a":${LONG}},{"b":1}]`)
    const { yielded, returned } = stepsOf(sliceItems(bytes, 0, 64 * 1024))
    const slices = yielded.filter(step => step !== null)
    expect(yielded.length - slices.length).toBeGreaterThanOrEqual(7)
    expect(slices.map(({ start, end, complexity }) => [end - start, complexity])).toEqual([
      [LONG.length + 6, 2],
      [7, 2]
    ])
    expect(returned).toBe(bytes.length)
  })

  it('is scanned in steps within a long string before the records', () => {
    const bytes = Buffer.from(`{"a":${LONG},${LONG}:1,"logs":[{}]}`)
    const { yielded, returned } = stepsOf(findRecords(bytes, 'logs'))
    expect(yielded.length).toBeGreaterThanOrEqual(14)
    expect(bytes.toString('latin1', returned)).toBe('[{}]}')
  })

  it('is counted in steps within a long string', () => {
    const bytes = Buffer.from(`{"a":${LONG},"b":[1]}`)
    const { yielded, returned } = stepsOf(complexityInSteps(bytes, 100))
    expect(yielded.length).toBeGreaterThanOrEqual(7)
    expect([returned, complexityOf(bytes, 100)]).toEqual([5, 5])
  })

  it('ends with a string that does not end', () => {
    const bytes = Buffer.from(`[{"a":${LONG.slice(0, -1)}`)
    expect(stepsOf(sliceItems(bytes, 0, 64 * 1024)).returned).toBe(-1)
    expect(stepsOf(findRecords(Buffer.from(`{"a":${LONG.slice(0, -1)}`), 'logs')).returned).toBe(-1)
  })
})
