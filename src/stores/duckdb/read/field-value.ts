import { unreachable } from '../../../domain/errors.js'
import type { Field } from '../../../domain/filter.js'
import { freeColumnName, type JsonColumn } from '../free-columns.js'
import { fieldTarget, freePlaceOf, type TableFields } from './field-target.js'
import { freeTextSql } from './free-condition.js'
import { jsonMember } from './json-condition.js'
import type { Params } from './params.js'

/** SQL of a field's value as text for grouping: one value per row (NULL when missing), or a list of different ones. */
export interface FieldValue {
  readonly sql: string
  readonly isList: boolean
  /** Column to group by, of any type, where strings are made and empty ones distinguished afterwards: cheaper than for every row. */
  readonly column?: string
}

function memberValues(column: string, path: string, params: Params): string {
  const member = jsonMember(column, path, params)
  return `CASE WHEN ${member.mayExist} IS NOT TRUE THEN CAST([] AS VARCHAR[])
    WHEN ${member.isArray} THEN ${member.strings} ELSE [${member.text}] END`
}

/** The values of a path in one column; none when no row has it there. */
function memberValue(
  column: JsonColumn | 'exceptions_json',
  path: string,
  table: TableFields,
  params: Params
): readonly FieldValue[] {
  const place = freePlaceOf(column, path, table)
  if (place === 'absent') return []
  const text = place && freeTextSql(place)
  if (place === null || text === null) return [{ sql: memberValues(column, path, params), isList: true }]
  return [{ sql: text, isList: false, column: freeColumnName(place) }]
}

/** How to read a field for grouping. Null and empty strings count as missing, as for `exists`. */
export function fieldValue(field: Field, table: TableFields, params: Params): FieldValue {
  const target = fieldTarget(field, table)
  switch (target.kind) {
    case 'time':
      return { sql: 'CAST(ts AS VARCHAR)', isList: false }
    case 'arrival':
      return { sql: 'ingest_id', isList: false, column: 'ingest_id' }
    case 'number':
    case 'integer':
      return { sql: `CAST(${target.column} AS VARCHAR)`, isList: false }
    case 'text':
      return { sql: `nullif(${target.column}, '')`, isList: false, column: target.column }
    case 'json': {
      const values = target.columns.flatMap(column => memberValue(column, target.path, table, params))
      if (values.length === 0) return { sql: 'CAST(NULL AS VARCHAR)', isList: false }
      const [only] = values
      if (values.length === 1 && !only!.isList) return { ...only!, sql: `nullif(${only!.sql}, '')` }
      const lists = values.map(value => (value.isList ? value.sql : `[${value.sql}]`))
      const list = lists.length === 1 ? lists[0]! : `list_concat(${lists.join(', ')})`
      return { sql: `list_distinct(list_filter(${list}, lambda v: v <> ''))`, isList: true }
    }
    default:
      return unreachable(target)
  }
}

/** SQL of the values of a field as a list, empty when it is missing. */
export function valueListSql({ sql, isList }: FieldValue): string {
  return isList ? sql : `list_filter([${sql}], lambda v: v IS NOT NULL)`
}

/** SQL that makes one row per value of a list, and one with NULL for an empty list. */
export function eachValueSql(list: string): string {
  return `unnest(CASE WHEN len(${list}) = 0 THEN [CAST(NULL AS VARCHAR)] ELSE ${list} END)`
}
