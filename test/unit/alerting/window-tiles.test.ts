import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { windowTiles } from '../../../src/alerting/evaluate/read/window-tiles.js'

const times = (count: number, distance: number): readonly number[] => Array.from({ length: count }, (_, i) => 7 + i * distance)

describe('windows in rows of buckets', () => {
  it('are one read where they follow each other, and one for each minute that overlaps', () => {
    expect(windowTiles(times(3, 60), 60, 10)).toEqual([
      { startMs: 7 - 60, endMs: 127, stepMs: 60, count: 3, perStep: 1, places: [0, 1, 2] }
    ])
    expect(windowTiles(times(5, 60), 120, 10).map(({ places, perStep }) => [places, perStep])).toEqual([
      [[0, 2, 4], 1],
      [[1, 3], 1]
    ])
    expect(windowTiles([7], 300, 10)).toMatchObject([{ count: 1, places: [0] }])
  })

  it('are each a bucket of their own, once, within the limit of buckets', () => {
    const of = fc.integer({ min: 1, max: 60 })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), of, of, fc.integer({ min: 1, max: 20 }), (count, distance, window, most) => {
        const ends = times(count, distance)
        const rows = windowTiles(ends, window, most)
        expect(Math.max(...rows.map(row => row.count))).toBeLessThanOrEqual(most)
        expect(rows.flatMap(({ places }) => places).toSorted((a, b) => a - b)).toEqual(ends.map((_, place) => place))
        for (const { startMs, stepMs, perStep, places, count: buckets } of rows)
          for (const [i, place] of places.entries()) {
            expect(startMs + (i * perStep + 1) * stepMs).toBe(ends[place])
            expect(i * perStep).toBeLessThan(buckets)
          }
      })
    )
  })

  it('fill a row up to its last bucket', () => {
    expect(windowTiles(times(50, 60), 60, 50)).toHaveLength(1)
    expect(windowTiles(times(51, 60), 60, 50)).toHaveLength(2)
  })
})
