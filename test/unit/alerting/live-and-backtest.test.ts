import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import { Backtest } from '../../../src/alerting/evaluate/backtest/backtest.js'
import type { BacktestInstance } from '../../../src/alerting/evaluate/backtest/backtest-result.js'
import { FLUSH_EVERY_MS, LEASE_MS, RENEW_EVERY_MS } from '../../../src/alerting/schedule/bounds.js'
import { gridOf, lastStep, nextStep } from '../../../src/alerting/schedule/step-times.js'
import type { AlertRule } from '../../../src/domain/alerts/alert-rule.js'
import type { AlertEvent, AlertState, ConditionResult } from '../../../src/domain/alerts/alert-state.js'
import { EventLoopSlices } from '../../../src/threads/event-loop-slices.js'
import { alertGroup } from '../../contract/alert-fixtures.js'
import { namespace } from '../../contract/control-fixtures.js'
import { element, vectorOf } from '../../support/alert-rules.js'
import { type AlertProcess, AlertWorld } from '../../support/alert-world.js'
import { ManualTime } from '../../support/manual-time.js'

const INTERVAL_MS = 10_000
const SERIES = ['a', 'b', 'c']
const NO_DATA: ConditionResult = { kind: 'vector', elements: [], hasData: false }
const QUIET: readonly AlertState[] = ['inactive', 'resolved']

/** The result of the condition at a step, for some steps in a row. */
const result = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(fc.boolean(), fc.boolean(), fc.boolean()) },
  { weight: 1, arbitrary: fc.constant('error' as const) },
  { weight: 1, arbitrary: fc.constant('nothing' as const) }
)
const script = fc.array(fc.tuple(result, fc.integer({ min: 1, max: 5 })), { minLength: 10, maxLength: 20 })
const durations = fc.constantFrom(0, INTERVAL_MS, 25_000, 60_000)
const content = fc.record({
  forMs: durations,
  keepFiringForMs: durations,
  noData: fc.constantFrom('nodata', 'ok', 'keep', 'firing'),
  onError: fc.constantFrom('error', 'keep', 'firing')
} satisfies Partial<Record<keyof AlertRule, unknown>>)
/** What happens to the process that evaluates, and how long it is quiet afterwards. */
const fault = fc.tuple(
  fc.constantFrom('none', 'restart', 'crash', 'lost commit', 'unheard commit', 'slow'),
  fc.integer({ min: 1, max: 90 })
)

type Fault = 'none' | 'restart' | 'crash' | 'lost commit' | 'unheard commit' | 'slow'

/** A service that is restarted, crashes, and loses commits. */
class FaultyLife {
  readonly world = new AlertWorld()
  #process: AlertProcess | null = null
  /** Of the process that runs: that of one which crashed moves no more. */
  #own = new ManualTime()
  #holders = 0

  async begin(): Promise<void> {
    this.#own = new ManualTime(this.world.time.nowMs())
    this.#process = await this.world.start(`holder-${this.#holders++}`, this.#own)
  }

  async pass(seconds: number): Promise<void> {
    for (let second = 0; second < seconds; second++) {
      this.world.time.pass(1_000)
      this.#own.pass(1_000)
      await this.#process!.scheduler.settled()
    }
  }

  async meet(what: Fault): Promise<void> {
    const { store, time } = this.world
    const once = async (): Promise<never> => {
      store.beforeCommit = store.afterCommit = () => Promise.resolve()
      throw new Error('the connection is cut')
    }
    if (what === 'lost commit') store.beforeCommit = once
    if (what === 'unheard commit') store.afterCommit = once
    if (what === 'restart') await this.#process!.scheduler.stop()
    if (what === 'crash') time.pass(LEASE_MS)
    if (what === 'slow') {
      time.pass(3 * INTERVAL_MS)
      this.#own.pass(3 * INTERVAL_MS)
      await this.#process!.scheduler.settled()
    }
    if (what === 'restart' || what === 'crash') await this.begin()
  }

  async end(): Promise<void> {
    await this.pass((RENEW_EVERY_MS + FLUSH_EVERY_MS + INTERVAL_MS) / 1_000)
    await this.#process!.scheduler.stop()
  }
}

/** Intervals of each instance out of its events, as a backtest reports them. */
function intervalsOf(events: readonly AlertEvent[], endMs: number): unknown {
  const instances = new Map<string, { labels: unknown; intervals: { state: AlertState; fromMs: number; toMs: number }[] }>()
  for (const { labels, to, atMs } of events) {
    const key = JSON.stringify(labels)
    const instance = instances.get(key) ?? { labels, intervals: [] }
    const last = instance.intervals.at(-1)
    if (last?.toMs === endMs) last.toMs = atMs
    if (!QUIET.includes(to)) instance.intervals.push({ state: to, fromMs: atMs, toMs: endMs })
    instances.set(key, instance)
  }
  const found = [...instances.values()].filter(({ intervals }) => intervals.length > 0)
  return found.toSorted((a, b) => (JSON.stringify(a.labels) < JSON.stringify(b.labels) ? -1 : 1))
}

const withoutPeaks = (instances: readonly BacktestInstance[]): unknown =>
  instances.map(({ labels, intervals }) => ({
    labels,
    intervals: intervals.map(({ state, fromMs, toMs }) => ({ state, fromMs, toMs }))
  }))

it('the history of a rule over restarts, crashes, lost commits and slow minutes is that of its backtest', async () => {
  await fc.assert(
    fc.asyncProperty(content, script, fc.array(fault, { minLength: 3, maxLength: 8 }), async (of, runs, faults) => {
      const life = new FaultyLife()
      const { world } = life
      const rule = world.rule('r', of)
      const grid = gridOf(rule.id, INTERVAL_MS)
      const startMs = nextStep(world.time.nowMs(), grid)
      const results = runs.flatMap(([one, times]) => Array<typeof one>(times).fill(one))
      world.conditions.at = atMs => {
        const at = results[((atMs - startMs) / INTERVAL_MS) % results.length]!
        if (at === 'error') return { kind: 'error', message: 'the store does not respond' }
        if (at === 'nothing') return NO_DATA
        return vectorOf(SERIES.filter((_, n) => at[n]).map(name => element({ name }, atMs)))
      }
      world.store.put(alertGroup('g', { intervalMs: INTERVAL_MS }), rule)
      await life.begin()
      for (const [what, seconds] of faults) {
        await life.pass(seconds)
        await life.meet(what)
      }
      await life.end()
      const endMs = world.store.stateOf('r').lastEvalMs!
      expect(endMs).toBeGreaterThanOrEqual(lastStep(world.time.nowMs() - INTERVAL_MS, grid))
      const time = new ManualTime(world.time.nowMs())
      const backtest = new Backtest({ reader: world.conditions, clock: time, timers: time, slices: new EventLoopSlices(time) })
      const request = {
        ...{ rule, intervalMs: INTERVAL_MS, queryOffsetMs: null, phaseMs: grid.offsetMs, startMs, endMs },
        context: { limit: null, externalUrl: 'https://alidade.example' }
      }
      const { instances } = await backtest.run(namespace('shop'), request, new AbortController().signal)
      expect(intervalsOf(world.store.events, endMs + INTERVAL_MS)).toEqual(withoutPeaks(instances))
    }),
    { numRuns: 100 }
  )
}, 60_000)
