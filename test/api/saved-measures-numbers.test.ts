import { afterEach, describe, expect, it } from '@jest/globals'
import { type MeasuredService, startMeasuredService } from '../support/measured-service.js'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** A whole hour; services start in the first minute of it. */
const T0 = Math.floor(Date.now() / HOUR_MS) * HOUR_MS
const START_MS = T0 + 5_000
const LIMIT_MS = 60_000

let running: MeasuredService | null = null
const start = async (): Promise<MeasuredService> => (running = await startMeasuredService(START_MS))
afterEach(async () => {
  await running?.service.close()
  running = null
})

const region = (value: string) => ({ region: value })

describe('a saved measure of the numbers of a field', () => {
  it(
    'is a metric from its creation on, by the fields that it groups by',
    async () => {
      const own = await start()
      await own.save({ name: 'order_amount', fn: 'sum', field: 'amount', query: 'service:orders', group_by: ['region'] })
      for (const [amount, of] of [
        [2.5, 'eu'],
        [4, 'eu'],
        [8, 'us']
      ] as const)
        await own.log(T0 + 1_000, { amount, region: of })
      await own.log(T0 + 2_000, { amount: 100, region: 'eu' }, { service: 'cart' })
      await own.log(T0 + 3_000, { region: 'eu' })
      await own.reach('order_amount', T0 + MINUTE_MS)
      await own.log(T0 + MINUTE_MS, { amount: '16', region: 'us' })
      await own.reach('order_amount', T0 + 2 * MINUTE_MS)
      expect(await own.promql('order_amount', T0 + MINUTE_MS)).toEqual([
        { labels: region('eu'), value: 6.5 },
        { labels: region('us'), value: 8 }
      ])
      // Nothing of eu in the second minute: that is a zero, and no look back at the first.
      expect(await own.promql('order_amount', T0 + 2 * MINUTE_MS)).toEqual([
        { labels: region('eu'), value: 0 },
        { labels: region('us'), value: 16 }
      ])
      expect(await own.promql('sum(sum_over_time(order_amount[2m]))', T0 + 2 * MINUTE_MS)).toEqual([{ labels: {}, value: 30.5 }])
    },
    LIMIT_MS
  )

  it(
    'is computed over the past on request, as often as one likes',
    async () => {
      const own = await start()
      const fromMs = T0 - 3 * HOUR_MS
      const logs = Array.from({ length: 300 }, (_, i) => ({
        ...{ timestamp: new Date(fromMs + i * 31_000).toISOString(), message: `order ${i}`, service: `s${i % 3}` },
        log_fields: { ms: i % 50 }
      }))
      await own.service.write('/api/v1/logs/batch', { logs })
      await own.save({ name: 'ms', fn: 'histogram', field: 'ms', bounds: [10, 20], group_by: ['service'] })
      expect(await own.promql('ms_count', T0)).toEqual([])
      for (const _time of [1, 2]) {
        await own.service.ok(own.service.post('/api/v1/measures/ms/backfill', { start: fromMs / 1_000 }))
        expect(await own.service.fault(own.service.post('/api/v1/measures/ms/backfill', { start: fromMs / 1_000 }))).toEqual([
          409,
          'conflict'
        ])
        await own.until(async () => (await own.measure('ms')).backfill?.state === 'done')
        const whole = async (metric: string): Promise<unknown> =>
          (await own.promql(`sum by (le) (sum_over_time(${metric}[3h]))`, T0)).map(({ labels, value }) => [labels['le'], value])
        expect(await whole('ms_count')).toEqual([[undefined, 300]])
        expect(await whole('ms_sum')).toEqual([[undefined, 300 * 24.5]])
        expect(await whole('ms_bucket')).toEqual([
          ['+Inf', 300],
          ['10', 66],
          ['20', 126]
        ])
      }
      const median = 'histogram_quantile(0.1, sum by (le) (sum_over_time(ms_bucket[3h])))'
      expect((await own.promql(median, T0))[0]!.value).toBeCloseTo((30 / 66) * 10, 9)
    },
    LIMIT_MS
  )
})

describe('a saved measure whose record is in more groups than the embedded store counts', () => {
  it(
    'goes on after its step',
    async () => {
      const own = await start()
      await own.save({ name: 'pairs', fn: 'count', group_by: ['a', 'b'] })
      const list = Array.from({ length: 40 }, (_, i) => `v${i}`)
      await own.log(T0 + 1_000, { a: list, b: list })
      await own.log(T0 + MINUTE_MS + 1_000, { a: 'one', b: 'two' })
      await own.reach('pairs', T0 + 2 * MINUTE_MS)
      expect(await own.promql('pairs', T0 + 2 * MINUTE_MS)).toEqual([{ labels: { a: 'one', b: 'two' }, value: 1 }])
      expect((await own.measure('pairs')).incomplete?.detail).toMatch(/^not computed: a record is in 1,?600 groups/)
    },
    LIMIT_MS
  )
})
