import { describe, expect, it } from '@jest/globals'
import { movedFirst } from '../../../../src/query/correlation/rank-changes.js'
import { benjaminiHochberg } from '../../../../src/query/statistics/false-discovery.js'
import { compareWindows } from '../../../../src/query/correlation/compare-windows.js'
import { twoSidedTail, rankSumTest } from '../../../../src/query/statistics/rank-sum.js'
import { median, robustSigma, varianceInflation } from '../../../../src/query/correlation/robust.js'

/** mulberry32: the same numbers in every run. */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

function normals(next: () => number): () => number {
  return () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())
}

describe('twoSidedTail', () => {
  // Tables of the normal distribution; the last two by R's 2 * pnorm(-z).
  it.each([
    [0, 1],
    [1, 0.317310507862914],
    [1.959963984540054, 0.05],
    [-2.575829303548901, 0.01],
    [6, 1.973175290075396e-9],
    [10, 1.523970604832105e-23]
  ])('z = %f', (z, p) => expect(twoSidedTail(z) / p).toBeCloseTo(1, 9))

  it('has no step where the two expansions meet', () => {
    expect(twoSidedTail(2.5 - 1e-12) / twoSidedTail(2.5)).toBeCloseTo(1, 10)
  })
})

describe('rankSumTest', () => {
  it('refuses what has no rank', () => {
    expect(() => rankSumTest([1, Number.NaN], [1, 2])).toThrow(RangeError)
    expect(() => rankSumTest([1], [Infinity])).toThrow(RangeError)
  })

  it('knows the textbook case of Mann and Whitney: 3 values above 4', () => {
    // 1 of 35 arrangements, twice.
    expect(rankSumTest([5, 6, 7], [1, 2, 3, 4])).toEqual({ u: 12, delta: 1, p: expect.closeTo(2 / 35, 12) })
  })

  it('agrees with the permeability constants of Hollander and Wolfe, as R prints them for wilcox.test', () => {
    const x = [0.8, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46]
    const y = [1.15, 0.88, 0.9, 0.74, 1.21]
    expect(rankSumTest(x, y)).toMatchObject({ u: 35, p: expect.closeTo(0.2544, 4) })
  })

  it('corrects for ties', () => {
    // By hand: variance 16 / 12 * (9 - 36 / 56), continuity 0.5, z = 6.5 / 3.338.
    expect(rankSumTest([2, 3, 3, 4], [1, 1, 2, 2])).toEqual({ u: 15, delta: 0.875, p: expect.closeTo(0.0515, 4) })
    expect(rankSumTest([1, 1, 1], [1, 1, 1, 1])).toMatchObject({ delta: 0, p: 1 })
  })

  it('is never surer than the most extreme arrangement', () => {
    const zeros = Array.from({ length: 30 }, () => 0)
    expect(rankSumTest([1, 1, 1, 1, 1], zeros).p).toBeCloseTo(2 / 324_632, 12)
  })

  it('gives the same p for both directions', () => {
    const [low, high] = [
      [1, 2, 3.5, 8],
      [4, 5, 6, 7, 9, 10]
    ]
    expect(rankSumTest(low, high).p).toBeCloseTo(rankSumTest(high, low).p, 12)
  })

  it.each([1, 1.0000001])('gives uniform p values when nothing changed (inflation %f)', inflation => {
    const next = random(7)
    const draw = () => Array.from({ length: 12 }, next)
    const base = () => Array.from({ length: 60 }, next)
    const ps = Array.from({ length: 4_000 }, () => rankSumTest(draw(), base(), inflation).p)
    for (const level of [0.01, 0.05, 0.2, 0.5, 0.8]) {
      const share = ps.filter(p => p <= level).length / ps.length
      expect(Math.abs(share - level)).toBeLessThan(3.5 * Math.sqrt((level * (1 - level)) / ps.length) + 0.004)
    }
  })
})

describe('robust measures', () => {
  it('takes the median and its deviation', () => {
    expect(median([3, 1, 2])).toBe(2)
    expect(median([4, 1, 2, 3])).toBe(2.5)
    expect(median([])).toBeNull()
    expect(robustSigma([1, 1, 2, 2, 4, 6, 9])).toBeCloseTo(1.4826, 10)
  })

  it('widens for neighbors that resemble each other only', () => {
    const next = random(3)
    expect(varianceInflation(Array.from({ length: 2_000 }, (_, i) => i))).toBeCloseTo(39, 0)
    expect(varianceInflation(Array.from({ length: 2_000 }, (_, i) => i % 2))).toBe(1)
    expect(varianceInflation(Array.from({ length: 2_000 }, next))).toBeLessThan(1.1)
    expect(varianceInflation([1, 1, 1, 1])).toBe(1)
    expect(varianceInflation([1, 2])).toBe(1)
  })

  it('keeps false alarms of series with a memory near the level that was requested', () => {
    const normal = normals(random(11))
    const alarms = { naive: 0, corrected: 0 }
    const runs = 1_500
    for (let run = 0; run < runs; run++) {
      let level = normal()
      const series = Array.from({ length: 140 }, () => (level = 0.5 * level + normal()))
      const [window, baseline] = [series.slice(120), series.slice(0, 120)]
      if (rankSumTest(window, baseline).p <= 0.05) alarms.naive++
      if (compareWindows(window, baseline)!.p <= 0.05) alarms.corrected++
    }
    expect(alarms.naive / runs).toBeGreaterThan(0.15)
    expect(alarms.corrected / runs).toBeLessThan(0.08)
  })
})

describe('benjaminiHochberg', () => {
  it('agrees with the example of the paper (1995, section 3.2)', () => {
    const ps = [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.324, 0.4262, 0.5719, 0.6528, 0.759, 1]
    const corrected = benjaminiHochberg(ps)
    expect(corrected.filter(q => q <= 0.05)).toHaveLength(4)
    expect(corrected.slice(0, 4)).toEqual([0.0015, 0.003, 0.0095, 0.035625].map(q => expect.closeTo(q, 10)))
  })

  it('keeps the order of the query', () => {
    expect(benjaminiHochberg([0.5, 0.01])).toEqual([0.5, 0.02])
    expect(benjaminiHochberg([])).toEqual([])
  })
})

describe('many series, one of which moved', () => {
  const world = (shift: number, seed: number) => {
    const normal = normals(random(seed))
    return Array.from({ length: 100 }, (_, i) => {
      const baseline = Array.from({ length: 120 }, normal)
      const window = Array.from({ length: 20 }, () => normal() + (i === 77 ? shift : 0))
      return { of: i, change: compareWindows(window, baseline)! }
    })
  }

  it('ranks the planted shift first', () => {
    for (let seed = 0; seed < 10; seed++) expect(movedFirst(world(2.5, seed))[0]?.of).toBe(77)
  })

  it('reports that nothing moved when nothing did', () => {
    const runs = Array.from({ length: 40 }, (_, seed) => movedFirst(world(0, 1_000 + seed)).length)
    expect(runs.filter(moved => moved > 0).length / runs.length).toBeLessThan(0.13)
  })

  it('is not led astray by one outlier', () => {
    const quiet = Array.from({ length: 120 }, (_, i) => i % 7)
    const spike = Array.from({ length: 20 }, (_, i) => (i === 4 ? 1e9 : i % 7))
    expect(movedFirst([{ of: 0, change: compareWindows(spike, quiet)! }])).toEqual([])
  })

  it('needs a few points on both sides', () => {
    expect(compareWindows([1, 2], Array(20).fill(1))).toBeNull()
    expect(compareWindows([1, 2, 3], Array(7).fill(1))).toBeNull()
    expect(compareWindows([1, 2, 3], Array(8).fill(1))).not.toBeNull()
  })
})
