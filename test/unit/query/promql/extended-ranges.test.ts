import { describe, expect, it } from '@jest/globals'
import { type NativeHistogram, NO_BOUNDS, NO_BUCKETS } from '../../../../src/domain/native-histogram/native-histogram.js'
import { planRequest } from '../../../../src/query/promql/run-query.js'
import { Budget } from '../../../../src/query/promql/evaluate/budget.js'
import { Notes } from '../../../../src/query/promql/evaluate/notes.js'
import { smoothedSamples } from '../../../../src/query/promql/evaluate/smoothed-samples.js'
import { LabelSet } from '../../../../src/query/promql/labels.js'
import { promqlBounds } from '../../../../src/query/promql/promql-query.js'
import { DEFAULT_QUERY_SETTINGS } from '../../../../src/query/settings.js'
import { everyMinute, PromqlBench } from '../../../support/promql.js'

const bench = new PromqlBench([
  everyMinute({ __name__: 'c' }, 0, 10, 20, 30, 40, 50),
  // Reset between the second and the third minute.
  everyMinute({ __name__: 'r' }, 0, 30, 60, 10, 40, 70),
  everyMinute({ __name__: 'late' }, null, null, null, 5, 8, 6),
  everyMinute({ __name__: 'ended' }, 1, 3, 'stale'),
  { labels: { __name__: 'half' }, samples: [1, 3, 5].map(i => [i * 30_000, i * 10] as const) }
])

describe('an anchored range', () => {
  it.each([
    ['increase(c[2m] anchored)', 5, 'c', 20],
    ['rate(c[2m] anchored)', 5, '', 20 / 120],
    ['delta(late[3m] anchored)', 5, '', 1],
    ['increase(late[3m] anchored)', 5, '', 9],
    // From 30 at the first minute over 60 to 10: 30 + 10.
    ['increase(r[2m] anchored)', 3, '', 40],
    ['resets(r[1m] anchored)', 3, '', 1],
    ['resets(r[1m])', 3, '', 0],
    ['changes(c[3m] anchored)', 5, '', 3],
    ['changes(c[3m])', 5, '', 2]
  ])('%s at minute %d', async (query, minute, _, value) => {
    const response = await bench.run(query, { startMs: minute * 60_000, stepMs: 1, count: 1 })
    expect(response.value).toMatchObject({ series: [{ values: Float64Array.of(value) }] })
  })

  it('has nothing without a sample within it, however near one is', async () => {
    expect(await bench.at(3, 'increase(ended[1m] anchored)')).toEqual([])
    expect(await bench.at(3, 'changes(ended[1m] anchored)')).toEqual([])
    // Five minutes before the start it looks back, no further.
    expect(await bench.at(9, 'delta(c[4m] anchored)')).toEqual([])
  })

  it('shows its edges', async () => {
    const response = await bench.run('c[90s] anchored', { startMs: 270_000, stepMs: 1, count: 1 })
    expect(response.value).toMatchObject({
      series: [{ times: Float64Array.of(180_000, 240_000, 270_000), values: Float64Array.of(30, 40, 40) }]
    })
  })
})

describe('a smoothed range', () => {
  it('shows as many samples as may be read', async () => {
    const samples = Array.from({ length: 200_000 }, (_, i) => [i * 1_000, i] as const)
    const long = new PromqlBench([{ labels: { __name__: 'long' }, samples }])
    const response = await long.run('long[1y] smoothed', { startMs: 199_999_500, stepMs: 1, count: 1 })
    expect(response.value).toMatchObject({ series: [{ times: { length: 200_002 }, values: { length: 200_002 } }] })
  })

  it.each([
    // Between 15 and 25, on the lines between the samples.
    ['increase(c[1m] smoothed)', 150_000, 10],
    ['rate(c[30s] smoothed)', 165_000, 1 / 6],
    ['delta(r[1m] smoothed)', 150_000, -10],
    // Half of the way from 30 to 60; then from 0 half of the way to 10.
    ['increase(r[1m] smoothed)', 150_000, 60 - 45 + 5],
    ['increase(half[1m] smoothed)', 120_000, 20]
  ])('%s at %d ms', async (query, startMs, value) => {
    const response = await bench.run(query, { startMs, stepMs: 1, count: 1 })
    expect(response.value).toMatchObject({ series: [{ values: Float64Array.of(value) }] })
  })

  it('shows its edges', async () => {
    const response = await bench.run('c[1m] smoothed', { startMs: 150_000, stepMs: 1, count: 1 })
    expect(response.value).toMatchObject({
      series: [{ times: Float64Array.of(90_000, 120_000, 150_000), values: Float64Array.of(15, 20, 25) }]
    })
  })
})

describe('a smoothed selector', () => {
  it('is on the line between its neighbors, or is the last of them', async () => {
    const steps = { startMs: 15_000, stepMs: 60_000, count: 4 }
    const { value } = await bench.run('half smoothed', steps)
    expect(value).toMatchObject({
      series: [{ values: Float64Array.of(0, 25, 45, 50), present: Uint8Array.of(0, 1, 1, 1) }]
    })
  })

  it('is not that of an anchored one', async () => {
    expect(await bench.at(4, 'c anchored')).toEqual(['c 40'])
    const at = { startMs: 255_000, stepMs: 1, count: 1 }
    expect((await bench.run('c anchored', at)).value).toMatchObject({ series: [{ values: Float64Array.of(40) }] })
    expect((await bench.run('c smoothed', at)).value).toMatchObject({ series: [{ values: Float64Array.of(42.5) }] })
  })
})

it('smooths histograms without counting through the lookback of every step', () => {
  const histogram: NativeHistogram = {
    ...{ schema: 0, count: 1, sum: 1, zeroThreshold: 0, zeroCount: 1, hint: 'unknown' },
    ...{ positive: NO_BUCKETS, negative: NO_BUCKETS, bounds: NO_BOUNDS }
  }
  const samples = 1_000
  let reads = 0
  const histograms = new Proxy(
    Array.from({ length: samples }, () => histogram),
    { get: (all, key) => (reads++, Reflect.get(all, key) as unknown) }
  )
  const times = Float64Array.from({ length: samples }, (_, i) => i * 1_000)
  const raw = { labels: new LabelSet([]), times, values: new Float64Array(samples).fill(Number.NaN), histograms }
  const steps = { startMs: 0, stepMs: 1_000, count: samples }
  const report = { name: 'h', notes: new Notes(''), position: { start: 0, end: 0 } }
  const budget = new Budget(1e6, () => null)
  smoothedSamples(raw, { steps, lookbackMs: 1e9, timeAt: i => i * 1_000, report, budget })
  expect(reads).toBeLessThan(10 * samples)
})

describe('a function that cannot look beyond its window', () => {
  it.each([
    ['max_over_time(c[3m] smoothed)', 'smoothed modifier can only be used with: delta, increase, rate - not with max_over_time'],
    [
      'absent_over_time((c[3m] anchored))',
      'can only be used with: changes, delta, increase, rate, resets - not with absent_over_time'
    ],
    ['quantile_over_time(0.5, c[3m] anchored)', 'not with quantile_over_time'],
    ['resets(c[3m] smoothed)', 'not with resets']
  ])('%s reports it', async (query, text) => {
    await expect(bench.at(5, query)).rejects.toThrow(text)
  })
})

it('reads the lookback before an extended range, and behind a smoothed one', () => {
  const steps = { startMs: 3_600_000, stepMs: 900_000, count: 5 }
  const bounds = { ...promqlBounds(DEFAULT_QUERY_SETTINGS), wholeReadMs: 0 }
  const readOf = (query: string) => {
    const [read] = planRequest({ query, steps, isRange: true, lookbackMs: 300_000 }, bounds).reads.list
    const { range, windowMs, windows } = read!
    return { fromMs: range.startNs / 1_000_000n, toMs: range.endNs / 1_000_000n, windowMs, windows }
  }
  expect(readOf('rate(x[1m] anchored)')).toEqual({
    fromMs: 3_240_001n,
    toMs: 7_200_001n,
    windowMs: 60_000,
    windows: { firstEndMs: 3_600_000, stepMs: 900_000, lengthMs: 360_000, keep: 'all' }
  })
  expect(readOf('rate(x[1m] smoothed offset 1m)')).toEqual({
    fromMs: 3_180_001n,
    toMs: 7_440_001n,
    windowMs: 60_000,
    windows: { firstEndMs: 3_840_000, stepMs: 900_000, lengthMs: 660_000, keep: 'all' }
  })
  expect(readOf('x smoothed')).toEqual({
    fromMs: 3_300_001n,
    toMs: 7_500_001n,
    windowMs: 300_000,
    windows: { firstEndMs: 3_900_000, stepMs: 900_000, lengthMs: 600_000, keep: 'all' }
  })
  expect(readOf('max_over_time(x[1m] smoothed)').windows?.keep).toBe('all')
})
