import { unreachable } from '../../../domain/errors.js'
import type { Field } from '../../../domain/filter.js'
import { fieldTarget, type TableFields } from './field-target.js'
import { jsonMember } from './json-condition.js'
import type { Params } from './params.js'

/** SQL of a field's value as text for grouping: one value per row (NULL when missing), or a list of different ones. */
export interface FieldValue {
  readonly sql: string
  readonly isList: boolean
  /** Column to group by where empty strings are distinguished afterwards: cheaper than a test of every row. */
  readonly column?: string
}

function memberValues(column: string, path: string, params: Params): string {
  const member = jsonMember(column, path, params)
  return `CASE WHEN ${member.mayExist} IS NOT TRUE THEN CAST([] AS VARCHAR[])
    WHEN ${member.isArray} THEN ${member.strings} ELSE [${member.text}] END`
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
      if (target.columns.length === 0) return { sql: 'CAST(NULL AS VARCHAR)', isList: false }
      const values = target.columns.map(column => memberValues(column, target.path, params))
      const list = values.length === 1 ? values[0]! : `list_concat(${values.join(', ')})`
      return { sql: `list_distinct(list_filter(${list}, lambda v: v <> ''))`, isList: true }
    }
    default:
      return unreachable(target)
  }
}

/** SQL that makes one row per value of a list, and one with NULL for an empty list. */
export function eachValueSql(list: string): string {
  return `unnest(CASE WHEN len(${list}) = 0 THEN [CAST(NULL AS VARCHAR)] ELSE ${list} END)`
}
