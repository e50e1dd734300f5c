import { describe, expect, it } from '@jest/globals'
import { GIVE_UP_AFTER_MS, nextAttemptMs, parseRetryAfter } from '../../../../src/alerting/notify/deliver/retry-schedule.js'

const NOW = 1_763_700_000_000

describe('attempts', () => {
  it('follow after 5 s, 30 s, 2, 5, 15 and 30 min, then hourly to 24 h', () => {
    const delays: number[] = []
    let nowMs = NOW
    for (let tries = 1; ; tries++) {
      const next = nextAttemptMs({ tries, sinceMs: NOW, nowMs, retryAfterMs: null, random: 0 })
      if (next === null) break
      delays.push((next - nowMs) / 1_000)
      nowMs = next
    }
    expect(delays.slice(0, 7)).toEqual([5, 30, 120, 300, 900, 1_800, 3_600])
    expect(new Set(delays.slice(7))).toEqual(new Set([3_600]))
    expect(nowMs - NOW).toBeLessThanOrEqual(GIVE_UP_AFTER_MS)
    expect(delays).toHaveLength(29)
  })

  it('are delayed by a tenth at most', () => {
    expect(nextAttemptMs({ tries: 1, sinceMs: NOW, nowMs: NOW, retryAfterMs: null, random: 1 })).toBe(NOW + 5_500)
  })

  it('wait as long as the receiver requests, up to an hour', () => {
    const after = (retryAfterMs: number): number | null =>
      nextAttemptMs({ tries: 1, sinceMs: NOW, nowMs: NOW, retryAfterMs, random: 0 })
    expect([after(1_000), after(60_000), after(7_200_000)]).toEqual([NOW + 5_000, NOW + 60_000, NOW + 3_600_000])
  })

  it('end when the next one would be later than 24 h', () => {
    const at = (nowMs: number): number | null => nextAttemptMs({ tries: 20, sinceMs: NOW, nowMs, retryAfterMs: null, random: 0 })
    expect(at(NOW + GIVE_UP_AFTER_MS - 3_600_000)).toBe(NOW + GIVE_UP_AFTER_MS)
    expect(at(NOW + GIVE_UP_AFTER_MS - 3_600_000 + 1)).toBeNull()
  })
})

it.each([
  ['120', 120_000],
  [' 0 ', 0],
  ['Wed, 21 Oct 2015 07:28:00 GMT', 0],
  [new Date(NOW + 90_000).toUTCString(), 90_000],
  ['-1', null],
  ['1.5', null],
  ['soon', null],
  ['99999999999', null],
  [undefined, null]
])('Retry-After %s is %s', (header, ms) => {
  expect(parseRetryAfter(header, NOW)).toBe(ms)
})
