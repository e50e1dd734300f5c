import { describe, expect, it } from '@jest/globals'
import { latencyBounds, latencySeries, MOST_FINE_POINTS } from '../../../src/query/apm/latency-series.js'

/** Counts of one bucket of time, as stores have them. */
function counted(durationsNs: readonly number[], bounds: readonly bigint[]) {
  const indexOf = (ns: number): number => {
    const found = bounds.findIndex(bound => ns <= bound)
    return found < 0 ? bounds.length : found
  }
  const buckets = Array.from({ length: bounds.length + 1 }, (_, i) => [durationsNs.filter(ns => indexOf(ns) === i).length])
  return { spans: [durationsNs.length], errors: [0], buckets }
}

function p50Of(durationsNs: readonly number[], points = 1): number | null {
  const bounds = latencyBounds(points)
  return latencySeries(counted(durationsNs, bounds), bounds).p50Ms[0]!
}

describe('percentiles over time', () => {
  it('has ascending bounds from 0.13 ms to 1,100 s, fewer on long grids', () => {
    for (const [points, length] of [
      [1, 185],
      [MOST_FINE_POINTS, 185],
      [MOST_FINE_POINTS + 1, 93],
      [500, 93]
    ] as const) {
      const bounds = latencyBounds(points)
      expect([bounds.length, bounds[0], bounds.at(-1)]).toEqual([length, 131_072n, 2n ** 40n])
      expect(bounds.every((bound, i) => i === 0 || bound > bounds[i - 1]!)).toBe(true)
      // What a search store may count for one service.
      expect(points * (bounds.length + 3) + bounds.length * 2 + 1_000).toBeLessThan(65_536)
    }
  })

  it('is within 5 % of every duration, within 10 % on long grids', () => {
    for (let ns = 131_073; ns < 2 ** 40; ns *= 1.013) {
      expect(Math.abs(p50Of([ns])! / (ns / 1e6) - 1)).toBeLessThanOrEqual(0.05)
      expect(Math.abs(p50Of([ns], 400)! / (ns / 1e6) - 1)).toBeLessThanOrEqual(0.1)
    }
  })

  it('interpolates between closest ranks', () => {
    const [low, high] = [p50Of([1e6])!, p50Of([9e6])!]
    expect(p50Of([1e6, 9e6])).toBeCloseTo((low + high) / 2, 10)
    expect(p50Of([1e6, 1e6, 9e6])).toBe(low)
  })

  it('has half of the first bound for shorter durations, the last bound for longer ones, null for none', () => {
    expect([p50Of([0]), p50Of([5e15]), p50Of([])]).toEqual([0.065536, 2 ** 40 / 1e6, null])
  })
})
