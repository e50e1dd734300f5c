import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { FIRST_RULE_STATE, type RuleState } from '../../src/domain/alerts/alert-state.js'
import { DEFAULT_RETENTION } from '../../src/domain/namespace.js'
import { warningSentence } from '../../src/domain/warning.js'
import { Backtest } from '../../src/alerting/evaluate/backtest/backtest.js'
import { evaluate } from '../../src/alerting/evaluate/evaluate.js'
import { PreparedRule } from '../../src/alerting/evaluate/prepared-rule.js'
import { EventLoopSlices } from '../../src/threads/event-loop-slices.js'
import { systemTimers } from '../../src/threads/system-timers.js'
import {
  type AlertHistory,
  HISTORY_CLOCK as clock,
  HISTORY_NAMESPACE as ns,
  NOON_MS,
  openAlertHistory
} from '../support/alert-history.js'
import { ruleOf } from '../support/alert-rules.js'

const MINUTE_MS = 60_000
const NEVER = new AbortController().signal

let history: AlertHistory
let backtest: Backtest

beforeAll(async () => {
  history = await openAlertHistory()
  backtest = new Backtest({ reader: history.reader, clock, timers: systemTimers, slices: new EventLoopSlices(clock) })
}, 60_000)
afterAll(() => history.close())

describe('backtests', () => {
  const rule = ruleOf({
    condition: { kind: 'promql', expr: 'cpu_usage' },
    threshold: { op: 'gt', value: 20, upper: null },
    forMs: 2 * MINUTE_MS,
    keepFiringForMs: 3 * MINUTE_MS
  })
  const request = {
    ...{ rule, intervalMs: MINUTE_MS, queryOffsetMs: null, phaseMs: 17_321, startMs: NOON_MS, endMs: NOON_MS + 90 * MINUTE_MS },
    context: { limit: null, externalUrl: 'https://alidade.example' }
  }

  it('have the history of evaluations one by one', async () => {
    const prepared = new PreparedRule(rule, request.context)
    let state: RuleState = FIRST_RULE_STATE
    const live: string[] = []
    for (let timeMs = NOON_MS + 17_321; timeMs <= request.endMs; timeMs += MINUTE_MS) {
      const [result] = await history.reader.read(ns, { ...rule, queryOffsetMs: null }, [timeMs], NEVER)
      const step = evaluate(prepared, state, result!, timeMs)
      state = step.state
      for (const { labels, from, to, atMs } of step.transitions) live.push(JSON.stringify([labels, from, to, atMs]))
    }
    const { instances, evaluations } = await backtest.run(ns, request, NEVER)
    const tested = instances.flatMap(({ labels, intervals }) =>
      intervals.flatMap(({ state: to, fromMs, toMs }, i) => {
        const before = intervals[i - 1]
        const from = before === undefined ? 'inactive' : before.toMs === fromMs ? before.state : 'resolved'
        const next = intervals[i + 1]
        const isLast = toMs > request.endMs
        const end =
          next?.fromMs === toMs || isLast ? [] : [JSON.stringify([labels, to, to === 'pending' ? 'inactive' : 'resolved', toMs])]
        return [JSON.stringify([labels, from, to, fromMs]), ...end]
      })
    )
    expect(evaluations).toBe(90)
    expect(live.length).toBeGreaterThan(3)
    expect(tested.toSorted()).toEqual(live.toSorted())
  })

  it('have peaks, notifications and a rate per week', async () => {
    const result = await backtest.run(ns, request, NEVER)
    const b = result.instances.find(({ labels }) => labels.some(({ value }) => value === 'b'))!
    expect(b.intervals.map(({ state, peak }) => [state, peak])).toEqual([
      ['pending', 100],
      ['firing', 98]
    ])
    expect(result).toMatchObject({ notifications: 1, flaps: 0, complete: true, warnings: [] })
    expect(result.perWeek).toBeCloseTo((7 * 24 * 60) / 90)
  })

  it('take a window as long as the retention as a whole one', async () => {
    const kept = { ...ns, retention: { ...DEFAULT_RETENTION, metrics: 3 * 3_600_000 } }
    // The retention has moved on since the window was chosen, but the first evaluation is within it.
    const result = await backtest.run(kept, { ...request, startMs: NOON_MS - 40 }, NEVER)
    expect(result).toMatchObject({ evaluations: 90, complete: true, warnings: [] })
  })

  it('report data that is past the retention', async () => {
    const short = { ...ns, retention: { ...DEFAULT_RETENTION, metrics: 2 * 3_600_000 } }
    const result = await backtest.run(short, request, NEVER)
    expect(result.complete).toBe(false)
    expect(result.warnings.map(warningSentence).join()).toContain("are past this namespace's retention")
  })

  it.each([
    [{ endMs: NOON_MS }, 'end must be after start'],
    [{ startMs: NOON_MS - 32 * 86_400_000 }, 'must not exceed 31 days'],
    [{ startMs: NOON_MS - 20 * 86_400_000, intervalMs: 10_000 }, 'must not exceed 50000 evaluations'],
    [{ rule: { ...rule, kind: 'record' as const } }, 'a recording rule has no states']
  ])('refuse %j', async (members, message) => {
    await expect(backtest.run(ns, { ...request, ...members }, NEVER)).rejects.toThrow(message)
  })

  it('end with what they have when their time is over', async () => {
    let isFirst = true
    let fire: () => void = () => undefined
    const slow = new Backtest({
      reader: {
        read: async (of, read, times, signal) => {
          if (isFirst) {
            isFirst = false
            return history.reader.read(of, read, times, signal)
          }
          fire()
          throw signal.reason
        }
      },
      clock,
      timers: { after: (_, run) => ((fire = run), () => undefined) },
      slices: new EventLoopSlices(clock)
    })
    const long = { ...request, intervalMs: 10_000, phaseMs: 0, endMs: NOON_MS + 360 * MINUTE_MS }
    const result = await slow.run(ns, long, NEVER)
    expect(result.evaluations).toBe(2_000)
    expect(result.warnings.map(warningSentence).join()).toContain('exceeded its time limit of 30s after 2000 evaluations')
  })
})
