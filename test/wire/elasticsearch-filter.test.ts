import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import { GatewayError } from '../../src/domain/errors.js'
import type { Field, Filter } from '../../src/domain/filter.js'
import { compileFilter, MAX_CLAUSES, MAX_DEPTH } from '../../src/stores/elasticsearch/read/compile-filter.js'
import { MAX_TERMS } from '../../src/stores/elasticsearch/read/term-condition.js'
import { isExact, UNDECIDED, type Verdict } from '../../src/stores/elasticsearch/read/verdict.js'
import { FILTER_CASES } from './filter-cases.js'

const GOLDEN = new URL('../fixtures/elasticsearch-filter.json', import.meta.url)

const service: Field = { in: 'known', name: 'service' }
const tag: Field = { in: 'tags', name: 'k' }

function compiled(filter: Filter, search: 'exact' | 'approximate' | 'off' = 'exact'): Verdict {
  return compileFilter(filter, { kind: 'logs', search })
}

/** The query where the engine decides alone, else what it is sure of and what may match. */
function shown(verdict: Verdict): unknown {
  return JSON.parse(JSON.stringify(isExact(verdict) ? verdict.maybe : verdict))
}

if (process.env['WRITE_GOLDEN'] === '1') {
  const all = Object.entries(FILTER_CASES).map(([name, filter]) => [name, shown(compiled(filter))])
  writeFileSync(GOLDEN, `${JSON.stringify(Object.fromEntries(all), null, 1)}\n`)
}

describe('filters in the query language of Elasticsearch', () => {
  const golden = JSON.parse(readFileSync(GOLDEN, 'utf8')) as Readonly<Record<string, unknown>>

  it.each(Object.keys(FILTER_CASES))('compiles %s', name => {
    expect(shown(compiled(FILTER_CASES[name]!))).toEqual(golden[name])
  })

  it('has a case for every golden query', () => {
    expect(Object.keys(golden)).toEqual(Object.keys(FILTER_CASES))
  })

  it('compiles conditions on spans: attributes, resource, durations, exceptions', () => {
    const known = (name: string): Field => ({ in: 'known', name })
    const query = (filter: Filter) => shown(compileFilter(filter, { kind: 'spans', search: 'exact' }))
    expect(query({ kind: 'eq', field: known('name'), value: 'GET' })).toEqual({ term: { 'span.name': 'GET' } })
    expect(query({ kind: 'eq', field: known('status'), value: 'error' })).toEqual({ term: { 'status.code': 'error' } })
    expect(query({ kind: 'range', field: known('duration_ns'), gte: '1000', lt: '9007199254740993' })).toEqual({
      bool: {
        filter: [
          { exists: { field: 'event.duration' } },
          { range: { 'event.duration': { gte: 1000 } } },
          { range: { 'event.duration': { lt: '9007199254740993' } } }
        ]
      }
    })
    expect(query({ kind: 'not', of: { kind: 'exists', field: known('parent_span_id') } })).toMatchObject({
      bool: { must_not: expect.arrayContaining([expect.anything()]) as unknown }
    })
    expect(query({ kind: 'prefix', field: known('exception_type'), value: 'java.' })).toEqual({
      prefix: { 'exception.type': { value: 'java.' } }
    })
    expect(query({ kind: 'eq', field: { in: 'tags', name: 'k8s.pod' }, value: 'a' })).toEqual(
      shown(compiled({ kind: 'eq', field: { in: 'tags', name: 'k8s.pod' }, value: 'a' }))
    )
    expect(() => query({ kind: 'eq', field: known('message'), value: 'a' })).toThrow(GatewayError)
  })

  it('splits more values than one clause takes', () => {
    const values = Array.from({ length: MAX_TERMS + 1 }, (_, i) => `v${i}`)
    const { bool } = compiled({ kind: 'in', field: service, values }).maybe as unknown as {
      bool: { should: { term?: object; terms?: { 'service.name': string[] } }[] }
    }
    expect(bool.should.map(({ terms }) => terms!['service.name'].length)).toEqual([MAX_TERMS, 1])
  })

  it('takes as many clauses as engines do and leaves more to a look at the records', () => {
    const alternatives = (count: number): Filter => ({
      kind: 'or',
      of: Array.from({ length: count }, (_, i) => ({ kind: 'prefix' as const, field: service, value: `p${i}` }))
    })
    expect(isExact(compiled(alternatives(MAX_CLAUSES - 1)))).toBe(true)
    expect(compiled(alternatives(MAX_CLAUSES))).toBe(UNDECIDED)
  })

  it('takes as deep a nest as engines do and leaves a deeper one to a look at the records', () => {
    const nest = (depth: number): Filter =>
      Array.from({ length: depth }).reduce<Filter>(
        (of, _, i) => ({
          kind: i % 2 ? 'and' : 'or',
          of: [of, { kind: 'prefix', field: service, value: `p${i}` }]
        }),
        { kind: 'exists', field: { in: 'known', name: 'severity_number' } }
      )
    expect(isExact(compiled(nest(MAX_DEPTH - 1)))).toBe(true)
    expect(compiled(nest(MAX_DEPTH))).toBe(UNDECIDED)
  })

  it('flattens what nests only in name', () => {
    const leaf: Filter = { kind: 'eq', field: service, value: 'a' }
    const nested = Array.from({ length: 50 }).reduce<Filter>((of, _, i) => {
      return i % 2 ? { kind: 'and', of: [of] } : { kind: 'not', of: { kind: 'not', of } }
    }, leaf)
    expect(compiled(nested).maybe).toEqual(compiled(leaf).maybe)
  })

  it('needs a look for substrings without positions and refuses them without trigrams', () => {
    const filter: Filter = { kind: 'contains', field: { in: 'known', name: 'message' }, value: 'abab' }
    expect(compiled(filter, 'approximate')).toMatchObject({
      sure: { match_none: {} },
      maybe: { bool: { filter: [{ term: { tri: { value: 'aba' } } }, { term: { tri: { value: 'bab' } } }] } }
    })
    expect(() => compiled(filter, 'off')).toThrow(expect.objectContaining({ code: 'unsupported_by_store' }))
    expect(compiled({ kind: 'eq', field: filter.field, value: 'x' }, 'off')).toBe(UNDECIDED)
  })

  it('keeps equality of values that are too long for a term', () => {
    const long = 'x'.repeat(40_000)
    expect(isExact(compiled({ kind: 'eq', field: tag, value: long }))).toBe(true)
    expect(isExact(compiled({ kind: 'prefix', field: tag, value: long }))).toBe(false)
    expect(isExact(compiled({ kind: 'range', field: tag, gt: long }))).toBe(false)
  })

  it('refuses a well-known field that the records lack, and a time that is not a number of nanoseconds', () => {
    expect(() => compiled({ kind: 'exists', field: { in: 'known', name: '_id' } })).toThrow(GatewayError)
    expect(() => compiled({ kind: 'eq', field: { in: 'known', name: 'timestamp' }, value: 'yesterday' })).toThrow(GatewayError)
  })
})
