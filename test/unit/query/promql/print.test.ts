import { describe, expect, it } from '@jest/globals'
import { exprJson } from '../../../../src/query/promql/syntax/ast-json.js'
import { parsePromql } from '../../../../src/query/promql/syntax/parser.js'
import { printExpr, printPretty } from '../../../../src/query/promql/syntax/print.js'

describe('a query is written as Prometheus writes it', () => {
  it.each([
    ['sum(up)by(job)', 'sum by (job) (up)'],
    ['sum without()(up)', 'sum without () (up)'],
    ['topk(3,up)', 'topk(3, up)'],
    ['{__name__="up",b="2",a="1"}', '{__name__="up",a="1",b="2"}'],
    ['{"up.time","k.8"="v"}', '{"k.8"="v",__name__="up.time"}'],
    ['a{b="x\\"y"}offset 90m@100', 'a{b="x\\"y"} @ 100.000 offset 1h30m'],
    ['rate(a[120s]offset -1d)', 'rate(a[2m] offset -1d)'],
    ['max_over_time((a+b)[1h:]@end())', 'max_over_time((a + b)[1h:] @ end())'],
    ['a==bool on()group_left(x,y)b', 'a == bool on () group_left (x, y) b'],
    ['-(1e3)^.5', '-(1000) ^ 0.5'],
    ['vector(1h30m)', 'vector(1h30m)'],
    ["label_replace(a,'b','$1','c','(.*)')", 'label_replace(a, "b", "$1", "c", "(.*)")'],
    ['1+nAn', '1 + NaN']
  ])('%s', (query, text) => {
    expect(printExpr(parsePromql(query))).toBe(text)
    expect(printExpr(parsePromql(text))).toBe(text)
  })

  it('goes over several lines beyond a hundred characters', () => {
    const query = 'sum by (path) (rate(http_requests_total{job="api-server",status=~"5.."}[5m])) / on (path) group_left () sum(x)'
    expect(printPretty(parsePromql(query))).toBe(
      [
        '  sum by (path) (rate(http_requests_total{job="api-server",status=~"5.."}[5m]))',
        '/ on (path) group_left ()',
        '  sum(x)'
      ].join('\n')
    )
    expect(printPretty(parsePromql('sum(up)'))).toBe('sum(up)')
  })

  it('and its tree is shown as Prometheus shows it', () => {
    expect(exprJson(parsePromql('sum by (job) (up{a!="b"} offset 1m) > 1'))).toEqual({
      type: 'binaryExpr',
      op: '>',
      bool: false,
      matching: null,
      lhs: {
        type: 'aggregation',
        op: 'sum',
        param: null,
        grouping: ['job'],
        without: false,
        expr: {
          type: 'vectorSelector',
          name: 'up',
          offset: 60_000,
          timestamp: null,
          startOrEnd: null,
          matchers: [
            { name: 'a', type: '!=', value: 'b' },
            { name: '__name__', type: '=', value: 'up' }
          ]
        }
      },
      rhs: { type: 'numberLiteral', val: '1' }
    })
  })
})
