import { expect, it } from '@jest/globals'
import { parseMeasure } from '../../../../src/alerting/measures/parse-measure.js'
import { pageMetrics } from '../../../../src/stores/virtual/page-counts.js'
import { spanMetrics } from '../../../../src/stores/virtual/span-counts.js'
import { logRecords } from '../../../../src/stores/virtual/log-counts.js'

const NO_STORE = {} as never

it('metrics that are counted out of other signals keep their names', () => {
  const names = [logRecords(NO_STORE), ...pageMetrics(NO_STORE), ...spanMetrics(NO_STORE)].map(({ name }) => name)
  expect(names.length).toBeGreaterThan(5)
  for (const name of [...names, 'ALERTS', 'ALERTS_FOR_STATE'])
    expect(() => parseMeasure({ name, fn: 'count' })).toThrow('is a metric that this service counts')
})

it('names that the rules of SLOs write are refused', () => {
  expect(() => parseMeasure({ name: 'slo:events:good', fn: 'count' })).toThrow('slo:')
  expect(parseMeasure({ name: 'slot', fn: 'count' }).name).toBe('slot')
})

it.each(['logs', 'spans'] as const)('%s are not grouped by what is different in each of them', signal => {
  for (const field of ['trace_id', 'span_id'])
    expect(() => parseMeasure({ name: 'm', signal, fn: 'count', groupBy: [field] })).toThrow()
})
