import type { Filter } from '../../../domain/filter.js'
import type { Order, Position } from '../../../domain/search.js'
import { compileFilter } from './compile-filter.js'
import type { TableFields } from './field-target.js'
import type { Params } from './params.js'
import { beyondSql } from './record-order.js'

/** Which rows to read, and which of their columns (the ordering ones are always there). */
export interface RowQuery {
  readonly fields: TableFields
  readonly filter: Filter
  readonly order: Order
  readonly after?: Position
  readonly limit: number
  readonly columns: readonly string[]
  /** The columns are few and short: they are read at once instead of keys first. */
  readonly isNarrow?: boolean
}

/** Conditions in SQL for the rows of the page; their values go into `params`. */
export function pageConditions({ filter, fields, after, order }: RowQuery, params: Params): string[] {
  const conditions = [compileFilter(filter, fields, params)]
  if (after) conditions.push(beyondSql(after, order, params))
  return conditions
}
