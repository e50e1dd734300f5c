import { describe, expect, it } from '@jest/globals'
import type { FlatObject } from '../../../../src/domain/json.js'
import type { FieldSummary } from '../../../../src/domain/search.js'
import { comparedFields, MAX_COMPARED_FIELDS, MAX_NUMBER_VALUES } from '../../../../src/query/compare/compared-fields.js'
import { LOG_VOCABULARY } from '../../../../src/query/vocabulary.js'
import { FieldSummaries } from '../../../../src/stores/shared/field-summary.js'

/** Summaries of rows, newest first. */
function sampleOf(rows: number, fieldsAt: (i: number) => FlatObject): readonly FieldSummary[] {
  const summaries = new FieldSummaries()
  for (let i = 0; i < rows; i++) summaries.add('log_fields', fieldsAt(i))
  return summaries.top(1_000)
}

const compared = (samples: readonly (readonly FieldSummary[])[], named: readonly string[] = []) =>
  comparedFields(samples, LOG_VOCABULARY, new Set(named))

describe('the fields that are compared', () => {
  it('are compared by value, numbers of many values as measures', () => {
    const { fields, skipped } = compared([
      sampleOf(100, i => ({ region: i % 2 === 0 ? 'eu' : 'us', status: 200 + (i % MAX_NUMBER_VALUES), ms: (i * 37) % 101 }))
    ])
    expect(skipped).toEqual([])
    expect(fields.map(({ name, bounds }) => [name, bounds !== undefined])).toEqual([
      ['log_fields.ms', true],
      ['log_fields.region', false],
      ['log_fields.status', false]
    ])
    const { bounds } = fields[0]!
    expect(bounds!.length).toBeGreaterThan(10)
    expect(bounds!.toSorted((a, b) => a - b)).toEqual(bounds)
    expect(bounds![0]).toBeGreaterThan(0)
  })

  it('are not ids, counters, constants, nor what the filters name', () => {
    const { fields, skipped } = compared(
      [sampleOf(500, i => ({ request: `r${i}`, seq: 5000 - i, level2: 'x', nearly: i < 21 ? 7 + i : 7 }))],
      ['level2']
    )
    expect(fields).toEqual([])
    expect(Object.fromEntries(skipped.map(({ field, reason }) => [field, reason]))).toEqual({
      'log_fields.request': 'nearly every row has a different value',
      'log_fields.seq': 'counts up with time',
      'log_fields.level2': 'the filters name it',
      'log_fields.nearly': 'nearly all numbers are equal'
    })
  })

  it('are not measures where a row has several numbers', () => {
    const sample = sampleOf(100, i => ({ steps: [i, i + 0.5], pair: [i % 3, i % 2], ms: (i * 37) % 101 }))
    const { fields, skipped } = compared([sample])
    expect(fields.map(({ name, bounds }) => [name, bounds !== undefined])).toEqual([
      ['log_fields.ms', true],
      ['log_fields.pair', false]
    ])
    expect(skipped).toEqual([{ field: 'log_fields.steps', reason: 'rows have several numbers' }])
  })

  it('are the most frequent ones of all samples together', () => {
    const many = Array.from({ length: MAX_COMPARED_FIELDS + 2 }, (_, i) => [`f${i}`, 'x'] as const)
    const frequent = sampleOf(3, () => ({ known: 'x' }))
    const { fields, beyondLimit } = compared([frequent, sampleOf(1, () => Object.fromEntries(many)), frequent])
    expect(fields[0]!.name).toBe('log_fields.known')
    expect([fields.length, beyondLimit]).toEqual([MAX_COMPARED_FIELDS, 3])
  })

  it('treat a field as strings where any sample has one', () => {
    const numbers = sampleOf(100, i => ({ code: i }))
    const { fields } = compared([numbers, sampleOf(100, i => ({ code: `c${i % 3}` }))])
    expect(fields).toEqual([{ field: { in: 'log_fields', name: 'code' }, name: 'log_fields.code' }])
  })
})
