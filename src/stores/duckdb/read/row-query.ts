import type { Filter } from '../../../domain/filter.js'
import type { Order, Position } from '../../../domain/search.js'
import type { TableFields } from './field-target.js'

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
