import { describe, expect, it } from '@jest/globals'
import { measurePointCases } from './measure-point-cases.js'
import { expectedSeries, MEASURE_STEP_MS, type SeriesValues, stepFaults } from './measure-recount.js'

describe('the recount of saved measures', () => {
  const fromMs = 1_000 * MEASURE_STEP_MS
  const steps = { fromMs, toMs: fromMs + 32 * MEASURE_STEP_MS }
  const at = (step: number): number => fromMs + step * MEASURE_STEP_MS
  const records = [
    { atMs: fromMs, shop: 'a', amount: 10 },
    { atMs: at(1) - 1, shop: 'b', amount: 100 },
    { atMs: at(1), shop: 'b', amount: 101 }
  ]
  const expected = expectedSeries(records, steps)
  const valuesOf = (key: string): readonly number[] => [...expected.get(key)!.values()]

  it('has a value of each step, at its end', () => {
    expect([...expected.get('orders{}')!.keys()].slice(0, 2)).toEqual([at(1), at(2)])
    expect(valuesOf('orders{}')).toEqual([2, 1, ...Array.from({ length: 30 }, () => 0)])
    expect(valuesOf('sizes_bucket{le=10}').slice(0, 2)).toEqual([1, 0])
    expect(valuesOf('sizes_bucket{le=100}').slice(0, 2)).toEqual([2, 0])
    expect(valuesOf('sizes_bucket{le=+Inf}').slice(0, 2)).toEqual([2, 1])
    expect(valuesOf('sizes_sum{}').slice(0, 2)).toEqual([110, 101])
  })
  it('has zeros of a group for five minutes after its last record, then nothing', () => {
    expect(expected.get('spent{shop=a}')!.size).toBe(31)
    expect(expected.get('spent{shop=b}')!.size).toBe(32)
    expect(expected.get('spent{shop=b}')!.get(at(32))).toBe(0)
  })
  it('sees a missing sample, another value, and one that should not be there', () => {
    const one = (values: readonly (readonly [number, number])[]): SeriesValues => new Map([['m{}', new Map(values)]])
    const good = one([
      [10, 1],
      [20, 0]
    ])
    expect(stepFaults(good, good)).toEqual([])
    expect(stepFaults(good, one([[10, 2]]))).toEqual(['m{} at 10: 2 instead of 1', 'm{} at 20: nothing instead of 0'])
    expect(stepFaults(one([[10, 1]]), good)).toEqual(['m{} at 20: no such step'])
    expect(stepFaults(new Map(), good)).toEqual(['m{} at 10: no such step', 'm{} at 20: no such step'])
  })
})

describe('kill -9 at each fail point of saved measures, on the embedded stores', () => {
  measurePointCases(() => Promise.resolve({}))
})
