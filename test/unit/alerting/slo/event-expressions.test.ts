import { describe, expect, it } from '@jest/globals'
import { countExpression, countFault, eventExpressions } from '../../../../src/alerting/slo/event-expressions.js'
import { readPromql } from '../../../support/alert-rules.js'

const HOUR_MS = 3_600_000

describe('an expression that counts events', () => {
  it.each([
    ['errors_total', 'sum(increase(errors_total[1h]))'],
    ['sum(errors_total{code=~"5.."}) # 5xx', 'sum(increase(errors_total{code=~"5.."}[1h]))'],
    ['sum by (a) ((errors_total))', 'sum(increase(errors_total[1h]))'],
    ['sum(increase(errors_total[$window]))', 'sum(sum(increase(errors_total[1h])))'],
    ['sum(rate(errors_total[{{ .window }}]))', 'sum(sum(rate(errors_total[1h]))) * 3600'],
    ['sum(rate(a[5m])) - sum(rate(b[{{.window}}]))', 'sum(sum(rate(a[1h])) - sum(rate(b[1h]))) * 3600'],
    ['count_over_time(probe_success[$window])', 'sum(count_over_time(probe_success[1h]))']
  ])('%s', (query, expected) => {
    expect(countFault(query, readPromql)).toBeNull()
    const found = countExpression(query, HOUR_MS, readPromql)
    expect(found).toBe(expected)
    expect(() => readPromql(found)).not.toThrow()
  })

  it.each([
    ['1', 'must result in an instant vector'],
    ['errors_total offset 5m', 'must not contain subqueries, offsets or @'],
    ['sum(increase(a[$window] offset 1h))', 'must not contain subqueries, offsets or @'],
    ['max_over_time(rate(a[5m])[1h:1m])', 'must not contain subqueries, offsets or @'],
    ['errors_total > 5', 'must count events'],
    ['sum(rate(a[1h]))', 'must only use ranges of [$window] (got [1h])'],
    ['sum(rate(a[$window]) / rate(b[$window]))', 'must not divide one series by another']
  ])('%s is refused', (query, fault) => {
    expect(countFault(query, readPromql)).toContain(fault)
  })
})

describe('the events of an indicator', () => {
  it('of good events are those that are left', () => {
    const indicator = { kind: 'ratio', good: 'good_total', bad: null, total: 'all_total' } as const
    const total = 'sum(increase(all_total[1h]))'
    expect(eventExpressions({ indicator, service: 's' }, HOUR_MS, readPromql)).toEqual({
      bad: `clamp_min(${total} - (sum(increase(good_total[1h])) or 0 * ${total}), 0)`,
      total
    })
  })

  it('of spans quote the names of tenants', () => {
    const service = 'a"} or vector(1) or x{b="\\'
    const { bad, total } = eventExpressions(
      { indicator: { kind: 'availability', operation: 'GET "/"' }, service },
      HOUR_MS,
      readPromql
    )
    for (const query of [bad, total]) expect(() => readPromql(query)).not.toThrow()
    expect(total).toBe(
      'sum(increase(spans_total{service="a\\"} or vector(1) or x{b=\\"\\\\", kind=~"server|consumer", operation="GET \\"/\\""}[1h]))'
    )
  })
})
