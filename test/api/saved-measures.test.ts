import { afterEach, describe, expect, it } from '@jest/globals'
import { MAX_MEASURE_GROUPS } from '../../src/alerting/measures/measure-reader.js'
import { MAX_SAVED_MEASURES } from '../../src/alerting/measures/measure-service.js'
import { type MeasuredService, startMeasuredService } from '../support/measured-service.js'
import { openTempFolder } from '../support/temp-folder.js'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** A whole hour; services start in the first minute of it. */
const T0 = Math.floor(Date.now() / HOUR_MS) * HOUR_MS
const START_MS = T0 + 5_000
const LIMIT_MS = 60_000

let running: MeasuredService | null = null
const start = async (...given: Parameters<typeof startMeasuredService>): Promise<MeasuredService> =>
  (running = await startMeasuredService(...given))
afterEach(async () => {
  await running?.service.close()
  running = null
})

describe('a saved measure', () => {
  it(
    'counts records that come late, up to a day, and later ones by a backfill',
    async () => {
      const own = await start(START_MS)
      await own.save({ name: 'orders', fn: 'count' })
      const count = async (): Promise<unknown> => (await own.promql('orders', T0 + MINUTE_MS))[0]?.value
      await own.log(T0 + 1_000)
      await own.reach('orders', T0 + MINUTE_MS)
      expect(await count()).toBe(1)
      await own.log(T0 + 1_000)
      await own.forward(2 * HOUR_MS)
      await own.until(async () => (await count()) === 2)
      await own.log(T0 + 1_000)
      await own.forward(DAY_MS)
      await own.until(async () => (await count()) === 3)
      await own.until(async () => Date.parse((await own.measure('orders')).settled_until) >= T0 + HOUR_MS)
      await own.log(T0 + 1_000)
      await own.service.ok(own.service.post('/api/v1/measures/orders/backfill', { start: T0 / 1_000, end: T0 / 1_000 + 60 }))
      await own.until(async () => (await count()) === 4)
    },
    LIMIT_MS
  )

  it(
    'keeps sum and number apart for averages, and the extremes of spans',
    async () => {
      const own = await start(START_MS)
      const description = 'Time of payments, "ns"\nof all \\ shops'
      await own.save({ name: 'pay', description, signal: 'spans', fn: 'avg', field: 'duration', query: 'name:pay' })
      await own.save({ name: 'slowest', signal: 'spans', fn: 'max', field: 'duration', group_by: ['service'] })
      const span = (i: number) => ({
        ...{ traceId: String(i).padStart(32, '0'), spanId: String(i).padStart(16, '0'), name: 'pay', kind: 2 },
        ...{ startTimeUnixNano: `${T0 + 1_000}000000`, endTimeUnixNano: `${T0 + 1_000 + i}000000` }
      })
      const resource = { attributes: [{ key: 'service.name', value: { stringValue: 'cart' } }] }
      const json = { resourceSpans: [{ resource, scopeSpans: [{ spans: [span(10), span(30)] }] }] }
      const headers = { 'x-api-key': own.service.first.ingestKey }
      expect((await own.service.ingest('/api/v1/otlp/v1/traces', { method: 'POST', json, headers })).status).toBe(200)
      await own.service.settle()
      await own.reach('pay', T0 + MINUTE_MS)
      await own.reach('slowest', T0 + MINUTE_MS)
      expect(await own.promql('pay_sum / pay_count', T0 + MINUTE_MS)).toEqual([{ labels: {}, value: 20_000_000 }])
      expect(await own.promql('slowest', T0 + MINUTE_MS)).toEqual([{ labels: { service: 'cart' }, value: 30_000_000 }])
      // Values of steps: whoever takes them for counters computes rates of them.
      const { data } = await own.service.ok(own.service.get('/api/v1/prometheus/api/v1/metadata'))
      expect(data).toMatchObject({
        pay_sum: [{ type: 'gauge', help: description, unit: '' }],
        pay_count: [{ type: 'gauge', help: description, unit: '' }],
        slowest: [{ type: 'gauge', help: '', unit: '' }]
      })
    },
    LIMIT_MS
  )

  it(
    'counts groups beyond the limit together, and states it',
    async () => {
      const own = await start(START_MS)
      await own.save({ name: 'by_user', fn: 'count', group_by: ['user'] })
      const more = 30
      const logs = Array.from({ length: MAX_MEASURE_GROUPS + more }, (_, i) => ({
        ...{ timestamp: new Date(T0 + 1_000).toISOString(), message: 'seen', log_fields: { user: `u${i}` } }
      }))
      await own.service.write('/api/v1/logs/batch', { logs: [...logs, ...logs.slice(0, MAX_MEASURE_GROUPS)] })
      await own.reach('by_user', T0 + MINUTE_MS)
      const points = await own.promql('by_user', T0 + MINUTE_MS)
      expect(points).toHaveLength(MAX_MEASURE_GROUPS + 1)
      expect(points[0]).toEqual({ labels: { overflow: 'true' }, value: more })
      expect(points.reduce((sum, { value }) => sum + value, 0)).toBe(2 * MAX_MEASURE_GROUPS + more)
      const { incomplete, error } = await own.measure('by_user')
      expect(error).toBeNull()
      expect(incomplete).toEqual({
        at: new Date(T0).toISOString(),
        detail: 'more than 100 groups: the others are counted together, with overflow="true"'
      })
    },
    LIMIT_MS
  )

  it(
    'counts none twice when groups beyond the limit have more records later',
    async () => {
      const own = await start(START_MS)
      await own.save({ name: 'by_user', fn: 'count', group_by: ['user'] })
      const users = (from: number, to: number) =>
        Array.from({ length: to - from }, (_, i) => ({
          ...{ timestamp: new Date(T0 + 1_000).toISOString(), message: 'seen', log_fields: { user: `u${from + i}` } }
        }))
      const first = users(100, 100 + MAX_MEASURE_GROUPS)
      await own.service.write('/api/v1/logs/batch', { logs: [...first, ...users(900, 901)] })
      await own.reach('by_user', T0 + 2 * MINUTE_MS)
      await own.service.write('/api/v1/logs/batch', { logs: [...users(900, 901), ...users(900, 901)] })
      await own.forward(2 * HOUR_MS)
      const sum = async (): Promise<number> =>
        (await own.promql('by_user', T0 + MINUTE_MS)).reduce((all, { value }) => all + value, 0)
      await own.until(async () => (await own.promql('by_user{user="u900"}', T0 + MINUTE_MS))[0]?.value === 3)
      expect(await sum()).toBe(MAX_MEASURE_GROUPS + 3)
    },
    LIMIT_MS
  )

  it(
    'loses and doubles nothing when a gateway ends between samples and progress, or was away',
    async () => {
      const folder = await openTempFolder()
      try {
        const first = await start(START_MS, { dataDir: folder.path })
        await first.save({ name: 'orders', fn: 'count' })
        await first.log(T0 + 1_000)
        first.failNext('measure.written')
        first.clock.aheadMs += 2 * MINUTE_MS
        await first.until(async () => (await first.measure('orders')).error !== null)
        const { email, password } = first.service.first
        await first.log(T0 + MINUTE_MS)
        await first.service.close()
        const second = await start(T0 + 3 * HOUR_MS, { dataDir: folder.path, as: { email, password } })
        await second.until(async () => Date.parse((await second.measure('orders')).counted_until) >= T0 + 2 * HOUR_MS)
        expect(await second.promql('orders', T0 + MINUTE_MS)).toEqual([{ labels: {}, value: 1 }])
        expect(await second.promql('sum_over_time(orders[2h])', T0 + 2 * HOUR_MS)).toEqual([{ labels: {}, value: 2 }])
        expect((await second.measure('orders')).error).toBeNull()
        await second.service.close()
        running = null
      } finally {
        await folder.remove()
      }
    },
    LIMIT_MS
  )
})

describe('requests for saved measures', () => {
  const good = { name: 'ok', fn: 'count' }

  it('are refused with what is wrong', async () => {
    const own = await start(START_MS)
    const { service } = own
    await own.log(T0)
    await service.write('/api/v1/ingest/batch', { metrics: [{ name: 'taken_sum', value: 1 }] })
    const refused: readonly (readonly [object, string])[] = [
      [{ ...good, name: 'no spaces' }, 'invalid_field'],
      [{ ...good, name: 'a'.repeat(101) }, 'invalid_field'],
      [{ ...good, name: 'log_records_total' }, 'invalid_field'],
      [{ name: 'span_duration_seconds', fn: 'histogram', field: 'x' }, 'invalid_field'],
      [{ ...good, fn: 'sum' }, 'invalid_field'],
      [{ ...good, fn: 'sum', field: 'service' }, 'invalid_field'],
      [{ ...good, bounds: [1] }, 'invalid_field'],
      [{ name: 'h', fn: 'histogram', field: 'x', bounds: [2, 1] }, 'invalid_field'],
      [{ name: 'h', fn: 'histogram', field: 'x', bounds: [] }, 'invalid_field'],
      [{ ...good, step: '7s' }, 'invalid_field'],
      [{ ...good, group_by: ['a.b', 'a_b'] }, 'invalid_field'],
      [{ ...good, group_by: ['le'] }, 'invalid_field'],
      [{ ...good, group_by: ['timestamp'] }, 'invalid_field'],
      [{ ...good, query: 'service:' }, 'invalid_query'],
      [{ ...good, query: 'x'.repeat(4_097) }, 'invalid_field'],
      [{ ...good, description: 'x'.repeat(501) }, 'invalid_field'],
      [{ name: 'taken', fn: 'avg', field: 'x' }, 'name_taken']
    ]
    for (const [body, code] of refused)
      expect([body, (await service.post('/api/v1/measures', body)).json['code']]).toEqual([body, code])
    await service.ok(service.post('/api/v1/measures', { name: 'a', fn: 'avg', field: 'x', description: 'x'.repeat(500) }))
    expect(await service.fault(service.post('/api/v1/measures', { name: 'a', fn: 'count' }))).toEqual([409, 'name_taken'])
    expect(await service.fault(service.post('/api/v1/measures', { name: 'a_sum', fn: 'count' }))).toEqual([409, 'name_taken'])
    const bounds = Array.from({ length: 20 }, (_, i) => i)
    const wide = { name: 'wide', fn: 'histogram', field: 'x', step: '10s', group_by: ['service'], bounds }
    await service.ok(service.post('/api/v1/measures', wide))
    const backfill = (name: string, body: object) => service.fault(service.post(`/api/v1/measures/${name}/backfill`, body))
    expect(await backfill('none', { start: 'now-1h' })).toEqual([404, 'not_found'])
    expect(await backfill('wide', { start: 'now-14d' })).toEqual([400, 'invalid_field'])
    expect(await backfill('a', { start: 'now', end: 'now+1h' })).toEqual([400, 'invalid_time_range'])
  })

  it('are bounded, and the same in GraphQL', async () => {
    const { service } = await start(START_MS)
    for (let i = 0; i < MAX_SAVED_MEASURES; i++) await service.ok(service.post('/api/v1/measures', { ...good, name: `m${i}` }))
    expect(await service.fault(service.post('/api/v1/measures', good))).toEqual([429, 'quota_exceeded'])
    const graphql = async (query: string): Promise<Record<string, never>> =>
      (await service.ok(service.post('/graphql', { query })))['data'] as Record<string, never>
    const deleted = await graphql('mutation { deleteMeasure(name: "m0") { deletedId userErrors { code } } }')
    expect(deleted).toEqual({ deleteMeasure: { deletedId: 'm0', userErrors: [] } })
    const input =
      '{ name: "g", description: "d", signal: SPANS, fn: HISTOGRAM, field: "duration", groupBy: ["service"], step: "5m", bounds: [1, 2] }'
    const fields = 'name description metrics signal fn field groupBy step bounds query error incomplete backfill { from }'
    const saved = await graphql(`mutation { saveMeasure(input: ${input}) { measure { ${fields} } userErrors { code } } }`)
    const measure = {
      ...{
        name: 'g',
        description: 'd',
        metrics: ['g_bucket', 'g_sum', 'g_count'],
        signal: 'SPANS',
        fn: 'HISTOGRAM',
        field: 'duration'
      },
      ...{ groupBy: ['service'], step: '5m', bounds: [1, 2], query: '', error: null, incomplete: null, backfill: null }
    }
    expect(saved).toEqual({ saveMeasure: { measure, userErrors: [] } })
    const list = (await graphql(`{ savedMeasures { ${fields} } }`))['savedMeasures'] as unknown as readonly object[]
    expect(list[0]).toEqual(measure)
    const back =
      'backfillMeasure(name: "g", range: { from: "now-2h" }) { measure { backfill { from until doneUntil } } userErrors { code } }'
    const backfilled = await graphql(`mutation { ${back} }`)
    expect(backfilled).toMatchObject({ backfillMeasure: { userErrors: [], measure: { backfill: expect.anything() } } })
    expect(await service.fault(service.post('/api/v1/measures/g/backfill', { start: 'now-2h' }))).toEqual([409, 'conflict'])
  })
})
