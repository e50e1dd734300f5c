import { describe, expect, it } from '@jest/globals'
import { gridTimes, isolatedSamples, lastSample, wholeBuckets, windowBetween } from '../../../console/src/charts/chart-data.js'
import { seriesStyle } from '../../../console/src/charts/series-style.js'

const BOUNDS = { from: '2026-11-23T12:00:00.000000001Z', to: '2026-11-23T13:00:00Z' }
const NOON_MS = Date.UTC(2026, 10, 23, 12)

describe('data of a time chart', () => {
  it('places the points of a grid', () => {
    expect(gridTimes({ start: '2026-11-23T12:00:00Z', stepMs: 30_000, length: 3 })).toEqual([
      NOON_MS,
      NOON_MS + 30_000,
      NOON_MS + 60_000
    ])
  })

  it.each([
    ['a sample between gaps', [null, 4, null, 2, 3], [1]],
    ['a single sample', [0], [0]],
    ['the first and the last sample', [1, null, 2, 2, null, 5], [0, 5]],
    ['no sample', [null, undefined], []],
    ['connected samples', [1, 2, 3], []]
  ])('draws %s as a point', (_, samples, expected) => {
    expect(isolatedSamples(samples)).toEqual(expected)
  })

  it('leaves out buckets that the window cuts', () => {
    const grid = { start: '2026-11-23T12:00:00Z', stepMs: 1_800_000, length: 3 }
    expect(wholeBuckets(grid, [1, 2, 3], { ...BOUNDS, from: '2026-11-23T12:00:01Z' })).toEqual([null, 2, null])
  })

  it('finds the last sample, 0 included', () => {
    expect(lastSample([3, 0, null])).toBe(0)
    expect(lastSample([null])).toBeNull()
  })
})

describe('a selection in a time chart', () => {
  it('becomes a window, in either direction', () => {
    const expected = { from: '2026-11-23T12:10:00Z', to: '2026-11-23T12:20:00Z' }
    expect(windowBetween(NOON_MS + 600_000, NOON_MS + 1_200_000, BOUNDS)).toEqual(expected)
    expect(windowBetween(NOON_MS + 1_200_000, NOON_MS + 600_000, BOUNDS)).toEqual(expected)
  })

  it('keeps the nanoseconds of the bounds and does not leave them', () => {
    expect(windowBetween(NOON_MS - 5_000, NOON_MS + 9e9, BOUNDS)).toEqual(BOUNDS)
  })

  it('selects nothing when it is empty', () => {
    expect(windowBetween(NOON_MS + 1_000, NOON_MS + 1_000, BOUNDS)).toBeNull()
    expect(windowBetween(NOON_MS - 9_000, NOON_MS - 5_000, BOUNDS)).toBeNull()
  })
})

describe('styles of series', () => {
  it('repeat no colour without a dash', () => {
    const styles = Array.from({ length: 32 }, (_, index) => seriesStyle(index))
    expect(new Set(styles.map(({ colour, dash }) => `${colour} ${dash.join()}`)).size).toBe(32)
    expect(styles[8]).toEqual({ colour: 'var(--series-1)', dash: [6, 3] })
  })
})
