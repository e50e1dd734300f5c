import { expect, it } from '@jest/globals'
import { poolSeries } from '../../../../src/query/promql/evaluate/selector-reading.js'
import type { RawSeries } from '../../../../src/query/promql/evaluate/values.js'
import { LabelSet } from '../../../../src/query/promql/labels.js'

it('names a group by its labels, also when one series is all of it', () => {
  const labels = LabelSet.ofSeries('m', [
    { name: 'job', value: 'a' },
    { name: 'pod', value: '1' }
  ])
  const alone = { labels, times: Float64Array.of(1), values: Float64Array.of(2) } as unknown as RawSeries
  const [pooled] = poolSeries([alone], ['job'])
  expect(pooled!.labels.labels).toEqual([{ name: 'job', value: 'a' }])
  expect([...pooled!.values]).toEqual([2])
})
