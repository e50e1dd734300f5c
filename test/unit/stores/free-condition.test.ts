import { describe, expect, it } from '@jest/globals'
import type { Filter } from '../../../src/domain/filter.js'
import {
  decodeFreeColumns,
  encodeFreeColumns,
  type FreeColumn,
  freeColumnName,
  FreeColumns
} from '../../../src/stores/duckdb/free-columns.js'
import { compileFilter } from '../../../src/stores/duckdb/read/compile-filter.js'
import { LOG_TABLE } from '../../../src/stores/duckdb/read/field-target.js'
import { isImpossible } from '../../../src/stores/duckdb/read/free-classes.js'
import { Params } from '../../../src/stores/duckdb/read/params.js'

const field = { in: 'log_fields', name: 'm' } as const
const eq = (value: string): Filter => ({ kind: 'eq', field, value })

function column(type: FreeColumn['type'], hasNumbers = false): FreeColumn {
  return { of: 'fields_json', name: 'm', rows: 1, type, hasNumbers }
}

/** SQL of a filter over a segment with one column, called `c`, and its values. */
function compiled(filter: Filter, free: FreeColumn): readonly [sql: string, ...values: unknown[]] {
  const columns = new FreeColumns({ columns: [free], others: [], isComplete: true })
  const params = new Params()
  const sql = compileFilter(filter, { ...LOG_TABLE, freePlace: (of, name) => columns.place(of, name) }, params)
  return [sql.replaceAll(freeColumnName(free), 'c'), ...Object.values(params.values)]
}

describe('conditions on free columns', () => {
  it.each<[string, Filter, FreeColumn, readonly unknown[]]>([
    ['a whole number', eq('503'), column('integer'), ['(c IN ($p1))', 503n]],
    ['another spelling of one', eq('5.03e2'), column('integer'), ['(c IN ($p1))', 503n]],
    ['no whole number', eq('503.5'), column('integer'), ['(FALSE)']],
    ['a number of 16 digits', eq('1234567890123456'), column('integer'), ['(FALSE)']],
    ['above', { kind: 'range', field, gt: '1.5' }, column('integer'), ['((c IS NOT NULL AND c > $p1))', 1n]],
    ['from', { kind: 'range', field, gte: '1.5' }, column('integer'), ['((c IS NOT NULL AND c >= $p1))', 2n]],
    ['below', { kind: 'range', field, lt: '-1.5' }, column('integer'), ['((c IS NOT NULL AND c < $p1))', -1n]],
    ['to', { kind: 'range', field, lte: '1e300' }, column('integer'), ['((c IS NOT NULL AND c <= $p1))', 10n ** 15n]],
    ['a number', eq('0.50'), column('number'), ['(c IN ($p1))', 0.5]],
    ['a string of strings', eq('x'), column('text'), ['(c = $p1)', 'x']],
    ['above a number, of strings', { kind: 'range', field, gt: '1' }, column('text'), ['(FALSE)']],
    ['presence', { kind: 'exists', field }, column('number'), ['(c IS NOT NULL)']],
    ['presence of strings', { kind: 'exists', field }, column('text'), ["(c <> '')"]]
  ])('reads the column alone for %s', (_, filter, free, expected) => {
    expect(compiled(filter, free)).toEqual(expected)
  })

  it.each<[string, Filter]>([
    ['a number of 16 digits', eq('1234567890123456')],
    ['a bound that is not a number', { kind: 'range', field, gt: 'a' }],
    ['a substring', { kind: 'contains', field, value: '5' }]
  ])('reads the JSON for %s of numbers whose strings the column does not have', (_, filter) => {
    expect(compiled(filter, column('number'))[0]).toContain('fields_json')
  })

  it('knows that no row has a member', () => {
    const columns = new FreeColumns({ columns: [column('text')], others: [], isComplete: true })
    const table = { ...LOG_TABLE, freePlace: columns.place.bind(columns) }
    const missing: Filter = { kind: 'exists', field: { in: 'free', name: 'missing' } }
    const present: Filter = { kind: 'exists', field }
    expect(isImpossible(missing, table)).toBe(true)
    expect(isImpossible({ kind: 'and', of: [present, missing] }, table)).toBe(true)
    expect(isImpossible({ kind: 'or', of: [present, missing] }, table)).toBe(false)
    expect(isImpossible({ kind: 'not', of: missing }, table)).toBe(false)
    expect(isImpossible(missing, LOG_TABLE)).toBe(false)
  })
})

describe('the list of free columns', () => {
  const list = {
    columns: [column('integer'), { ...column('text', true), name: "q'\u{0}" }],
    others: [{ of: 'tags_json', name: '__proto__', rows: 3, hasLists: true }],
    isComplete: false
  } as const

  it('is read as it was written', () => {
    expect(decodeFreeColumns(encodeFreeColumns(list))).toEqual(list)
  })

  it('does not report a member as absent when it is not complete', () => {
    const columns = new FreeColumns(list)
    expect(columns.place('fields_json', 'm')).toEqual(list.columns[0])
    expect(columns.place('tags_json', '__proto__')).toBeNull()
    expect(columns.place('tags_json', 'm')).toBeNull()
    expect(new FreeColumns({ ...list, isComplete: true }).place('tags_json', 'm')).toBe('absent')
  })

  it.each([
    ['no JSON', '{'],
    ['null', 'null'],
    ['a later version', encodeFreeColumns(list).replace('"version":1', '"version":2')],
    ['a type that is not known', encodeFreeColumns(list).replace('"integer"', '"date"')],
    ['a column that is not known', encodeFreeColumns(list).replace('"tags_json"', '"body_json"')],
    ['a half', encodeFreeColumns(list).slice(0, -20)]
  ])('is absent for %s', (_, encoded) => {
    expect(decodeFreeColumns(encoded)).toBeNull()
  })
})
