import { expect, it } from '@jest/globals'
import type { SeriesSamples } from '../../../../src/domain/metric-point.js'
import { toPoints } from '../../../../src/query/correlation/series-points.js'

const GRID = { startNs: 0n, stepNs: 10n, length: 1 }

function counter(name: string, values: readonly number[]): SeriesSamples {
  return {
    name,
    type: 'counter',
    labels: [],
    timestampsNs: BigInt64Array.from(values, (_, i) => BigInt(i)),
    values: Float64Array.from(values)
  }
}

it('sums that leave the range of a double are not points', () => {
  const leaps = [0, 1.7e308, 0, 1.7e308, 0, 1.7e308]
  const points = toPoints([counter('a_sum', leaps), counter('a_count', leaps), counter('b', leaps)], GRID)
  expect(points.map(({ metric, form, values }) => [metric, form, values])).toEqual([
    ['a_count', 'rate', [null]],
    ['b', 'rate', [null]],
    ['a', 'mean', [null]]
  ])
})
