import { describe, expect, it } from '@jest/globals'
import {
  advanced,
  CHECK_AFTER_MS,
  COUNT_AFTER_MS,
  dueSteps,
  nextDueMs,
  type Scheduled,
  SETTLE_AFTER_MS,
  STEPS_AT_ONCE
} from '../../../../src/alerting/measures/measure-schedule.js'

const STEP_MS = 60_000
const HOUR_MS = 3_600_000
const T0 = 1_000 * HOUR_MS

function scheduled(changes: Partial<Scheduled> = {}): Scheduled {
  return { stepMs: STEP_MS, countedMs: T0, checkedMs: T0, settledMs: T0, backfill: null, ...changes }
}

const due = (measure: Scheduled, nowMs: number, oldestMs = 0) => dueSteps(measure, { nowMs, oldestMs })

/** All that is due until a time, in the order in which it is computed. */
function passes(first: Scheduled, nowMs: number): readonly (readonly [string, number, number])[] {
  const done: [string, number, number][] = []
  let measure = first
  for (let next = due(measure, nowMs); next !== null; next = due(measure, nowMs)) {
    done.push([next.pass, (next.fromMs - T0) / STEP_MS, (next.toMs - T0) / STEP_MS])
    measure = advanced(measure, next)
  }
  return done
}

describe('steps of a saved measure', () => {
  it('are due a little after their end, and not before', () => {
    const dueMs = nextDueMs(scheduled(), T0)
    expect(dueMs).toBe(T0 + STEP_MS + COUNT_AFTER_MS)
    expect(due(scheduled(), dueMs - 1)).toBeNull()
    expect(due(scheduled(), dueMs)).toEqual({ pass: 'counted', fromMs: T0, toMs: T0 + STEP_MS })
  })

  it('are computed three times, in parts, without a gap', () => {
    const nowMs = T0 + SETTLE_AFTER_MS + 2 * HOUR_MS
    const done = passes(scheduled(), nowMs)
    const partsOf = (pass: string) => done.filter(([of]) => of === pass).map(([, from, to]) => [from, to] as const)
    for (const pass of ['counted', 'checked', 'settled']) {
      const parts = partsOf(pass)
      expect(parts[0]![0]).toBe(0)
      expect(parts.slice(1).map(([from]) => from)).toEqual(parts.slice(0, -1).map(([, to]) => to))
      expect(Math.max(...parts.map(([from, to]) => to - from))).toBeLessThanOrEqual(STEPS_AT_ONCE)
    }
    expect(partsOf('counted').at(-1)![1]).toBe((nowMs - T0) / STEP_MS - 1)
    expect(partsOf('checked').at(-1)![1]).toBe((nowMs - CHECK_AFTER_MS - T0) / STEP_MS)
    expect(partsOf('settled').at(-1)![1]).toBe(120)
  })

  it.each([10_000, 300_000, HOUR_MS])('of %i ms follow one another, too', stepMs => {
    let measure = scheduled({ stepMs })
    const nowMs = T0 + SETTLE_AFTER_MS + 2 * HOUR_MS
    for (let next = due(measure, nowMs); next !== null; next = due(measure, nowMs)) {
      expect((next.toMs - next.fromMs) % stepMs).toBe(0)
      expect(next.toMs).toBeGreaterThan(next.fromMs)
      measure = advanced(measure, next)
    }
    expect(nowMs - measure.countedMs).toBeLessThan(stepMs + COUNT_AFTER_MS)
    expect(nowMs - measure.settledMs - SETTLE_AFTER_MS).toBeLessThan(2 * HOUR_MS)
    expect(nextDueMs(measure, nowMs)).toBeGreaterThan(nowMs)
  })

  it('of a backfill come last, and end', () => {
    const backfill = { fromMs: T0 - 100 * STEP_MS, nextMs: T0 - 100 * STEP_MS, untilMs: T0 }
    expect(passes(scheduled({ backfill }), T0 + STEP_MS + COUNT_AFTER_MS)).toEqual([
      ['counted', 0, 1],
      ['backfill', -100, -40],
      ['backfill', -40, 0]
    ])
    expect(nextDueMs(scheduled({ backfill }), T0 - 5)).toBe(T0 - 5)
  })

  it('that are past the retention are passed over at once, the one that it cuts too', () => {
    const nowMs = T0 + 100 * HOUR_MS
    const oldestMs = nowMs - HOUR_MS - 1
    expect(due(scheduled(), nowMs, oldestMs)).toEqual({ pass: 'counted', fromMs: nowMs - HOUR_MS, toMs: nowMs - STEP_MS })
    const backfill = { fromMs: T0, nextMs: T0, untilMs: T0 + STEP_MS }
    const recent = { countedMs: nowMs, checkedMs: nowMs, settledMs: nowMs, backfill }
    expect(due(scheduled(recent), nowMs, oldestMs)).toEqual({ pass: 'backfill', fromMs: T0 + STEP_MS, toMs: T0 + STEP_MS })
  })
})
