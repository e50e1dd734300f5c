import type { Field } from '../../../domain/filter.js'
import { NUMBER_PATTERN } from '../../../domain/number-text.js'
import { mayBeNumberSql } from '../number-sql.js'
import { freeColumnName, type JsonColumn } from '../free-columns.js'
import { fieldTarget, freePlaceOf, type TableFields } from './field-target.js'
import { jsonMember } from './json-condition.js'
import type { Params } from './params.js'

/** SQL of the numbers of a field: a DOUBLE, NULL without one, or a list of them. */
export interface NumberValue {
  readonly sql: string
  readonly isList: boolean
}

const NONE: NumberValue = { sql: 'CAST(NULL AS DOUBLE)', isList: false }

/** The number of a string in SQL; NULL where a `range` does not take it for a number. */
export function numberSql(text: string): string {
  const number = `TRY_CAST(${text} AS DOUBLE)`
  const isNumber = `isfinite(${number}) AND regexp_full_match(${text}, '${NUMBER_PATTERN}')`
  return `CASE WHEN ${mayBeNumberSql(text)} THEN CASE WHEN ${isNumber} THEN ${number} END END`
}

function memberNumbers(
  column: JsonColumn | 'exceptions_json',
  path: string,
  table: TableFields,
  params: Params
): NumberValue | null {
  const place = freePlaceOf(column, path, table)
  if (place === 'absent') return null
  if (place === null) {
    const { mayExist, isArray, strings, text } = jsonMember(column, path, params)
    const list = `CASE WHEN ${mayExist} IS NOT TRUE THEN NULL WHEN ${isArray} THEN ${strings} ELSE [${text}] END`
    return { sql: `list_transform(${list}, lambda s: ${numberSql('s')})`, isList: true }
  }
  const name = freeColumnName(place)
  if (place.type !== 'text') return { sql: `CAST(${name} AS DOUBLE)`, isList: false }
  return place.hasNumbers ? { sql: numberSql(name), isList: false } : null
}

/** How to read the numbers of a field; strings of well-known fields are not numbers. */
export function numberValue(field: Field, table: TableFields, params: Params): NumberValue {
  const target = fieldTarget(field, table)
  if (target.kind === 'number' || target.kind === 'integer') return { sql: `CAST(${target.column} AS DOUBLE)`, isList: false }
  if (target.kind !== 'json') return NONE
  const values = target.columns.flatMap(column => memberNumbers(column, target.path, table, params) ?? [])
  if (values.length < 2) return values[0] ?? NONE
  const lists = values.map(({ sql, isList }) => (isList ? `coalesce(${sql}, [])` : `[${sql}]`))
  return { sql: `list_concat(${lists.join(', ')})`, isList: true }
}
