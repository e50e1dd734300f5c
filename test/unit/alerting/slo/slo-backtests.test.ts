import { describe, expect, it } from '@jest/globals'
import { seededRandom } from '../../../../bench/generate/random.js'
import { QueryConditionReader } from '../../../../src/alerting/evaluate/read/query-condition-reader.js'
import { InlinePromql } from '../../../../src/alerting/rule-tests/inline-promql.js'
import { MemoryMetrics } from '../../../../src/alerting/rule-tests/memory-metrics.js'
import { TestedRule } from '../../../../src/alerting/rule-tests/rule-test-run.js'
import { parseSlo } from '../../../../src/alerting/slo/parse-slo.js'
import { SloBacktests } from '../../../../src/alerting/slo/slo-backtests.js'
import { sloRules } from '../../../../src/alerting/slo/slo-rules.js'
import { DEFAULT_RETENTION } from '../../../../src/domain/namespace.js'
import { warningSentence } from '../../../../src/domain/warning.js'
import type { Timers } from '../../../../src/ports/timers.js'
import { PromqlQuery } from '../../../../src/query/promql/promql-query.js'
import { DEFAULT_QUERY_SETTINGS } from '../../../../src/query/settings.js'
import { EventLoopSlices } from '../../../../src/threads/event-loop-slices.js'
import { namespace } from '../../../contract/control-fixtures.js'
import { readPromql } from '../../../support/alert-rules.js'
import { SILENT_LOGGER } from '../../../support/quiet-jobs.js'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const NOW_MS = Date.parse('2026-11-24T12:00:00Z')
const SHOP = { ...namespace('shop'), retention: DEFAULT_RETENTION }
const SLO = {
  ...{ name: 'checkout', service: 'shop', objective: 99, window: '7d', min_events: 5 },
  indicator: { ratio: { bad: 'requests_total{code="500"}', total: 'requests_total' } }
}
const clock = { nowMs: () => NOW_MS, nowNs: () => BigInt(NOW_MS) * 1_000_000n, monotonicMs: () => performance.now() }
const NEVER = new AbortController().signal

function promqlOver(metrics: Pick<MemoryMetrics, 'select'>): PromqlQuery {
  return new PromqlQuery({ metrics, clock, settings: DEFAULT_QUERY_SETTINGS, threads: new InlinePromql() })
}

function readerOf(promql: Pick<PromqlQuery, 'run' | 'parse'>): QueryConditionReader {
  const none = {} as never
  return new QueryConditionReader({ promql, logs: none, traces: none, events: none, clock, logger: SILENT_LOGGER })
}

/** Timers that do not run. */
const STILL: Timers = { after: () => () => undefined }

function backtestsOver(metrics: Pick<MemoryMetrics, 'select'>, timers = STILL, own = clock): SloBacktests {
  const promql = promqlOver(metrics)
  const slices = new EventLoopSlices(clock)
  return new SloBacktests({ promql, readerOf, reader: readerOf(promql), clock: own, timers, slices, externalUrl: '' })
}

/** Requests of the last hours, of which some minutes fail more or less; minutes without a sample are gaps. */
function counters(seed: number, hours: number): MemoryMetrics {
  const random = seededRandom(seed)
  const metrics = new MemoryMetrics()
  metrics.tillMs = NOW_MS
  let [good, bad, failing, isThere] = [0, 0, 0, true]
  for (let atMs = NOW_MS - hours * HOUR_MS; atMs <= NOW_MS; atMs += MINUTE_MS) {
    if (random.next() < 0.02) failing = random.next() < 0.6 ? 0 : random.next()
    if (random.next() < 0.01) isThere = !isThere
    const count = random.below(20)
    good += Math.round(count * (1 - failing))
    bad += Math.round(count * failing)
    if (!isThere) continue
    for (const [code, value] of [['200', good] as const, ['500', bad] as const])
      metrics.add({ name: 'requests_total', labels: [{ name: 'code', value: code }] }, atMs, value)
  }
  return metrics
}

/** When each alert of the SLO fired, evaluated as the service does: minute by minute, over what was recorded before. */
async function firedLive(metrics: MemoryMetrics, fromMs: number, toMs: number): Promise<Readonly<Record<string, number>>> {
  const content = parseSlo(SLO, readPromql)
  const context = { limit: null, externalUrl: '' }
  const [record, ...alerts] = sloRules(content, { id: 'live', revision: 1 }, readPromql).map(
    rule => new TestedRule(rule, context)
  )
  const bench = { ns: SHOP, metrics, reader: readerOf(promqlOver(metrics)) }
  const fired: Record<string, number> = {}
  for (let atMs = fromMs; atMs <= NOW_MS; atMs += MINUTE_MS) {
    await record!.step(bench, atMs, NEVER)
    if (atMs < toMs) continue
    for (const alert of alerts) {
      await alert.step(bench, atMs, NEVER)
      const isFiring = [...alert.state.instances.values()].some(({ state }) => state === 'firing')
      fired[alert.content.name] = (fired[alert.content.name] ?? 0) + (isFiring ? 1 : 0)
    }
  }
  return fired
}

describe('a backtest of an SLO', () => {
  it.each([1, 2, 3])('fires in the minutes in which the stored rules would have fired (seed %i)', async seed => {
    const hours = 6
    const metrics = counters(seed, hours)
    const tried = await backtestsOver(metrics).run(SHOP, { slo: SLO, start: 'now-2h' }, NEVER)
    const minutes = tried.alerts.map(({ name, instances }) => {
      const spans = instances.flatMap(({ intervals }) => intervals.filter(({ state }) => state === 'firing'))
      return [name, spans.reduce((sum, { fromMs, toMs }) => sum + (toMs - fromMs) / MINUTE_MS, 0)]
    })
    const live = await firedLive(metrics, NOW_MS - hours * HOUR_MS, NOW_MS - 2 * HOUR_MS)
    expect(Object.fromEntries(minutes)).toEqual(live)
    expect(Object.values(live).some(count => count > 0)).toBe(true)
    expect(tried.budget.total).toBeGreaterThan(0)
    expect(tried).toMatchObject({ complete: true, warnings: [] })
  })

  it('of events that do not exist has no data and no figures', async () => {
    const tried = await backtestsOver(new MemoryMetrics()).run(SHOP, { slo: SLO }, NEVER)
    expect(tried.alerts.map(({ notifications }) => notifications)).toEqual([0, 0, 0, 0])
    expect(tried.alerts.at(-1)!.instances.flatMap(({ intervals }) => intervals.map(({ state }) => state))).toEqual(['nodata'])
    expect(tried.budget).toMatchObject({ state: 'no_data', attained: null, remaining: null })
  })

  it('of events that do not happen divides nothing by zero', async () => {
    const metrics = new MemoryMetrics()
    metrics.tillMs = NOW_MS
    for (let atMs = NOW_MS - 9 * HOUR_MS; atMs <= NOW_MS; atMs += MINUTE_MS)
      metrics.add({ name: 'requests_total', labels: [{ name: 'code', value: '500' }] }, atMs, 7)
    const tried = await backtestsOver(metrics).run(SHOP, { slo: { ...SLO, min_events: 0 }, start: 'now-1h' }, NEVER)
    expect(tried.alerts.flatMap(({ instances }) => instances)).toEqual([])
    expect(tried.budget).toMatchObject({ total: 0, bad: 0, attained: null })
  })

  it('states how many counts failed', async () => {
    const failing = { select: () => Promise.reject(new RangeError('broken')) }
    const tried = await backtestsOver(failing).run(SHOP, { slo: SLO, start: 'now-10m' }, NEVER)
    expect(tried.complete).toBe(false)
    expect(tried.warnings.map(warningSentence).join()).toMatch(/^(\d+) of \1 counts of events failed; the first: /)
  })

  it('ends when its time is over before an alert was evaluated', async () => {
    let isOver: () => void = () => undefined
    const timers: Timers = {
      after: (_ms, run) => {
        isOver = run
        return () => undefined
      }
    }
    const cut = {
      select: () => {
        isOver()
        return Promise.reject(new Error('cancelled'))
      }
    }
    const tried = backtestsOver(cut, timers).run(SHOP, { slo: SLO }, NEVER)
    await expect(tried).rejects.toMatchObject({ code: 'query_timeout' })
  })

  it.each([
    ['availability', { availability: {} }, { metrics: HOUR_MS }, []],
    ['availability', { availability: {} }, { traces: HOUR_MS }, ['traces']],
    ['a ratio', SLO.indicator, { traces: HOUR_MS }, []],
    ['a ratio', SLO.indicator, { metrics: HOUR_MS }, ['metrics']]
  ])('of %s states once what its own records lack (%j, kept %j)', async (_of, indicator, kept, lacking) => {
    const ns = { ...SHOP, retention: { ...DEFAULT_RETENTION, metrics: null, traces: null, ...kept } }
    const tried = await backtestsOver(new MemoryMetrics()).run(ns, { slo: { ...SLO, indicator }, start: 'now-2h' }, NEVER)
    const sentences = tried.warnings.map(warningSentence).filter(sentence => sentence.includes('retention'))
    expect(sentences.map(sentence => sentence.split(' ')[0])).toEqual(lacking)
  })

  it('of less than a minute evaluates nothing, and has its budget', async () => {
    const tried = await backtestsOver(counters(1, 2)).run(SHOP, { slo: SLO, start: 'now-50s', end: 'now-10s' }, NEVER)
    expect(tried.alerts.map(({ evaluations }) => evaluations)).toEqual([0, 0, 0, 0])
    expect(tried.budget.total).toBeGreaterThan(0)
  })

  it('ends when no time is left for the budget', async () => {
    const over: Timers = {
      after: (ms, run) => {
        if (ms === 0) run()
        return () => undefined
      }
    }
    let elapsedMs = 0
    const metrics = counters(1, 2)
    const slow = {
      select: (...requested: Parameters<MemoryMetrics['select']>) => {
        elapsedMs = 31_000
        return metrics.select(...requested)
      }
    }
    const own = { ...clock, monotonicMs: () => elapsedMs }
    const tried = backtestsOver(slow, over, own).run(SHOP, { slo: SLO, start: 'now-1h' }, NEVER)
    await expect(tried).rejects.toMatchObject({ code: 'query_timeout' })
  })

  it.each([
    [{ start: 'now-32d' }, 'must not exceed 31 days'],
    [{ start: 'now', end: 'now-1h' }, 'start'],
    [{ slo: { ...SLO, objective: 100 } }, 'objective']
  ])('refuses %j before it reads anything', async (members, message) => {
    const unread = { select: () => Promise.reject(new Error('was read')) }
    await expect(backtestsOver(unread).run(SHOP, { slo: SLO, ...members }, NEVER)).rejects.toThrow(message)
  })
})
