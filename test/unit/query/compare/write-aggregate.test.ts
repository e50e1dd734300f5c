import { expect, it } from '@jest/globals'
import { writeAggregate } from '../../../../src/query/compare/write-aggregate.js'
import { parsePromql } from '../../../../src/query/promql/syntax/parser.js'

const LABELS = [
  { name: 'service', value: 'a"b\\c\nd' },
  { name: 'http.route', value: '/cart' }
]

it.each([
  [{ metric: 'up', labels: [], form: 'value' } as const, 'avg(up)'],
  [{ metric: 'system.cpu', labels: [], form: 'rate' } as const, 'sum(rate({__name__="system.cpu"}[5m]))'],
  [
    { metric: 'latency', labels: LABELS, form: 'mean' } as const,
    String.raw`sum(rate(latency_sum{"http.route"="/cart",service="a\"b\\c\nd"}[5m])) / sum(rate(latency_count{"http.route"="/cart",service="a\"b\\c\nd"}[5m]))`
  ]
])('writes PromQL of %j', (line, expr) => {
  expect(writeAggregate(line)).toBe(expr)
  expect(() => parsePromql(expr)).not.toThrow()
})
