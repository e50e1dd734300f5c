import { GatewayError } from '../../../domain/errors.js'
import type { Field } from '../../../domain/filter.js'
import type { TableFields } from './field-target.js'
import { fieldValue } from './field-value.js'
import type { Params } from './params.js'
import type { ResultRow } from './statement.js'

/** SQL of each field that rows are grouped by; `k0`, `k1`, ... are their names. */
export function groupKeys(groupBy: readonly Field[], fields: TableFields, params: Params): readonly string[] {
  return groupBy.map(field => {
    const { sql, isList } = fieldValue(field, fields, params)
    if (isList) throw new GatewayError('query_unsupported', `rows cannot be grouped by ${field.name}`, { field: field.name })
    return sql
  })
}

/** SQL of the order of groups: those with most rows first, ties by key. */
export function groupOrderSql(count: string, names: readonly string[]): string {
  return [`${count} DESC`, ...names.map(name => `${name} ASC NULLS LAST`)].join(', ')
}

/** The group of a row, in the order of the keys. */
export function groupOf(row: ResultRow, keys: readonly unknown[]): readonly (string | null)[] {
  return keys.map((_, i) => row[`k${i}`] as string | null)
}
