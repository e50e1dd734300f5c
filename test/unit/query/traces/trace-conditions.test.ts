import { describe, expect, it } from '@jest/globals'
import { GatewayError } from '../../../../src/domain/errors.js'
import { MATCH_ALL, type Field } from '../../../../src/domain/filter.js'
import { fieldName, fieldOf } from '../../../../src/query/vocabulary.js'
import { durationBounds } from '../../../../src/query/traces/duration-heatmap.js'
import { SPAN_VOCABULARY } from '../../../../src/query/traces/span-vocabulary.js'
import { type TraceConditionsInput, traceRequest } from '../../../../src/query/traces/trace-conditions.js'

const known = (name: string): Field => ({ in: 'known', name })
const filterOf = (requested: TraceConditionsInput) => traceRequest(requested).filter

function fault(requested: TraceConditionsInput): GatewayError {
  try {
    traceRequest(requested)
  } catch (error) {
    if (error instanceof GatewayError) return error
    throw error
  }
  throw new Error('accepted')
}

describe('conditions on traces', () => {
  it('match everything when there are no conditions', () => {
    expect(traceRequest({})).toEqual({ filter: MATCH_ALL, conditions: {} })
    expect(traceRequest({ service: '', query: ' ', minDuration: '' })).toEqual({ filter: MATCH_ALL, conditions: {} })
  })

  it('name spans by their fields, kind and status in any capitalization', () => {
    expect(filterOf({ operation: 'GET /', kind: 'SERVER' })).toEqual({
      kind: 'and',
      of: [
        { kind: 'eq', field: known('name'), value: 'GET /' },
        { kind: 'eq', field: known('kind'), value: 'server' }
      ]
    })
    expect(filterOf({ query: 'operation:x' })).toEqual({ kind: 'eq', field: known('name'), value: 'x' })
    expect(filterOf({ query: 'status:ERROR' })).toEqual({ kind: 'eq', field: known('status'), value: 'error' })
    expect(fault({ kind: 'sever' })).toMatchObject({ code: 'invalid_field', field: 'kind' })
    expect(fault({ query: 'status:bad' }).code).toBe('invalid_query')
  })

  it('speak of the whole trace, or of the span when the scope reports it', () => {
    const durations = { minDuration: '1.5ms', maxDuration: '2s' }
    expect(traceRequest(durations)).toEqual({
      filter: MATCH_ALL,
      conditions: { minDurationNs: 1_500_000n, maxDurationNs: 2_000_000_000n }
    })
    expect(traceRequest({ ...durations, scope: 'span' })).toEqual({
      filter: { kind: 'range', field: known('duration_ns'), gte: '1500000', lte: '2000000000' },
      conditions: {}
    })
    expect(traceRequest({ hasError: false, scope: 'span' }).conditions).toEqual({ hasError: false })
  })

  it('need units for durations, and a range that is invalid is refused', () => {
    expect(fault({ minDuration: '100' })).toMatchObject({ field: 'min_duration', code: 'invalid_field' })
    expect(fault({ minDuration: '2s', maxDuration: '1s' }).field).toBe('min_duration')
    expect(filterOf({ query: 'duration:>250us' })).toEqual({ kind: 'range', field: known('duration_ns'), gt: '250000' })
    expect(filterOf({ query: 'duration_ns:>250' })).toEqual({ kind: 'range', field: known('duration_ns'), gt: '250' })
    expect(fault({ query: 'duration:>250' }).code).toBe('invalid_query')
    expect(fault({ query: 'duration:2*' }).code).toBe('invalid_query')
    expect(fault({ filters: [{ field: 'duration', op: 'contains', value: '1' }] }).code).toBe('invalid_field')
  })

  it('find ids in any capitalization and without leading zeros', () => {
    expect(filterOf({ query: 'trace_id:AB' })).toEqual({ kind: 'eq', field: known('trace_id'), value: `${'0'.repeat(30)}ab` })
    expect(filterOf({ query: 'span_id:1F' })).toEqual({ kind: 'eq', field: known('span_id'), value: `${'0'.repeat(14)}1f` })
  })

  it('look for bare words in the name, the service, the status message and the exceptions', () => {
    const strings = ['name', 'service', 'status_message', 'exception_type', 'exception_message']
    const of = strings.map(name => ({ kind: 'contains', field: known(name), value: 'timeout' }))
    expect(filterOf({ query: 'timeout' })).toEqual({ kind: 'or', of })
    expect(filterOf({ query: '-timeout' })).toEqual({ kind: 'not', of: { kind: 'or', of } })
  })

  it('reach attributes and resource by their prefixes, whatever they are called', () => {
    expect(
      filterOf({ attributes: [{ name: '__proto__', value: '1' }], resource: [{ name: 'host.name', value: ['a', 'b'] }] })
    ).toEqual({
      kind: 'and',
      of: [
        { kind: 'eq', field: { in: 'log_fields', name: '__proto__' }, value: '1' },
        { kind: 'in', field: { in: 'tags', name: 'host.name' }, values: ['a', 'b'] }
      ]
    })
    expect(filterOf({ rootOnly: true })).toEqual({ kind: 'not', of: { kind: 'exists', field: known('parent_span_id') } })
    expect(fault({ attributes: [{ name: '', value: '1' }] }).field).toBe('attributes')
    for (const name of ['attributes.a', 'resource.b', 'c', 'name']) {
      expect(fieldName(SPAN_VOCABULARY, fieldOf(SPAN_VOCABULARY, name))).toBe(name)
    }
    expect(fieldOf(SPAN_VOCABULARY, 'attr.a')).toEqual(fieldOf(SPAN_VOCABULARY, 'attributes.a'))
  })
})

describe('buckets of durations', () => {
  it('are logarithmic from 1 us to 1,000 s, each bound beyond the one before', () => {
    for (const buckets of [3, 4, 40, 200]) {
      const bounds = durationBounds(buckets)
      expect([bounds.length, bounds[0], bounds.at(-1)]).toEqual([buckets - 1, 1_000n, 1_000_000_000_000n])
      expect(bounds.every((bound, i) => i === 0 || bound > bounds[i - 1]!)).toBe(true)
    }
  })
})
