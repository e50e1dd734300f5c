import { describe, expect, it } from '@jest/globals'
import { durationAt, durationAxis, durationTicks, heightOf } from '../../../console/src/charts/duration-axis.js'
import { occupiedRows } from '../../../console/src/charts/heat-map-rows.js'
import { nearestPoint } from '../../../console/src/charts/points.js'

describe('the axis of durations', () => {
  it('has all durations on it, at least a decade of them, from the shortest at the bottom', () => {
    for (const durations of [[5], [1, 2], [0.001, 86_400_000], [0, 3]]) {
      const axis = durationAxis(durations)
      expect(axis.toMs / axis.fromMs).toBeGreaterThanOrEqual(10)
      for (const ms of durations) {
        expect(heightOf(axis, ms)).toBeGreaterThanOrEqual(0)
        expect(heightOf(axis, ms)).toBeLessThanOrEqual(1)
      }
    }
  })

  it('converts a height back to its duration', () => {
    const axis = durationAxis([1, 1_000])
    for (const ms of [1, 30, 1_000]) expect(durationAt(axis, heightOf(axis, ms))).toBeCloseTo(ms, 6)
  })

  it('names powers of ten, never more than requested', () => {
    expect(durationTicks(durationAxis([0.5, 2_000]), 6)).toEqual([1_000, 100, 10, 1])
    expect(durationTicks(durationAxis([0.001, 86_400_000]), 6).length).toBeLessThanOrEqual(6)
  })
})

describe('rows of a heat map', () => {
  const grid = { start: '2026-01-01T00:00:00Z', stepMs: 1_000, length: 2 }
  const boundsMs = [1, 2, 4, 8, 16, 32]

  it('are those with spans and two on either side', () => {
    const counts = [0, 0, 0, 7, 0, 0, 0].map(count => [0, count])
    expect(occupiedRows({ grid, boundsMs, counts })).toEqual({ first: 1, last: 5, max: 7, axis: { fromMs: 1, toMs: 32 } })
  })

  it('have ends where the buckets are open', () => {
    const counts = [1, 0, 0, 0, 0, 0, 1].map(count => [count, 0])
    expect(occupiedRows({ grid, boundsMs, counts })).toMatchObject({ first: 0, last: 6, axis: { fromMs: 0.5, toMs: 64 } })
  })

  it('do not exist without spans', () => {
    expect(occupiedRows({ grid, boundsMs, counts: boundsMs.map(() => [0, 0]) })).toBeNull()
  })
})

describe('the nearest point', () => {
  const points = [0, 500, 1_000].map(startMs => ({ id: `${startMs}`, startMs, durationMs: 10, isError: false }))
  const scale = { fromMs: 0, toMs: 1_000, durations: durationAxis([10]) }

  it('is the one under the pointer, none when nothing is near', () => {
    expect(nearestPoint(points, scale, { x: 0.51, y: 0.5 })).toBe(1)
    expect(nearestPoint(points, scale, { x: 0.25, y: 0.5 })).toBeNull()
    expect(nearestPoint(points, scale, { x: 0.5, y: 0.9 })).toBeNull()
  })
})
