import { describe, expect, it } from '@jest/globals'
import { seededRandom } from '../../../../bench/generate/random.js'
import { compareBinned, LEAST_NUMBERS } from '../../../../src/query/statistics/binned-ranks.js'
import { rankSumTest } from '../../../../src/query/statistics/rank-sum.js'

/** Numbers with these counts by interval: the number of the interval, repeated. */
function numbersOf(counts: readonly number[]): number[] {
  return counts.flatMap((count, i) => Array.from({ length: count }, () => i))
}

describe('ranks of counts by interval', () => {
  it('are those of the numbers themselves', () => {
    const random = seededRandom(3)
    for (let run = 0; run < 50; run++) {
      const draw = () => Array.from({ length: 6 }, () => 4 + Math.floor(random.next() * 30))
      const [counts, base] = [draw(), draw()]
      const { delta, p } = compareBinned(counts, base)!
      const expected = rankSumTest(numbersOf(counts), numbersOf(base))
      expect(delta).toBeCloseTo(expected.delta, 12)
      expect(p).toBeCloseTo(expected.p, 10)
    }
  })

  it('agree with the textbook: health of 100 patients under two treatments, by hand', () => {
    // u = 10 * (20 / 2) + 20 * (20 + 20 / 2) + 20 * (40 + 10 / 2) = 1600 of 2500; ties 30^3-30 + 40^3-40 + 30^3-30;
    // variance 2500 / 12 * (101 - 117900 / 9900) = 18560.6; z = (1600 - 1250 - 0.5) / 136.238 = 2.56537.
    const { delta, p } = compareBinned([10, 20, 20], [20, 20, 10])!
    expect(delta).toBeCloseTo(0.28, 12)
    expect(p).toBeCloseTo(0.010306, 5)
  })

  it('cut where the shares of both sides differ most', () => {
    expect(compareBinned([10, 0, 0, 90], [10, 80, 5, 5])).toMatchObject({ cut: 2 })
    expect(compareBinned([90, 5, 5, 0], [5, 5, 10, 80])).toMatchObject({ cut: 0 })
  })

  it('are not computed for too few numbers, and equal without a difference', () => {
    expect(compareBinned([LEAST_NUMBERS - 1, 0], [100, 100])).toBeNull()
    expect(compareBinned([100, 100], [0, 0])).toBeNull()
    expect(compareBinned([LEAST_NUMBERS, 0], [LEAST_NUMBERS, 0])).toMatchObject({ delta: 0, p: 1 })
  })

  it('hold for a million numbers', () => {
    expect(compareBinned([500_000, 500_000], [500_000, 500_000])!.p).toBe(1)
    expect(compareBinned([495_000, 505_000], [505_000, 495_000])!.p).toBeLessThan(1e-40)
  })
})
