import { describe, expect, it } from '@jest/globals'
import * as fc from 'fast-check'
import { GatewayError } from '../../../src/domain/errors.js'
import type { Field, Filter } from '../../../src/domain/filter.js'
import { MATCH_ALL } from '../../../src/domain/filter.js'
import { MAX_FREE_CONDITIONS, MAX_QUESTION_VALUES } from '../../../src/query/bounded-filter.js'
import {
  errorFilter,
  type FieldCondition,
  type LogConditions,
  logFilter,
  MAX_CONDITION_VALUES,
  MAX_CONDITIONS,
  rumFilter
} from '../../../src/query/conditions.js'
import { selectedValues, withoutField } from '../../../src/query/log-facets.js'
import { fieldName, fieldOf, LOG_VOCABULARY } from '../../../src/query/vocabulary.js'

const known = (name: string): Field => ({ in: 'known', name })
const eq = (name: string, value: string): Filter => ({ kind: 'eq', field: known(name), value })

function fault(conditions: LogConditions): GatewayError {
  try {
    logFilter(conditions)
  } catch (error) {
    if (error instanceof GatewayError) return error
    throw error
  }
  throw new Error('accepted')
}

const one = (condition: FieldCondition) => logFilter({ filters: [condition] })

describe('conditions', () => {
  it('match everything when there are no conditions, empty strings and empty lists included', () => {
    expect(logFilter({})).toEqual(MATCH_ALL)
    expect(logFilter({ service: [], host: '', query: ' ', filters: [] })).toEqual(MATCH_ALL)
  })

  it('are absent for a list of empty strings, as an empty input of a form sends it', () => {
    expect(logFilter({ service: [''], traceId: ['', ''] })).toEqual(MATCH_ALL)
    expect(rumFilter({ country: [''], pageUrl: [''] })).toEqual(MATCH_ALL)
    expect(logFilter({ service: ['', 'a'] })).not.toEqual(MATCH_ALL)
  })

  it('accepts so many values in all, wherever they were written', () => {
    const values = (count: number) => Array.from({ length: count }, (_, i) => `v${i}`)
    const half = MAX_QUESTION_VALUES / 2
    const one: FieldCondition = { field: 'a', op: 'not_in', value: values(half) }
    const atBound = { filters: [one], service: values(half - 1), query: 'x' }
    expect(() => logFilter(atBound)).not.toThrow()
    const beyond = fault({ ...atBound, query: 'x OR -(y:1 z)' })
    expect(beyond).toMatchObject({ code: 'invalid_field', message: expect.stringContaining(String(MAX_QUESTION_VALUES)) })
    const many = [one, { ...one, field: 'b' }, { ...one, field: 'c' }]
    expect(() => rumFilter({ filters: many })).toThrow(/values in total/)
    expect(() => errorFilter({ filters: many })).toThrow(/values in total/)
  })

  it('may name free fields so often, values of one field in one OR counted once', () => {
    const terms = (count: number) => Array.from({ length: count }, (_, i) => `f${i}:a*`).join(' OR ')
    expect(() => logFilter({ query: terms(MAX_FREE_CONDITIONS) })).not.toThrow()
    expect(fault({ query: terms(MAX_FREE_CONDITIONS + 1) })).toMatchObject({
      ...{ code: 'invalid_field', message: expect.stringContaining(String(MAX_FREE_CONDITIONS)) }
    })
    const values = Array.from({ length: 500 }, (_, i) => `user:u${i}`)
    expect(() => logFilter({ query: values.join(' OR ') })).not.toThrow()
    expect(() => logFilter({ query: `-${values.join(' -')}` })).not.toThrow()
  })

  it('must all hold', () => {
    expect(logFilter({ service: 'a', level: ['WARNING', 'err'], query: 'x' })).toEqual({
      kind: 'and',
      of: [
        eq('service', 'a'),
        { kind: 'in', field: known('level'), values: ['warn', 'error'] },
        { kind: 'contains', field: known('message'), value: 'x' }
      ]
    })
  })

  it('take trace ids in either case', () => {
    expect(logFilter({ traceId: 'ABC' })).toEqual({ kind: 'in', field: known('trace_id'), values: ['ABC', 'abc'] })
    expect(logFilter({ traceId: 'abc' })).toEqual(eq('trace_id', 'abc'))
  })

  it('find logs of unknown level, alone or next to known ones', () => {
    const unknown = {
      kind: 'not',
      of: { kind: 'in', field: known('level'), values: ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] }
    }
    expect(logFilter({ unknownLevel: true })).toEqual(unknown)
    expect(logFilter({ unknownLevel: true, level: 'info' })).toEqual({ kind: 'or', of: [eq('level', 'info'), unknown] })
  })
})

describe('one condition', () => {
  it.each<[FieldCondition, Filter]>([
    [{ field: 'service', op: 'eq', value: 'a' }, eq('service', 'a')],
    [
      { field: 'service', op: 'ne', value: 'a' },
      { kind: 'not', of: eq('service', 'a') }
    ],
    [
      { field: 'n', op: 'eq', value: 1.5 },
      { kind: 'eq', field: { in: 'free', name: 'n' }, value: '1.5' }
    ],
    [
      { field: 'tags.t', op: 'eq', value: true },
      { kind: 'eq', field: { in: 'tags', name: 't' }, value: 'true' }
    ],
    [
      { field: 'n', op: 'in', value: [1, 'b'] },
      { kind: 'in', field: { in: 'free', name: 'n' }, values: ['1', 'b'] }
    ],
    [
      { field: 'host', op: 'not_in', value: ['a', 'b'] },
      { kind: 'not', of: { kind: 'in', field: known('host'), values: ['a', 'b'] } }
    ],
    [
      { field: 'host', op: 'contains', value: 'A%' },
      { kind: 'contains', field: known('host'), value: 'A%' }
    ],
    [
      { field: 'host', op: 'prefix', value: 'a' },
      { kind: 'prefix', field: known('host'), value: 'a' }
    ],
    [
      { field: 'host', op: 'regex', value: '^a\\d$' },
      { kind: 'regex', field: known('host'), pattern: 'a[0-9]', fold: false }
    ],
    [
      { field: 'n', op: 'gte', value: 10 },
      { kind: 'range', field: { in: 'free', name: 'n' }, gte: '10' }
    ],
    [
      { field: 'level', op: 'gt', value: 'warn' },
      { kind: 'in', field: known('level'), values: ['error', 'fatal'] }
    ],
    [
      { field: 'n', op: 'exists' },
      { kind: 'exists', field: { in: 'free', name: 'n' } }
    ],
    [
      { field: 'n', op: 'exists', value: false },
      { kind: 'not', of: { kind: 'exists', field: { in: 'free', name: 'n' } } }
    ],
    [
      { field: 'n', op: 'not_exists' },
      { kind: 'not', of: { kind: 'exists', field: { in: 'free', name: 'n' } } }
    ]
  ])('read %j', (condition, filter) => expect(one(condition)).toEqual(filter))
})

describe('a condition at fault', () => {
  it.each<[unknown, string, string]>([
    [{ field: 'a', op: 'eq', value: { b: 1 } }, 'invalid_field', 'filters.0.value'],
    [{ field: 'a', op: 'eq' }, 'invalid_field', 'filters.0.value'],
    [{ field: 'a', op: 'in', value: [] }, 'invalid_field', 'filters.0.value'],
    [{ field: '', op: 'eq', value: 'a' }, 'invalid_field', 'filters.0.field'],
    [{ field: 'a', op: 'like', value: 'a' }, 'invalid_field', 'filters.0.op'],
    [{ field: 'level', op: 'gt', value: 'loud' }, 'invalid_field', 'filters.0.value'],
    [{ field: 'timestamp', op: 'gt', value: 'soon' }, 'invalid_field', 'filters.0.value'],
    [{ field: 'a', op: 'exists', value: 'yes' }, 'invalid_field', 'filters.0.value'],
    [{ field: 'a', op: 'regex', value: '(' }, 'invalid_query', 'regex'],
    [{ field: 'a', op: 'regex', value: '\\bx' }, 'query_unsupported', 'regex'],
    [null, 'invalid_field', 'filters.0']
  ])('refuse %j', (condition, code, field) => {
    const error = fault({ filters: [condition as FieldCondition] })
    expect([error.code, error.field]).toEqual([code, field])
  })

  it('are bounded in number and values', () => {
    const condition = { field: 'a', op: 'eq', value: 'b' } as const
    expect(() => logFilter({ filters: Array.from({ length: MAX_CONDITIONS }, () => condition) })).not.toThrow()
    expect(fault({ filters: Array.from({ length: MAX_CONDITIONS + 1 }, () => condition) }).code).toBe('invalid_field')
    const values = Array.from({ length: MAX_CONDITION_VALUES }, (_, i) => String(i))
    expect(() => logFilter({ service: values })).not.toThrow()
    expect(fault({ service: [...values, 'x'] }).field).toBe('service')
  })

  it('look for a page by its URL or its group, and for anything else of an event in its tags', () => {
    expect(rumFilter({ pageUrl: '/p', query: 'plan:pro' })).toEqual({
      kind: 'and',
      of: [
        { kind: 'or', of: [eq('page_url', '/p'), eq('page_group', '/p')] },
        { kind: 'eq', field: { in: 'tags', name: 'plan' }, value: 'pro' }
      ]
    })
    expect(() => rumFilter({ filters: [{ field: 'load_time_ms', op: 'gt', value: 1 }] })).toThrow(/is not filterable/)
    expect(() => rumFilter({ filters: [{ field: 'lcp', op: 'gt', value: 1 }] })).toThrow(/is not filterable/)
    expect(() => rumFilter({ query: 'largest_contentful_paint_ms:>1' })).toThrow(/is not filterable/)
    expect(() => rumFilter({ query: 'viewport_width:>1' })).toThrow(/is not filterable/)
    expect(rumFilter({ query: 'tags.lcp:1' })).toEqual({ kind: 'eq', field: { in: 'tags', name: 'lcp' }, value: '1' })
    expect(errorFilter({ type: 'E', query: 'boom' })).toEqual({
      kind: 'and',
      of: [eq('type', 'E'), { kind: 'contains', field: known('message'), value: 'boom' }]
    })
  })
})

describe('names of fields', () => {
  it('lead back to the field that they were made of', () => {
    const field = fc.record({
      in: fc.constantFrom('free', 'log_fields', 'tags'),
      name: fc.constantFrom('a', 'a.b', 'service', 'tags.x')
    })
    fc.assert(
      fc.property(field as fc.Arbitrary<Field>, expected => {
        const again = fieldOf(LOG_VOCABULARY, fieldName(LOG_VOCABULARY, expected))
        expect(again.name).toBe(expected.name)
        if (expected.in !== 'free') expect(again).toEqual(expected)
      })
    )
  })
})

describe('the filter of a facet', () => {
  const level = known('level')
  const without = (conditions: LogConditions) => withoutField(logFilter(conditions), level)

  it('drops every top-level condition on its own field, wherever it was written', () => {
    expect(without({ level: 'warn' })).toEqual(MATCH_ALL)
    expect(
      without({ level: 'warn', service: 'a', query: 'level:error x', filters: [{ field: 'level', op: 'ne', value: 'info' }] })
    ).toEqual({
      kind: 'and',
      of: [eq('service', 'a'), { kind: 'contains', field: known('message'), value: 'x' }]
    })
    expect(without({ query: '(level:warn OR level:error) level:>=info -level:debug level:*' })).toEqual(MATCH_ALL)
  })

  it('drops nothing inside OR and NOT that mentions another field too', () => {
    for (const query of ['level:warn OR x', '-(level:warn x)', '(level:warn x) OR level:info']) {
      expect(without({ query })).toEqual(logFilter({ query }))
    }
  })

  it('keeps conditions on fields that are only called alike', () => {
    for (const query of ['log_fields.level:warn', 'tags.level:warn']) expect(without({ query })).toEqual(logFilter({ query }))
  })

  it('knows the values that the request has chosen', () => {
    const chosen = (conditions: LogConditions) => [...selectedValues(logFilter(conditions), level)]
    expect(chosen({ level: ['warn', 'error'], service: 'a' })).toEqual(['warn', 'error'])
    expect(chosen({ query: 'level:warning' })).toEqual(['warn'])
    expect(chosen({ query: 'level:warn OR x' })).toEqual([])
    expect(chosen({ query: '-level:warn' })).toEqual([])
  })
})
