import { describe, expect, it } from '@jest/globals'
import { RecentRate } from '../../../src/ingest/recent-rate.js'

const NOW_MS = 1_800_000_000_000

describe('what came lately', () => {
  it('is the mean of the last minute', () => {
    const rate = new RecentRate()
    rate.add(NOW_MS, 30)
    rate.add(NOW_MS + 30_000, 90)
    expect(rate.perSecond(NOW_MS + 30_000)).toBe(2)
    expect(rate.perSecond(NOW_MS + 59_999)).toBe(2)
    expect(rate.perSecond(NOW_MS + 60_000)).toBe(1.5)
    expect(rate.perSecond(NOW_MS + 90_000)).toBe(0)
  })

  it('is nothing before anything came, and after a long time', () => {
    const rate = new RecentRate()
    expect(rate.perSecond(NOW_MS)).toBe(0)
    rate.add(NOW_MS, 60)
    expect(rate.perSecond(NOW_MS + 86_400_000)).toBe(0)
  })

  it('loses nothing when the clock is put back', () => {
    const rate = new RecentRate()
    rate.add(NOW_MS, 60)
    rate.add(NOW_MS - 20_000, 60)
    expect(rate.perSecond(NOW_MS)).toBe(2)
  })
})
