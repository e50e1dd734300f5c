import { describe, expect, it } from '@jest/globals'
import { type EncodedHistogram, encodeHistogram } from '../../../../src/domain/native-histogram/encode.js'
import {
  CUSTOM_SCHEMA,
  type NativeHistogram,
  NO_BOUNDS,
  NO_BUCKETS
} from '../../../../src/domain/native-histogram/native-histogram.js'
import { toBuckets } from '../../../support/to-buckets.js'
import { goNumber, jsonNumber, openMetricsNumber } from '../../../../src/query/promql/go-number.js'
import { writeResult } from '../../../../src/query/promql/result-json.js'
import { packSeries, unpackSeries } from '../../../../src/query/promql/series-message.js'
import { joinSamples, samplesBytes, sliceSamples } from '../../../../src/stores/metrics/sample-slices.js'
import type { SeriesSamples } from '../../../../src/domain/metric-point.js'
import { everyMinute, PromqlBench } from '../../../support/promql.js'

const NATIVE: NativeHistogram = {
  schema: 0,
  count: 7,
  sum: 1e-7,
  zeroThreshold: 0.001,
  zeroCount: 1,
  positive: toBuckets([[1, 2]]),
  negative: toBuckets([[2, 4]]),
  bounds: NO_BOUNDS,
  hint: 'unknown'
}
const CUSTOM: NativeHistogram = {
  ...NATIVE,
  schema: CUSTOM_SCHEMA,
  zeroThreshold: 0,
  zeroCount: 0,
  positive: toBuckets([
    [0, 1],
    [1, 2],
    [2, 3]
  ]),
  negative: NO_BUCKETS,
  bounds: Float64Array.of(5, 10)
}
const JSON_OF_NATIVE = {
  count: '7',
  sum: '1e-07',
  buckets: [
    [1, '-4', '-2', '4'],
    [3, '-0.001', '0.001', '1'],
    [0, '1', '2', '2']
  ]
}

const bench = new PromqlBench([
  everyMinute({ __name__: 'native' }, NATIVE, 1),
  everyMinute({ __name__: 'custom' }, CUSTOM),
  everyMinute({ __name__: 'empty' }, { ...NATIVE, zeroCount: 0, positive: NO_BUCKETS, negative: NO_BUCKETS })
])

async function dataOf(query: string, count: number): Promise<unknown> {
  const steps = { startMs: 0, stepMs: 60_000, count }
  const response = await bench.run(query, steps)
  const body = writeResult({ query, steps, isRange: count > 1 }, response, 100_000)
  return (JSON.parse(Buffer.from(body).toString()) as { data: { result: unknown } }).data.result
}

describe('histograms in responses', () => {
  it('of one time replaces the value', async () => {
    expect(await dataOf('native', 1)).toEqual([{ metric: { __name__: 'native' }, histogram: [0, JSON_OF_NATIVE] }])
  })

  it('of many times are next to the values', async () => {
    expect(await dataOf('native', 2)).toEqual([
      { metric: { __name__: 'native' }, values: [[60, '1']], histograms: [[0, JSON_OF_NATIVE]] }
    ])
  })

  it('have no order, so that sorting leaves them out', async () => {
    expect(await dataOf('sort(native)', 1)).toEqual([])
    expect(await dataOf('sort(native)', 2)).toEqual([{ metric: { __name__: 'native' }, values: [[60, '1']] }])
  })

  it('of a range too', async () => {
    expect(await dataOf('native[1m]', 1)).toEqual([{ metric: { __name__: 'native' }, histograms: [[0, JSON_OF_NATIVE]] }])
  })

  it('have ends at infinity with custom buckets, and no buckets where nothing was observed', async () => {
    const buckets = [
      [3, '-Inf', '5', '1'],
      [0, '5', '10', '2'],
      [0, '10', '+Inf', '3']
    ]
    expect(await dataOf('custom', 1)).toEqual([
      { metric: { __name__: 'custom' }, histogram: [0, { count: '7', sum: '1e-07', buckets }] }
    ])
    expect(await dataOf('empty', 1)).toEqual([{ metric: { __name__: 'empty' }, histogram: [0, { count: '7', sum: '1e-07' }] }])
  })

  it('have no bucket around zero where less than nothing was observed in it', async () => {
    const buckets = [
      [1, '-4', '-2', '-4'],
      [0, '1', '2', '-2']
    ]
    expect(await dataOf('-native', 1)).toEqual([{ metric: {}, histogram: [0, { count: '-7', sum: '-1e-07', buckets }] }])
    expect((await bench.run('count_values("v", -native)', { startMs: 0, stepMs: 1, count: 1 })).value).toMatchObject({
      series: [{ labels: { labels: [{ value: '{count:-7, sum:-1e-07, [-4,-2):-4, [-0.001,0.001]:-1, (1,2]:-2}' }] } }]
    })
  })

  it('count by their buckets among the values that a query may compute', async () => {
    const steps = { startMs: 0, stepMs: 1, count: 1 }
    const request = (maxValues: number) =>
      new PromqlBench([everyMinute({ __name__: 'native' }, NATIVE)], { maxValues }).run('-(native * 2)', steps)
    // The selector, the number and the product each have a step, and the product and its opposite two buckets each.
    expect((await request(7)).value).toMatchObject({ series: [{}] })
    await expect(request(6)).rejects.toThrow('the query exceeds the limit of 6 computed values')
  })

  it.each(['-native', 'native * 2', '2 * native', 'native + native', 'native == native', 'rate(native[2m])', 'sum(native)'])(
    'are weighed while they are made, so that a query can be ended: %s',
    async query => {
      const steps = { startMs: 60_000, stepMs: 1, count: 1_000 }
      const looksAt = async (buckets: number): Promise<number> => {
        const positive = toBuckets(Array.from({ length: buckets }, (_, i) => [i, 1]))
        const wide = everyMinute({ __name__: 'native' }, { ...NATIVE, positive }, { ...NATIVE, positive })
        let looks = 0
        await new PromqlBench([wide], { maxValues: 1e9 }).run(query, steps, () => {
          looks++
          return null
        })
        return looks
      }
      // A hundred thousand buckets; weighed afterwards they would be one look.
      expect((await looksAt(110)) - (await looksAt(1))).toBeGreaterThanOrEqual(2)
    }
  )

  it('have warnings that state the place', async () => {
    const steps = { startMs: 60_000, stepMs: 1, count: 1 }
    const { warnings } = await bench.run('1 +\n  rate(native[2m])', steps)
    expect(warnings).toEqual(['PromQL warning: encountered a mix of histograms and floats for metric name "native" (2:8)'])
  })
})

function series(times: readonly bigint[], histograms: Readonly<Record<number, string>>): SeriesSamples {
  const found = new Map(Object.entries(histograms).map(([i, text]) => [Number(i), text as EncodedHistogram]))
  const timestampsNs = BigInt64Array.from(times)
  return { name: 'a', type: 'counter', labels: [], timestampsNs, values: new Float64Array(times.length), histograms: found }
}

describe('samples that are histograms', () => {
  it('go from thread to thread with their series', () => {
    const histogram = encodeHistogram(NATIVE)
    const [first, second, third] = unpackSeries(
      packSeries([series([1n, 2n], { 1: histogram }), series([3n], {}), series([4n], { 0: histogram })])
    )
    expect(first!.histograms![0]).toBeUndefined()
    expect(first!.histograms![1]).toEqual(NATIVE)
    expect(second!.histograms).toBeUndefined()
    expect(third!.histograms).toEqual([NATIVE])
  })

  it('keep their times when series are cut and put together', () => {
    const whole = series([1n, 2n, 3n, 4n], { 1: 'b', 3: 'd' })
    const [late] = sliceSamples([whole], { startNs: 2n, endNs: 4n })
    expect([...late!.histograms!]).toEqual([[0, 'b']])
    const [plain] = sliceSamples([whole], { startNs: 3n, endNs: 4n })
    expect(plain!.histograms).toBeUndefined()
    const [joined] = joinSamples(
      sliceSamples([whole], { startNs: 1n, endNs: 3n }),
      sliceSamples([whole], { startNs: 3n, endNs: 9n })
    )
    expect([...joined!.histograms!]).toEqual([
      [1, 'b'],
      [3, 'd']
    ])
    expect(samplesBytes([whole])).toBeGreaterThan(samplesBytes([plain!]))
  })
})

describe('numbers as Go writes them', () => {
  it.each([
    [0, '0', '0', '0.0'],
    [1, '1', '1', '1.0'],
    [0.5, '0.5', '0.5', '0.5'],
    [123_456, '123456', '123456', '123456.0'],
    [1_234_567, '1.234567e+06', '1234567', '1.234567e+06'],
    [0.0001, '0.0001', '0.0001', '0.0001'],
    [0.000_01, '1e-05', '0.00001', '1e-05'],
    [1e-7, '1e-07', '1e-07', '1e-07'],
    [-1e22, '-1e+22', '-1e+22', '-1e+22'],
    [Number.NaN, 'NaN', 'NaN', 'NaN'],
    [-Infinity, '-Inf', '-Inf', '-Inf']
  ])('%p', (value, go, json, openMetrics) => {
    expect([goNumber(value), jsonNumber(value), openMetricsNumber(value)]).toEqual([go, json, openMetrics])
  })
})
