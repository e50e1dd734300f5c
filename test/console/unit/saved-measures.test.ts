import { describe, expect, it } from '@jest/globals'
import type { MeasureChoice } from '../../../console/src/measures/measure-choice.js'
import {
  parseBounds,
  percentileOf,
  proposedBounds,
  savedExpression,
  saveRefusal,
  toInput
} from '../../../console/src/measures/to-saved.js'
import { MAX_MEASURE_QUERY_CHARS } from '../../../src/alerting/measures/parse-measure.js'
import { backfillShare, measureState, savedTitle } from '../../../console/src/settings/measure-state.js'

const RECORDS = { signal: 'LOGS', query: 'level:error' } as const
const choice = (changes: Partial<MeasureChoice>): MeasureChoice => ({ fn: 'count', field: null, groupBy: null, ...changes })

function form(values: Readonly<Record<string, string>>): FormData {
  const data = new FormData()
  for (const [name, value] of Object.entries({ name: 'm', description: '', step: '1m', ...values })) data.set(name, value)
  return data
}

describe('a measure that is saved', () => {
  it('has the records and the grouping of the page', () => {
    expect(toInput(RECORDS, choice({ groupBy: 'service' }), form({ name: ' errors ', description: ' of all ' }))).toEqual({
      ...{ name: 'errors', description: 'of all', signal: 'LOGS', query: 'level:error', fn: 'COUNT', field: null },
      ...{ groupBy: ['service'], step: '1m' }
    })
  })
  it('is a histogram where a percentile is measured', () => {
    const input = toInput(RECORDS, choice({ fn: 'p99', field: 'ms' }), form({ bounds: '10, 100 1e3' }))
    expect(input).toMatchObject({ fn: 'HISTOGRAM', field: 'ms', groupBy: [], bounds: [10, 100, 1_000] })
    expect([percentileOf('p99'), percentileOf('max')]).toEqual([99, undefined])
  })
  it('is refused without its field, and for rates and distinct counts', () => {
    expect(saveRefusal(RECORDS, choice({ fn: 'rate' }))).toMatch(/save the count/)
    expect(saveRefusal(RECORDS, choice({ fn: 'sum' }))).toMatch(/^Choose the field/)
    expect(saveRefusal(RECORDS, choice({ fn: 'count_distinct', field: 'user' }))).toMatch(/do not add up/)
    expect(saveRefusal(RECORDS, choice({}))).toBeNull()
  })
  it('is refused with a search that is longer than the service stores', () => {
    const refusal = (length: number): string | null => saveRefusal({ ...RECORDS, query: 'x'.repeat(length) }, choice({}))
    expect([refusal(MAX_MEASURE_QUERY_CHARS), refusal(MAX_MEASURE_QUERY_CHARS + 1)]).toEqual([
      null,
      'The search has 4,097 characters; a saved measure has at most 4,096. Shorten the search.'
    ])
  })
  it('has bounds as numbers, and of fields that are durations as nanoseconds', () => {
    expect(parseBounds('5ms, 1.5s', true)).toEqual([5_000_000, 1_500_000_000])
    expect(parseBounds('5ms, 1.5s', false)).toBeNull()
    expect(parseBounds('-1; 0', false)).toEqual([-1, 0])
    for (const text of ['', ' , ', '1, x', 'Infinity', '5 parsecs']) expect([text, parseBounds(text, true)]).toEqual([text, null])
    expect(parseBounds(proposedBounds(true), true)).toEqual(parseBounds(proposedBounds(false), false)!.map(ms => ms * 1e6))
  })
  it('has durations as bounds where the measured field is one', () => {
    const spans = { signal: 'SPANS', query: '' } as const
    const bounds = form({ bounds: '5ms, 1s' })
    expect(toInput(spans, choice({ fn: 'p95', field: 'duration' }), bounds)).toMatchObject({ bounds: [5e6, 1e9] })
    expect(toInput(RECORDS, choice({ fn: 'p95', field: 'duration_ms' }), bounds)).toMatchObject({ bounds: [] })
  })
  it('is shown by an expression that adds up steps', () => {
    expect(savedExpression({ name: 'm', fn: 'SUM', step: '1m' })).toBe('m')
    expect(savedExpression({ name: 'm', fn: 'AVG', step: '1m' })).toBe('m_sum / m_count')
    expect(savedExpression({ name: 'm', fn: 'SUM', step: '5m' })).toBe('m')
    expect(savedExpression({ name: 'm', fn: 'SUM', step: '15m' })).toBe('last_over_time(m[15m])')
    expect(savedExpression({ name: 'm', fn: 'AVG', step: '1h' })).toBe('last_over_time(m_sum[1h]) / last_over_time(m_count[1h])')
    expect(savedExpression({ name: 'm', fn: 'HISTOGRAM', step: '10s' }, 50)).toBe(
      'histogram_quantile(0.5, sum_over_time(m_bucket[5m]))'
    )
    expect(savedExpression({ name: 'm', fn: 'HISTOGRAM', step: '1h' })).toContain('0.95, sum_over_time(m_bucket[1h])')
  })
})

describe('the state of a saved measure', () => {
  const backfill = { from: '2026-11-20T10:00:00Z', doneUntil: '2026-11-20T10:15:00Z', until: '2026-11-20T11:00:00Z' }
  const none = { backfill: null, error: null, incomplete: null, countedUntil: '2026-11-20T12:00:00Z', step: '1m' }
  const stateOf = (measure: Parameters<typeof measureState>[0], seconds = 0): string =>
    measureState(measure, Date.parse(none.countedUntil) + seconds * 1_000)

  it('names what hinders it first', () => {
    expect(stateOf(none)).toBe('up to date')
    expect(stateOf({ ...none, incomplete: 'more than 100 groups' })).toBe('incomplete: more than 100 groups')
    expect(stateOf({ ...none, backfill })).toBe('backfill: 25 %')
    expect(stateOf({ ...none, backfill, error: 'the store is away' })).toBe('error: the store is away')
  })
  it('states when it is behind by more than two steps', () => {
    expect(stateOf(none, 150)).toBe('up to date')
    expect(stateOf({ ...none, backfill }, 151)).toBe('behind: 2 min')
    expect(stateOf({ ...none, step: '1h' }, 7_200)).toBe('up to date')
  })
  it('knows when a backfill is done', () => {
    expect(backfillShare({ backfill })).toBe(0.25)
    expect(backfillShare({ backfill: { ...backfill, doneUntil: backfill.until } })).toBeNull()
  })
  it('has its measure in words', () => {
    expect(savedTitle({ fn: 'COUNT', field: null, groupBy: [] })).toBe('count')
    expect(savedTitle({ fn: 'SUM', field: 'amount', groupBy: ['region', 'shop'] })).toBe('sum of amount by region, shop')
  })
})
