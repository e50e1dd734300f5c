import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import { GatewayError } from '../../src/domain/errors.js'
import type { Field } from '../../src/domain/filter.js'
import { compileFilter } from '../../src/stores/duckdb/read/compile-filter.js'
import { LOG_TABLE } from '../../src/stores/duckdb/read/field-target.js'
import { foldedSql } from '../../src/stores/duckdb/read/text-condition.js'
import { Params } from '../../src/stores/duckdb/read/params.js'
import { FILTER_CASES } from './filter-cases.js'

const GOLDEN = new URL('../fixtures/duckdb-filter.txt', import.meta.url)

function compiled(name: string): string {
  const params = new Params()
  const sql = compileFilter(FILTER_CASES[name]!, LOG_TABLE, params)
  const values = Object.entries(params.values).map(([key, value]) => `  $${key} ${typeof value} ${value.toString()}`)
  // The table of letters is tested against the engine and would drown the rest.
  const folded = foldedSql('service')
  return [name, `  ${sql.replaceAll(folded, 'FOLDED(service)')}`, ...values].join('\n')
}

if (process.env['WRITE_GOLDEN'] === '1') writeFileSync(GOLDEN, `${Object.keys(FILTER_CASES).map(compiled).join('\n\n')}\n`)

describe('filters as SQL of the embedded engine', () => {
  const golden = new Map(
    readFileSync(GOLDEN, 'utf8')
      .trimEnd()
      .split('\n\n')
      .map(block => [block.slice(0, block.indexOf('\n')), block])
  )

  it.each(Object.keys(FILTER_CASES))('compiles %s', name => {
    expect(compiled(name)).toBe(golden.get(name))
  })

  it('has a case for every golden block', () => {
    expect([...golden.keys()]).toEqual(Object.keys(FILTER_CASES))
  })

  it.each<Field>([
    { in: 'known', name: 'service' },
    { in: 'known', name: 'severity_number' },
    { in: 'known', name: 'timestamp' },
    { in: 'free', name: 'user.id' },
    { in: 'tags', name: 'user.id' }
  ])('binds few parameters for many values of $in $name', field => {
    const params = new Params()
    const values = Array.from({ length: 1_000 }, (_, i) => String(i))
    compileFilter({ kind: 'not', of: { kind: 'in', field, values } }, LOG_TABLE, params)
    expect(Object.keys(params.values).length).toBeLessThan(20)
  })

  it('binds a text once, however often the statement holds it', () => {
    const params = new Params()
    const filter = { kind: 'eq', field: { in: 'free', name: 'user.id' }, value: 'x' } as const
    compileFilter({ kind: 'or', of: [filter, filter] }, LOG_TABLE, params)
    expect(Object.values(params.values)).toEqual(['/user.id', '"user.id":', '"user.id":[', 'x'])
  })

  it('binds a list once, and apart from the text that spells it', () => {
    const params = new Params()
    const [numbers, strings] = [params.addList([1, 2, 1]), params.addList(['1', '2'])]
    expect(params.addList([1, 2])).toBe(numbers)
    expect(params.addList(['1', '2', '2'])).toBe(strings)
    expect(params.add('string ["1","2"]')).not.toBe(strings)
    expect(Object.keys(params.values)).toEqual(['p1', 'p2', 'p3'])
  })

  it('refuses a well-known field that the table lacks', () => {
    const filter = { kind: 'exists', field: { in: 'known', name: 'ts; DROP TABLE' } } as const
    expect(() => compileFilter(filter, LOG_TABLE, new Params())).toThrow(GatewayError)
  })

  it('refuses a time that is not a number of nanoseconds', () => {
    const filter = { kind: 'eq', field: { in: 'known', name: 'timestamp' }, value: 'yesterday' } as const
    expect(() => compileFilter(filter, LOG_TABLE, new Params())).toThrow(GatewayError)
  })
})
