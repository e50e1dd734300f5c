import { expect, it } from '@jest/globals'
import { listMetrics } from '../../../src/stores/metrics/metric-catalog.js'

it('returns one type of a metric whose series of two types were seen last at the same time, in whatever order', () => {
  const series = [
    { name: 'cpu', type: 'gauge' as const, lastSeenNs: 5n },
    { name: 'cpu', type: 'counter' as const, lastSeenNs: 5n },
    { name: 'cpu', type: 'gauge' as const, lastSeenNs: 4n }
  ]
  const expected = { metrics: [{ name: 'cpu', type: 'counter', seriesCount: 3, lastSeenNs: 5n }], hasMore: false }
  expect(listMetrics(series, { limit: 5 })).toEqual(expected)
  expect(listMetrics(series.toReversed(), { limit: 5 })).toEqual(expected)
})
