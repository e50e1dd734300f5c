import { describe, expect, it } from '@jest/globals'
import { type BudgetInput, budgetReport } from '../../../../src/alerting/slo/budget-report.js'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const WEEK_HOURS = 7 * 24
/** The end of a window that begins at 03:00 UTC of a Tuesday. */
const END_MS = Date.parse('2026-11-24T03:00:00Z')
const START_MS = END_MS - 7 * DAY_MS

function input(changes: Partial<BudgetInput> = {}, hours: Partial<BudgetInput['hours']> = {}): BudgetInput {
  const each = (value: number): readonly number[] => Array.from({ length: WEEK_HOURS }, () => value)
  return {
    ...{ budget: 0.001, windowMs: 7 * DAY_MS, nowMs: END_MS, recent: new Map() },
    hours: { startMs: START_MS, bad: each(0), total: each(100), minutes: each(60), ...hours },
    ...changes
  }
}

const only = (at: number, value: number): readonly number[] =>
  Array.from({ length: WEEK_HOURS }, (_, i) => (i === at ? value : 0))

describe('the report of an error budget', () => {
  it('of a whole window is complete, and adds up by days of UTC', () => {
    const report = budgetReport(input({}, { bad: only(30, 8.4) }))
    expect(report).toMatchObject({ state: 'complete', missingMinutes: 0, total: 16_800, bad: 8.4, countedSinceMs: START_MS })
    expect(report.attained).toBeCloseTo(0.9995, 10)
    expect(report.consumed).toBeCloseTo(0.5, 10)
    expect(report.remaining).toBeCloseTo(0.5, 10)
    expect(report.days).toHaveLength(8)
    expect(report.days.map(({ total }) => total)).toEqual([2_100, ...Array.from({ length: 6 }, () => 2_400), 300])
    expect(report.days[1]).toMatchObject({ bad: 8.4, startMs: Date.parse('2026-11-18T00:00:00Z'), missingMinutes: 0 })
    expect(report.days[1]!.burnRate).toBeCloseTo(3.5, 10)
    expect(report.days.reduce((sum, { consumed }) => sum + consumed!, 0)).toBeCloseTo(0.5, 10)
  })

  it('without recordings has no figures', () => {
    const none = only(0, 0)
    const report = budgetReport(input({}, { total: none, minutes: none }))
    expect(report).toMatchObject({ state: 'no_data', attained: null, consumed: null, remaining: null, countedSinceMs: null })
    expect(report.missingMinutes).toBe(WEEK_HOURS * 60)
    expect(report.days.every(({ attained, burnRate }) => attained === null && burnRate === null)).toBe(true)
  })

  it('without events has no figures either', () => {
    expect(budgetReport(input({}, { total: only(0, 0) }))).toMatchObject({ state: 'no_traffic', attained: null, remaining: null })
  })

  it('with missing minutes is partial, and names the day', () => {
    const minutes = Array.from({ length: WEEK_HOURS }, (_, at) => (at === 30 ? 56 : 60))
    const report = budgetReport(input({}, { minutes }))
    expect(report).toMatchObject({ state: 'partial', missingMinutes: 4 })
    expect(report.days.map(({ missingMinutes }) => missingMinutes)).toEqual([0, 4, 0, 0, 0, 0, 0, 0])
    const late = minutes.map((count, at) => (at === 30 ? 57 : count))
    expect(budgetReport(input({}, { minutes: late }))).toMatchObject({ state: 'complete', missingMinutes: 0 })
  })

  it('counts minutes up to now in the last hour', () => {
    const minutes = Array.from({ length: WEEK_HOURS }, (_, at) => (at === WEEK_HOURS - 1 ? 20 : 60))
    expect(budgetReport(input({ nowMs: END_MS - 40 * MINUTE_MS }, { minutes }))).toMatchObject({ state: 'complete' })
  })

  it('more than spent is negative', () => {
    expect(budgetReport(input({}, { bad: only(3, 33.6) })).remaining).toBeCloseTo(-1, 10)
  })

  it('estimates the end by the last 6 hours', () => {
    const half = { bad: only(30, 8.4) }
    const at = (rate: number): number | null =>
      budgetReport(input({ recent: new Map([[6 * HOUR_MS, { bad: rate, total: 1_000 }]]) }, half)).exhaustedAtMs
    expect([at(0), at(1)]).toEqual([null, null])
    expect(at(7)! - END_MS).toBeCloseTo((0.5 * 7 * DAY_MS) / 7, -3)
    // A tenth is left, and nothing of what was spent leaves the window before.
    const late = { bad: only(160, 15.12) }
    const slow = new Map([[6 * HOUR_MS, { bad: 0.9, total: 1_000 }]])
    const report = budgetReport(input({ recent: slow }, late))
    expect(report.exhaustedAtMs! - END_MS).toBeCloseTo((0.1 * 7 * DAY_MS) / 0.9, -3)
    const even = { bad: Array.from({ length: WEEK_HOURS }, () => 0.09) }
    const rising = new Map([[6 * HOUR_MS, { bad: 1.1, total: 1_000 }]])
    expect(budgetReport(input({ recent: rising }, even)).exhaustedAtMs! - END_MS).toBeGreaterThan(3 * DAY_MS)
    const spent = { bad: only(30, 20) }
    const recent = new Map([[6 * HOUR_MS, { bad: 9, total: 1_000 }]])
    expect(budgetReport(input({ recent }, spent)).exhaustedAtMs).toBeNull()
  })

  it('has no burn rate without events', () => {
    const recent = new Map([
      [5 * MINUTE_MS, { bad: 0, total: 0 }],
      [HOUR_MS, { bad: 2, total: 1_000 }]
    ])
    expect(budgetReport(input({ recent })).burnRates).toEqual([
      { windowMs: 5 * MINUTE_MS, rate: null },
      { windowMs: HOUR_MS, rate: 2 }
    ])
  })
})
