import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { MAX_MEASURED_GROUPS } from '../../src/alerting/evaluate/read/measure-source.js'
import { QueryConditionReader } from '../../src/alerting/evaluate/read/query-condition-reader.js'
import type { AlertCondition } from '../../src/domain/alerts/alert-rule.js'
import type { ConditionResult } from '../../src/domain/alerts/alert-state.js'
import { parsePromql } from '../../src/query/promql/syntax/parser.js'
import {
  type AlertHistory,
  HISTORY_CLOCK as clock,
  HISTORY_NAMESPACE as ns,
  NOON_MS,
  openAlertHistory
} from '../support/alert-history.js'
import { at, LOGS, MINUTE_MS, shown, SPANS } from '../support/condition-results.js'
import { SILENT_LOGGER } from '../support/quiet-jobs.js'

const NEVER = new AbortController().signal

let history: AlertHistory

beforeAll(async () => {
  history = await openAlertHistory()
}, 60_000)
afterAll(() => history.close())

function minuteNs(minute: number): bigint {
  return BigInt(NOON_MS + minute * MINUTE_MS) * 1_000_000n
}

function read(condition: AlertCondition, times: readonly number[]): Promise<readonly ConditionResult[]> {
  return history.reader.read(ns, { kind: 'alert', condition, threshold: null, queryOffsetMs: 0 }, times, NEVER)
}

/** Results at each of these minutes. */
async function shownAt(condition: AlertCondition, ...minutes: readonly number[]): Promise<readonly (readonly string[])[]> {
  const each: (readonly string[])[] = []
  for (const minute of minutes) each.push(...(await read(condition, at(minute))).map(shown))
  return each
}

describe('measures of logs and spans', () => {
  it('count by several fields, with a label for each', async () => {
    expect(await shownAt({ ...LOGS, query: '', groupBy: ['service', 'level'] }, 11, 40)).toEqual([
      ['level=error,service=api 5', 'level=error,service=db 3', 'level=info,service=web 5'],
      ['level=info,service=web 5']
    ])
  })

  it('are of a field of spans that a search finds, by groups', async () => {
    const ms = 1_000_000
    expect(await shownAt(SPANS, 1)).toEqual([
      ['service=api,status=error ' + 10 * ms, 'service=api,status=ok ' + 25 * ms, 'service=cron,status=ok ' + 40 * ms]
    ])
    const values = { min: 20, max: 40, sum: 90, p50: 30, p75: 35, p90: 38 } as const
    for (const [agg, value] of Object.entries(values)) {
      const condition = { ...SPANS, query: 'status:ok', groupBy: [], agg: agg as keyof typeof values, windowMs: MINUTE_MS }
      expect(await shownAt(condition, 3)).toEqual([[` ${value * ms}`]])
    }
  })

  it('share the labels of a group among the times of a read', async () => {
    const results = await read({ ...SPANS, query: 'status:ok service:api', windowMs: MINUTE_MS }, at(1, 2))
    const labels = results.flatMap(result => (result.kind === 'vector' ? result.elements.map(element => element.labels) : []))
    expect(labels).toHaveLength(2)
    expect(labels[1]).toBe(labels[0])
  })

  it('have data with a count of zero, and none with other measures', async () => {
    const nothing = { ...SPANS, query: 'service:idle', groupBy: [] } as const
    const none = { kind: 'vector', elements: [], hasData: false }
    const zero = { kind: 'vector', elements: [{ labels: [], value: 0 }], hasData: true }
    expect(await read(nothing, at(5))).toEqual([none])
    expect(await read({ ...nothing, agg: 'count', field: null }, at(5))).toEqual([zero])
    expect(await read({ ...nothing, agg: 'distinct', field: 'name' }, at(5, 6))).toEqual([zero, zero])
    expect(await read({ ...nothing, groupBy: ['service'] }, at(5, 6))).toEqual([none, none])
    expect(await read({ ...nothing, groupBy: ['service'], agg: 'count', field: null }, at(5))).toEqual([
      { kind: 'vector', elements: [], hasData: true }
    ])
  })

  it('fail with more groups than a rule has alerts, and at no other time', async () => {
    const groupsAt = new Map([
      [4, MAX_MEASURED_GROUPS],
      [5, MAX_MEASURED_GROUPS + 1]
    ])
    const many = new QueryConditionReader({
      promql: { run: async () => new Uint8Array(), parse: query => parsePromql(query, true) },
      events: { list: async () => [] },
      ...{ clock, logger: SILENT_LOGGER, logs: history.stores.logs },
      traces: {
        stats: (...request) => history.stores.traces.stats(...request),
        searchSpans: (...request) => history.stores.traces.searchSpans(...request),
        aggregate: async (id, request, signal) => {
          const { startNs, endNs } = request.range
          const minutes = [...groupsAt.keys()].filter(minute => startNs < minuteNs(minute) && endNs >= minuteNs(minute))
          const value = Math.max(0, ...minutes.map(minute => groupsAt.get(minute)!))
          const found = await history.stores.traces.aggregate(id, request, signal)
          return { ...found, groups: { value, relation: 'eq' } }
        }
      }
    })
    const rule = { kind: 'alert', condition: { ...SPANS, windowMs: MINUTE_MS }, threshold: null, queryOffsetMs: 0 } as const
    const results = await many.read(ns, rule, at(3, 4, 5, 6), NEVER)
    expect(results.map(({ kind }) => kind)).toEqual(['vector', 'vector', 'error', 'vector'])
    expect(results[2]).toMatchObject({ message: expect.stringContaining('more than 1000 groups') })
  })
})
