import { describe, expect, it } from '@jest/globals'
import { seededRandom } from '../../../../bench/generate/random.js'
import { effectOfShares, LEAST_EFFECT, MOST_Q, pOfShares, shareChanges } from '../../../../src/query/statistics/shares.js'

const counted = (count: number, total: number, baseCount: number, baseTotal: number) => ({ count, total, baseCount, baseTotal })

describe('the probability of a difference of shares', () => {
  // R: fisher.test(matrix(c(a, n-a, b, m-b), 2))$p.value; the last two: G-test, pchisq(G, 1, lower.tail = FALSE).
  it.each([
    [counted(3, 4, 1, 4), 0.485714],
    [counted(1, 10, 11, 14), 0.002759],
    [counted(0, 100, 0, 100), 1],
    [counted(5, 5, 0, 5), 0.0079365],
    [counted(60, 100, 40, 100), 0.0045398],
    [counted(500, 10_000, 500, 10_000), 1]
  ])('%j is %d', (pair, p) => {
    expect(pOfShares(pair)).toBeCloseTo(p, 5)
  })

  it('is 1 where a window is empty', () => {
    expect(pOfShares(counted(0, 0, 5, 10))).toBe(1)
    expect(pOfShares(counted(5, 10, 0, 0))).toBe(1)
  })

  it('falls with the difference, also where the other test replaces the exact one', () => {
    const ps = Array.from({ length: 30 }, (_, i) => pOfShares(counted(5 + i, 1000, 5, 1000)))
    for (let i = 1; i < ps.length; i++) expect(ps[i]!).toBeLessThan(ps[i - 1]! + (i === 1 ? 1e-9 : 0))
  })
})

describe('changes of shares', () => {
  it('have the binary logarithm of the ratio as effect', () => {
    expect(effectOfShares(counted(400, 1000, 100, 1000))).toBeCloseTo(2, 1)
    expect(effectOfShares(counted(0, 1000, 100, 1000))).toBeLessThan(-7)
  })

  it('are significant when they are both certain and large enough', () => {
    const [small, tiny, large] = shareChanges([
      counted(550_000, 1_000_000, 500_000, 1_000_000),
      counted(2, 10, 1, 10),
      counted(50, 1000, 0, 1000)
    ])
    expect(small!.q).toBeLessThan(MOST_Q)
    expect(Math.abs(small!.effect)).toBeLessThan(LEAST_EFFECT)
    expect([small!.isSignificant, tiny!.isSignificant, large!.isSignificant]).toEqual([false, false, true])
  })

  it('are tested in a short time where a few logs are compared with very many', () => {
    const rare = Array.from({ length: 5_000 }, (_, i) => counted(i % 3, 10_000, 10_000, 50_000_000))
    expect(shareChanges(rare).every(({ isSignificant }) => !isSignificant)).toBe(true)
  })

  it('name nothing in at least 95 % of the runs over shuffled logs', () => {
    const random = seededRandom(17)
    const patterns = 30
    let silent = 0
    for (let run = 0; run < 200; run++) {
      const draw = (): number[] => {
        const counts = Array.from({ length: patterns }, () => 0)
        for (let i = 0; i < 1000; i++) counts[Math.floor(patterns * random.next() ** 3)]!++
        return counts
      }
      const [after, before] = [draw(), draw()]
      const changes = shareChanges(after.map((count, i) => counted(count, 1000, before[i]!, 1000)))
      if (!changes.some(({ isSignificant }) => isSignificant)) silent++
    }
    expect(silent / 200).toBeGreaterThanOrEqual(0.95)
  })
})
