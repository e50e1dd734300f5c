import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { AlertCondition, Threshold } from '../../src/domain/alerts/alert-rule.js'
import type { ConditionResult } from '../../src/domain/alerts/alert-state.js'
import { QueryConditionReader } from '../../src/alerting/evaluate/read/query-condition-reader.js'
import type { JsonObject } from '../../src/domain/json.js'
import type { TimeRange } from '../../src/domain/time-range.js'
import { parsePromql } from '../../src/query/promql/syntax/parser.js'
import {
  type AlertHistory,
  HISTORY_CLOCK as clock,
  HISTORY_NAMESPACE as ns,
  NOON_MS,
  openAlertHistory
} from '../support/alert-history.js'
import { at, LOGS, MINUTE_MS, shown, SPANS } from '../support/condition-results.js'
import { nextIngestId, NS, OTHER_NS, testLog } from '../support/duckdb-fixture.js'
import { SILENT_LOGGER } from '../support/quiet-jobs.js'

const NEVER = new AbortController().signal
let history: AlertHistory

beforeAll(async () => {
  history = await openAlertHistory()
}, 60_000)
afterAll(() => history.close())

async function read(
  condition: AlertCondition,
  times: readonly number[],
  threshold: Threshold | null = null
): Promise<readonly ConditionResult[]> {
  return history.reader.read(ns, { kind: 'alert', condition, threshold, queryOffsetMs: 0 }, times, NEVER)
}

/** The order of elements means nothing. */
function inOrder(result: ConditionResult): unknown {
  if (result.kind !== 'vector') return result
  const sorted = (elements: readonly object[] = []): readonly string[] => elements.map(each => JSON.stringify(each)).toSorted()
  return { ...result, elements: sorted(result.elements), present: sorted(result.present) }
}

/** Results at each of these minutes. */
async function shownAt(condition: AlertCondition, ...minutes: readonly number[]): Promise<readonly (readonly string[])[]> {
  const each: (readonly string[])[] = []
  for (const minute of minutes) each.push(...(await read(condition, at(minute))).map(shown))
  return each
}

describe('conditions on logs', () => {
  it('count in windows that end before the time, by a field', async () => {
    expect(await shownAt(LOGS, 5, 11, 15, 40)).toEqual([
      ['service=api 5'],
      ['service=api 5', 'service=db 3'],
      ['service=api 5', 'service=db 3'],
      []
    ])
  })

  it('count logs without the field and those where it is empty together', async () => {
    const fields: readonly JsonObject[] = [{ zone: '' }, {}, { zone: 'a' }]
    const zones = fields.map((own, i) => testLog(i, { fields: own, service: 'zones' }))
    await history.stores.logs.append(NS, { ingestId: nextIngestId(), items: zones })
    const condition = { ...LOGS, query: 'service:zones', groupBy: ['zone'] }
    expect(await shownAt(condition, 1)).toEqual([[' 2', 'zone=a 1']])
    expect(await shownAt({ ...condition, groupBy: ['zone', 'service'] }, 1)).toEqual([
      ['service=zones 2', 'service=zones,zone=a 1']
    ])
  })

  it('count without a field, zero being data', async () => {
    const [result] = await read({ ...LOGS, groupBy: [] }, at(200))
    expect(result).toEqual({ kind: 'vector', elements: [{ labels: [], value: 0 }], hasData: true })
  })

  it('do not see logs of another namespace', async () => {
    const other = await history.reader.read(
      { ...ns, id: OTHER_NS },
      { kind: 'alert', condition: LOGS, threshold: null, queryOffsetMs: 0 },
      at(5),
      NEVER
    )
    expect(shown(other[0])).toEqual(['service=api 5'])
  })

  it('read 15 s before the evaluation by default', async () => {
    const late = await history.reader.read(
      ns,
      { kind: 'alert', condition: LOGS, threshold: null, queryOffsetMs: null },
      at(1),
      NEVER
    )
    expect(shown(late[0])).toEqual(['service=api 1'])
    const exact = await history.reader.read(
      ns,
      { kind: 'alert', condition: { ...LOGS, windowMs: 10_000 }, threshold: null, queryOffsetMs: null },
      at(1),
      NEVER
    )
    expect(shown(exact[0])).toEqual([])
  })
})

describe('conditions on metrics', () => {
  const expr = (text: string): AlertCondition => ({ kind: 'promql', expr: text })

  it('are vectors as in Prometheus, without the name of the metric', async () => {
    expect(await shownAt(expr('cpu_usage > 20'), 25, 40)).toEqual([['host=a 25', 'host=b 75'], ['host=a 40']])
    const [result] = await read(expr('cpu_usage'), at(0))
    expect(result).toMatchObject({ elements: [{ metric: 'cpu_usage' }, { metric: 'cpu_usage' }] })
  })

  it('are one element for a scalar', async () => {
    expect(await shownAt(expr('vector(1) > 0'), 1)).toEqual([[' 1']])
    expect(await shownAt(expr('2 * 3'), 1)).toEqual([[' 6']])
  })

  it('have data without a threshold, and with one when the vector is not empty', async () => {
    const above: Threshold = { op: 'gt', value: 1_000, upper: null }
    expect((await read(expr('cpu_usage > 1000'), at(5)))[0]).toEqual({ kind: 'vector', elements: [], hasData: true })
    expect((await read(expr('cpu_usage'), at(5), above))[0]).toEqual({ kind: 'vector', elements: [], hasData: true })
    expect((await read(expr('nothing'), at(5), above))[0]).toEqual({ kind: 'vector', elements: [], hasData: false })
  })

  it('see the times of their own evaluation in one read of many', async () => {
    const condition = expr('cpu_usage{host="a"} - (cpu_usage{host="a"} @ end())')
    const together = await read(condition, at(5, 10, 15))
    expect(together.map(shown)).toEqual([['host=a 0'], ['host=a 0'], ['host=a 0']])
  })

  it('fail one by one where only some cannot be evaluated', async () => {
    const results = await read(
      expr('sum by (host) (cpu_usage) * on (host) group_left () cpu_usage{host="nothing"} or cpu_usage * on () cpu_usage'),
      at(10, 40)
    )
    expect(results.map(({ kind }) => kind)).toEqual(['error', 'vector'])
  })
})

describe('conditions on spans', () => {
  const spans = (members: Partial<Extract<AlertCondition, { kind: 'traces' }>>): AlertCondition => ({
    ...{ kind: 'traces', service: null, operation: null, agg: 'rate', windowMs: 5 * MINUTE_MS },
    ...members
  })

  it('are rates per second of requests, of roots where a service has none', async () => {
    const [first] = await read(spans({}), at(5))
    expect(shown(first)).toEqual([`service=api ${19 / 300}`, `service=cron ${1 / 300}`])
  })

  it('are errors and percentiles of a service and an operation', async () => {
    expect(await shownAt(spans({ service: 'api', operation: 'GET /', agg: 'error_rate' }), 10)).toEqual([
      ['operation=GET /,service=api 0.25']
    ])
    const [p99] = await read(spans({ service: 'api', agg: 'p99', windowMs: MINUTE_MS }), at(5))
    const value = (p99 as Extract<ConditionResult, { kind: 'vector' }>).elements[0]!.value
    expect(value).toBeGreaterThan(38)
    expect(value).toBeLessThan(42)
  })

  it('are a rate of zero, and no data of errors, for a named service without requests', async () => {
    expect((await read(spans({ service: 'api' }), at(60)))[0]).toMatchObject({ elements: [{ value: 0 }], hasData: true })
    expect((await read(spans({ service: 'api', agg: 'error_rate' }), at(60)))[0]).toEqual({
      kind: 'vector',
      elements: [],
      hasData: false
    })
  })
})

describe('absence', () => {
  const absence = (of: Extract<AlertCondition, { kind: 'absence' }>['of']): AlertCondition => ({
    kind: 'absence',
    of,
    forMs: 5 * MINUTE_MS
  })

  it('is a series with its labels and last value', async () => {
    const condition = absence({ kind: 'metric', query: 'cpu_usage' })
    expect(await shownAt(condition, 31, 35, 60)).toEqual([[], ['host=b 71'], ['host=b 71']])
    const [result] = await read(condition, at(60))
    expect(result).toMatchObject({ present: [{ labels: [{ name: 'host', value: 'a' }] }] })
  })

  it('is the selector as a whole when it has no series', async () => {
    expect(await shownAt(absence({ kind: 'metric', query: 'nothing{host="x", job!="y"}' }), 10)).toEqual([['host=x 1']])
  })

  it('is a host that sent logs or samples within the hour, or one that is named', async () => {
    expect(await shownAt(absence({ kind: 'host', host: null }), 20, 40, 70)).toEqual([
      ['host=h2 1'],
      ['host=b 1', 'host=h1 1', 'host=h2 1'],
      ['host=a 1', 'host=b 1', 'host=h1 1', 'host=h2 1']
    ])
    expect(await shownAt(absence({ kind: 'host', host: 'h1' }), 20, 40, 170)).toEqual([[], ['host=h1 1'], ['host=h1 1']])
  })

  it('is a service without logs, spans and samples', async () => {
    expect(await shownAt(absence({ kind: 'service', service: 'db' }), 12, 30)).toEqual([[], ['service=db 1']])
  })

  it('is a search without logs', async () => {
    expect(await shownAt(absence({ kind: 'logs', query: 'service:db' }), 12, 30)).toEqual([[], [' 1']])
    expect(await shownAt(absence({ kind: 'logs', query: '' }), 12, 170)).toEqual([[], [' 1']])
  })
})

describe('one read of many times', () => {
  const conditions: readonly AlertCondition[] = [
    LOGS,
    { ...LOGS, windowMs: 7 * MINUTE_MS + 1_000, groupBy: [] },
    { ...LOGS, query: '', groupBy: ['service', 'level'] },
    { ...LOGS, query: '', groupBy: [], agg: 'distinct', field: 'host', windowMs: 150_000 },
    { ...LOGS, query: '', groupBy: ['service'], agg: 'distinct', field: 'host', windowMs: 30_000 },
    SPANS,
    { ...SPANS, agg: 'sum', windowMs: 7 * MINUTE_MS + 1_000 },
    { ...SPANS, agg: 'p75', groupBy: [], windowMs: 90_000 },
    { kind: 'promql', expr: 'rate(cpu_usage[5m]) > 0' },
    { kind: 'traces', service: null, operation: null, agg: 'error_rate', windowMs: 3 * MINUTE_MS },
    { kind: 'traces', service: 'api', operation: null, agg: 'p50', windowMs: 3 * MINUTE_MS },
    { kind: 'absence', of: { kind: 'host', host: null }, forMs: 4 * MINUTE_MS },
    { kind: 'absence', of: { kind: 'metric', query: 'cpu_usage' }, forMs: 4 * MINUTE_MS }
  ]

  it.each(conditions)('has the results of reads of each: %j', async condition => {
    const times = Array.from({ length: 45 }, (_, i) => NOON_MS + 17_321 + i * MINUTE_MS)
    const together = await read(condition, times)
    const apart: ConditionResult[] = []
    for (const time of times) apart.push(...(await read(condition, [time])))
    expect(together.map(inOrder)).toEqual(apart.map(inOrder))
  })
})

describe('stores that fail', () => {
  const failing = (fault: Error): QueryConditionReader => {
    const fail = async (): Promise<never> => {
      throw fault
    }
    return new QueryConditionReader({
      promql: { run: fail, parse: query => parsePromql(query, true) },
      logs: { search: fail, aggregate: fail },
      traces: { stats: fail, searchSpans: fail, aggregate: fail },
      events: { list: fail },
      ...{ clock, logger: SILENT_LOGGER }
    })
  }

  it('are errors at every time, without their inner messages', async () => {
    const rule = { kind: 'alert', condition: LOGS, threshold: null, queryOffsetMs: 0 } as const
    const results = await failing(new Error('ECONNREFUSED 10.0.0.7')).read(ns, rule, at(1, 2), NEVER)
    expect(results).toEqual(
      Array.from({ length: 2 }, () => ({ kind: 'error', message: 'the request failed; the log has the cause' }))
    )
  })

  it('reject with the reason of an aborted signal', async () => {
    const gone = AbortSignal.abort(new Error('stopped'))
    await expect(
      failing(new Error('x')).read(ns, { kind: 'alert', condition: LOGS, threshold: null, queryOffsetMs: 0 }, at(1), gone)
    ).rejects.toThrow('stopped')
  })

  it('are errors where records are missing, and at no other time', async () => {
    const gapMs = NOON_MS + 3 * MINUTE_MS
    const withoutGap = <Found extends object>({ range }: { readonly range: TimeRange }, found: Found): Found => {
      const isCut = range.startNs <= BigInt(gapMs) * 1_000_000n && range.endNs > BigInt(gapMs) * 1_000_000n
      return isCut ? { ...found, complete: false, warnings: ['12 logs wait for their store'] } : found
    }
    const partial = new QueryConditionReader({
      promql: { run: async () => new Uint8Array(), parse: query => parsePromql(query, true) },
      traces: history.stores.traces,
      events: { list: async () => [] },
      ...{ clock, logger: SILENT_LOGGER },
      logs: {
        search: async (id, request, signal) => withoutGap(request, await history.stores.logs.search(id, request, signal)),
        aggregate: async (id, request, signal) => withoutGap(request, await history.stores.logs.aggregate(id, request, signal))
      }
    })
    for (const agg of ['count', 'distinct'] as const) {
      const condition = { ...LOGS, windowMs: MINUTE_MS, agg, field: agg === 'count' ? null : 'host' }
      const rule = { kind: 'alert', condition, threshold: null, queryOffsetMs: 0 } as const
      const results = await partial.read(ns, rule, at(2, 3, 4, 5, 6), NEVER)
      expect(results.map(({ kind }) => kind)).toEqual(['vector', 'vector', 'error', 'vector', 'vector'])
      expect(results[2]).toEqual({ kind: 'error', message: 'the data is incomplete: 12 logs wait for their store' })
    }
  })
})
