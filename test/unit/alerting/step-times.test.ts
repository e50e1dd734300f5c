import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { CATCH_UP_MS } from '../../../src/alerting/schedule/bounds.js'
import { dueSteps, gridOf, lastStep, nextStep } from '../../../src/alerting/schedule/step-times.js'

const NOW_MS = 1_763_700_000_000
const GRID = { intervalMs: 60_000, offsetMs: 7_000 }

describe('steps of a rule', () => {
  it('are multiples of the interval behind an offset that follows from the id', () => {
    const grid = gridOf('rule-a', 60_000)
    expect(grid).toEqual(gridOf('rule-a', 60_000))
    expect(grid.offsetMs).toBeGreaterThanOrEqual(0)
    expect(grid.offsetMs).toBeLessThan(60_000)
    // Stored histories depend on it.
    expect(gridOf('rule', 3_600_000).offsetMs).toBe(889_683)
    const offsets = Array.from({ length: 1_000 }, (_, at) => gridOf(`rule-${at}`, 60_000).offsetMs)
    const inTenths = Array.from(
      { length: 10 },
      (_, tenth) => offsets.filter(offset => Math.floor(offset / 6_000) === tenth).length
    )
    expect(Math.min(...inTenths)).toBeGreaterThan(50)
  })

  it('are at or before a time, and after it', () => {
    expect([lastStep(127_000, GRID), lastStep(126_999, GRID)]).toEqual([127_000, 67_000])
    expect([nextStep(127_000, GRID), nextStep(126_999, GRID)]).toEqual([187_000, 127_000])
    expect(lastStep(0, GRID)).toBe(-53_000)
  })

  it('are due after the last one that was done, up to now', () => {
    const done = lastStep(NOW_MS, GRID)
    expect(dueSteps(GRID, done, done + 59_999)).toEqual({ skippedTo: null, skipped: 0, times: [] })
    expect(dueSteps(GRID, done, done + 60_000).times).toEqual([done + 60_000])
    expect(dueSteps(GRID, done + 1, done + 180_000).times).toEqual([done + 60_000, done + 120_000, done + 180_000])
    // The clock was set back.
    expect(dueSteps(GRID, done, done - 600_000).times).toEqual([])
  })

  it('are skipped when they are more than an hour old', () => {
    const done = lastStep(NOW_MS, GRID)
    const atBound = dueSteps(GRID, done, done + 60_000 + CATCH_UP_MS)
    expect([atBound.skippedTo, atBound.times.length, atBound.times[0]]).toEqual([null, 61, done + 60_000])
    const beyond = dueSteps(GRID, done, done + 60_001 + CATCH_UP_MS)
    expect([beyond.skippedTo, beyond.skipped, beyond.times[0]]).toEqual([done + 60_000, 1, done + 120_000])
  })

  it('leave none out and repeat none, whenever they are looked at', () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 2 * CATCH_UP_MS }), { maxLength: 20 })
    fc.assert(
      fc.property(fc.integer({ min: 10, max: 3_600 }), fc.integer({ min: 0, max: 3_599 }), gaps, (interval, offset, passed) => {
        const grid = { intervalMs: interval * 1_000, offsetMs: (offset % interval) * 1_000 }
        let nowMs = NOW_MS
        let doneMs = nowMs
        let steps = 0
        for (const ms of passed) {
          nowMs += ms
          const { skipped, skippedTo, times } = dueSteps(grid, doneMs, nowMs)
          if (skipped > 0) expect(skippedTo).toBe(nextStep(doneMs, grid) + (skipped - 1) * grid.intervalMs)
          steps += skipped + times.length
          doneMs = times.at(-1) ?? doneMs
        }
        expect(steps).toBe((lastStep(nowMs, grid) - lastStep(NOW_MS, grid)) / grid.intervalMs)
      })
    )
  })
})
