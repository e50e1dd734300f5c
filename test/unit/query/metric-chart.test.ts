import { describe, expect, it } from '@jest/globals'
import * as fc from 'fast-check'
import type { SeriesSamples } from '../../../src/domain/metric-point.js'
import { metricGrid, parseStepMs } from '../../../src/query/metric-grid.js'
import type { LineAggregation } from '../../../src/query/metric-line.js'
import { drawLine } from '../../support/chart.js'

type Plain = ReadonlyMap<number, number>

const MS = 1_000_000n

function toSeries(samples: Plain): SeriesSamples {
  const sorted = [...samples].sort(([a], [b]) => a - b)
  return {
    ...{ name: 'm', type: 'gauge', labels: [] },
    timestampsNs: BigInt64Array.from(sorted, ([t]) => BigInt(t) * MS),
    values: Float64Array.from(sorted, ([, v]) => v)
  }
}

/** What each aggregation means, over the plain list of values of one bucket. */
const MEANINGS: Readonly<Partial<Record<LineAggregation, (values: readonly number[]) => number>>> = {
  count: values => values.length,
  sum: values => values.reduce((a, b) => a + b, 0),
  avg: values => values.reduce((a, b) => a + b, 0) / values.length,
  min: values => Math.min(...values),
  max: values => Math.max(...values),
  p50: values => atRank(values, 0.5),
  p99: values => atRank(values, 0.99)
}

function atRank(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  const rank = q * (sorted.length - 1)
  return sorted[Math.floor(rank)]! + (sorted[Math.ceil(rank)]! - sorted[Math.floor(rank)]!) * (rank % 1)
}

const plain = fc
  .array(fc.tuple(fc.integer({ min: -20, max: 120 }), fc.integer({ min: -50, max: 50 })), { maxLength: 40 })
  .map(all => new Map(all))

describe('aggregation', () => {
  it.each(Object.entries(MEANINGS))('%s is over all samples of all series of the group in [t, t + step)', (name, meaning) => {
    fc.assert(
      fc.property(
        fc.array(plain, { maxLength: 4 }),
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 6 }),
        (group, step, length) => {
          const range = { startNs: 0n, endNs: BigInt(step * length) * MS }
          const grid = { startNs: 0n, stepNs: BigInt(step) * MS, length }
          const got = drawLine(name as LineAggregation, group.map(toSeries), grid, range)
          for (let i = 0; i < length; i++) {
            const values = group.flatMap(samples =>
              [...samples].filter(([t]) => t >= i * step && t < (i + 1) * step).map(([, v]) => v)
            )
            if (values.length === 0) expect(got[i]).toBeNull()
            else expect(got[i]).toBeCloseTo(meaning(values), 9)
          }
        }
      )
    )
  })

  it('last is the newest sample of the group', () => {
    const group = [
      new Map([
        [1, 10],
        [3, 30]
      ]),
      new Map([[2, 20]])
    ].map(toSeries)
    expect(drawLine('last', group, { startNs: 0n, stepNs: 10n * MS, length: 2 }, { startNs: 0n, endNs: 20n * MS })).toEqual([
      30,
      null
    ])
  })

  it('keeps infinities and prefers numbers to NaN in min and max', () => {
    const group = [
      toSeries(
        new Map([
          [0, NaN],
          [1, 5],
          [2, Infinity]
        ])
      )
    ]
    const at = (name: LineAggregation) =>
      drawLine(name, group, { startNs: 0n, stepNs: 10n * MS, length: 1 }, { startNs: 0n, endNs: 10n * MS })[0]
    expect([at('min'), at('max'), at('sum')]).toEqual([5, Infinity, NaN])
  })

  it('ranks NaN below all numbers in percentiles, as Prometheus does', () => {
    const group = [toSeries(new Map([5, NaN, 3, -Infinity, 4].map((value, i) => [i, value])))]
    const at = (name: LineAggregation) =>
      drawLine(name, group, { startNs: 0n, stepNs: 10n * MS, length: 1 }, { startNs: 0n, endNs: 10n * MS })[0]
    expect([at('p50'), at('p99')]).toEqual([3, expect.closeTo(4.96)])
  })
})

describe('the grid of a metric query', () => {
  const S = 1_000_000_000n
  const grid = (seconds: number, step?: unknown, isAligned = false) =>
    metricGrid({ startNs: 7n * S, endNs: (7n + BigInt(seconds)) * S }, { step, leastMs: 1_000, isAligned }, 11_000)

  it('covers the window, the last bucket perhaps beyond it', () => {
    expect(grid(120, 60)).toEqual({ startNs: 7n * S, stepNs: 60n * S, length: 2 })
    expect(grid(121, '1m').length).toBe(3)
    expect(grid(120, 60, true)).toEqual({ startNs: 0n, stepNs: 60n * S, length: 3 })
  })

  it('chooses a round step of about 300 points', () => {
    expect([60, 3_600, 86_400, 30 * 86_400].map(seconds => Number(grid(seconds).stepNs / S))).toEqual([1, 15, 300, 10_800])
  })

  it('allows 11,000 points and not one more', () => {
    expect(grid(11_000, 1).length).toBe(11_000)
    expect(() => grid(11_001, 1)).toThrow(/11000 points.*at least 2 seconds/)
  })

  it.each([
    [60, 60_000],
    ['60', 60_000],
    ['0.5', 500],
    ['1h30m', 5_400_000]
  ])('reads the step %j', (step, ms) => expect(parseStepMs(step)).toBe(ms))

  it.each([0, -1, 'x', '', NaN, {}, '0.0001'])('refuses the step %j', step => expect(() => parseStepMs(step)).toThrow(/step/))
})
