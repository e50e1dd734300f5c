import { expect, it } from '@jest/globals'
import { budgetLine, formatAttained, formatBudget, formatBurn, rateOf } from '../../../console/src/alerts/slo-budget.js'
import { documentOf, kindOf } from '../../../console/src/alerts/slo-draft.js'

const day = (start: string, total: number, consumed: number | null) => ({
  ...{ start, end: start, total, bad: 0, attained: null, burnRate: null, consumed, missingMinutes: 0 }
})

it('the line of a budget falls by what each day spent, with a gap where nothing was counted', () => {
  const days = [day('2026-11-20T13:00:00Z', 10, 0.25), day('2026-11-21T00:00:00Z', 0, 0), day('2026-11-22T00:00:00Z', 10, 1)]
  const { grid, samples } = budgetLine({ days })
  expect(grid).toEqual({ start: '2026-11-20T00:00:00.000Z', stepMs: 86_400_000, length: 3 })
  expect(samples).toEqual([0.75, null, -0.25])
})

it('figures have the digits that matter, and a dash without data', () => {
  expect([formatBudget(0.4812), formatBudget(-12.345), formatBudget(1)]).toEqual(['48.1 %', '-1235 %', '100 %'])
  expect([formatAttained(0.99953), formatAttained(0.99999)]).toEqual(['99.953 %', '99.999 %'])
  expect([formatBurn(14.44), formatBurn(null), formatBurn(undefined)]).toEqual(['14.4×', '–', '–'])
  expect([rateOf([{ window: '1h', rate: 2 }], '1h'), rateOf([], '1h')]).toEqual([2, undefined])
})

it('a form becomes an SLO, and keeps what it does not show', () => {
  const values = new FormData()
  for (const [name, value] of Object.entries({
    name: ' a ',
    service: 's',
    objective: '99.5',
    window: '7d',
    page: 'on',
    bad: 'e',
    total: 't'
  }))
    values.set(name, value)
  expect(documentOf('ratio', values, { labels: { team: 'x' }, min_events: 5 })).toEqual({
    ...{ labels: { team: 'x' }, min_events: 5, name: 'a', service: 's', objective: 99.5, window: '7d', alerts: ['page'] },
    indicator: { ratio: { bad: 'e', total: 't' } }
  })
  values.set('operation', 'GET /')
  values.set('threshold', '250')
  expect(documentOf('latency', values)).toMatchObject({ indicator: { latency: { operation: 'GET /', threshold_ms: 250 } } })
  expect([kindOf({}), kindOf({ indicator: { ratio: { good: 'g', total: 't' } } })]).toEqual(['availability', null])
})
