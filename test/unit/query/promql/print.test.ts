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
    ['a{b="\\a\\u200b\\n√"}', 'a{b="\\a\\u200b\\n√"}'],
    ["count_values('\\x7f\"', a)", 'count_values("\\x7f\\"", a)'],
    ['1+nAn', '1 + NaN'],
    ['- 5m + -0', '-5m + -0'],
    ['rate(a[5m]offset 1m SMOOTHED@9)', 'rate(a[5m] smoothed @ 9.000 offset 1m)'],
    ['a offset 1m anchored@end()', 'a @ end() anchored offset 1m'],
    ['a+fill_right(1e7)fill_left(-inf)b', 'a + fill_left (-Inf) fill_right (1e+07) b'],
    ['a>bool on(x)group_left fill(1m)b', 'a > bool on (x) group_left () fill (60) b'],
    ['a[60*2-STEP()/(3)]', 'a[60 * 2 - step() / (3)]'],
    ['a[max_of(90s,-range()):min_of((1h),2)^2]', 'a[max_of(1m30s, -range()):min_of((1h), 2) ^ 2]'],
    ['a offset -(5m)', 'a offset -(5m)'],
    ['a offset +step()', 'a offset step()'],
    ['max_of(start(),2)', 'max_of(start(), 2)']
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

  it('a short subquery is where Prometheus puts it', () => {
    const query = `rate(avg_over_time(${'a'.repeat(46)}[5m] smoothed)[max_of(step(), 30m):1m])`
    const inner = `avg_over_time(${'a'.repeat(46)}[5m] smoothed)[max_of(step(), 30m):1m]`
    expect(printPretty(parsePromql(query))).toBe(`rate(\n${inner}\n)`)
  })

  it('and the tree of a computed duration is shown', () => {
    expect(exprJson(parsePromql('a[(1m):2 * step()] offset -range()'))).toMatchObject({
      range: 0,
      rangeExpr: {
        type: 'durationExpr',
        op: '+',
        lhs: null,
        rhs: { type: 'numberLiteral', val: '60', duration: true },
        wrapped: true
      },
      step: 0,
      stepExpr: {
        op: '*',
        lhs: { type: 'numberLiteral', val: '2', duration: false },
        rhs: { type: 'durationExpr', op: 'step', lhs: null, rhs: null, wrapped: false },
        wrapped: false
      },
      offset: 0,
      offsetExpr: { op: '-', lhs: null, rhs: { op: 'range' } }
    })
    expect(exprJson(parsePromql('a[1m] smoothed'))).toMatchObject({
      range: 60_000,
      rangeExpr: null,
      anchored: false,
      smoothed: true
    })
    expect(exprJson(parsePromql('a anchored * fill_right(2) b'))).toMatchObject({
      matching: { fillValues: { lhs: null, rhs: 2 } },
      lhs: { anchored: true, smoothed: false }
    })
    expect(exprJson(parsePromql('-5'))).toEqual({ type: 'numberLiteral', val: '-5' })
  })

  it('without indentation behind a sign', () => {
    const long = `up{job="${'a'.repeat(60)}"}`
    expect(printPretty(parsePromql(`-(-${long} + ${long})`))).toBe(`-(\n    -${long}\n  +\n    ${long}\n)`)
    expect(printPretty(parsePromql(`-${long} ^ ${long}`))).toBe(`-${long}\n^\n  ${long}`)
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
          offsetExpr: null,
          anchored: false,
          smoothed: false,
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
