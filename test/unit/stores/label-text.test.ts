import { describe, expect, it } from '@jest/globals'
import { sortedStrings } from '../../../src/stores/metrics/label-matching.js'
import { checkLabelSize, firstSeries } from '../../../src/stores/metrics/label-size.js'

/** Ten characters each. */
const series = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ name: 'up', labels: [{ name: 'job', value: String(10_000 + i) }] }))

describe('the labels of the series of a read', () => {
  it('are limited in their total length', () => {
    expect(() => checkLabelSize(series(7), 70)).not.toThrow()
    expect(() => checkLabelSize(series(7), 69)).toThrow('the limit of 69 characters; add a label matcher')
    expect(() => checkLabelSize(series(50_000))).not.toThrow()
    const fat = Array.from({ length: 10_000 }, () => ({ name: 'x', labels: [{ name: 'a', value: 'v'.repeat(1_000) }] }))
    expect(() => checkLabelSize(fat)).toThrow('the limit of 8388608 characters')
  })

  it('cut a list of series, which reports it', () => {
    expect(firstSeries(series(7), 10, 70)).toEqual({ first: series(7), hasMore: false })
    expect(firstSeries(series(7), 5, 70)).toEqual({ first: series(5), hasMore: true })
    expect(firstSeries(series(7), 10, 69)).toEqual({ first: series(6), hasMore: true })
    expect(firstSeries(series(7), 0, 70)).toEqual({ first: [], hasMore: true })
    expect(firstSeries([], 0)).toEqual({ first: [], hasMore: false })
  })

  it('are listed up to a limit of characters, which the list reports', () => {
    const strings = new Set(['b', '', 'a', 'cc'])
    expect(sortedStrings(strings, 3, 4)).toEqual({ values: ['a', 'b', 'cc'], hasMore: false })
    expect(sortedStrings(strings, 3, 3)).toEqual({ values: ['a', 'b'], hasMore: true })
    expect(sortedStrings(strings, 2, 4)).toEqual({ values: ['a', 'b'], hasMore: true })
    expect(sortedStrings(new Set(), 0)).toEqual({ values: [], hasMore: false })
  })
})
