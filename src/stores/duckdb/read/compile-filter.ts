import { unreachable } from '../../../domain/errors.js'
import type { Filter } from '../../../domain/filter.js'
import type { Condition } from './condition.js'
import { fieldTarget, type TableFields } from './field-target.js'
import { arrivalCondition } from './arrival-condition.js'
import { jsonCondition } from './json-condition.js'
import { integerCondition, numberCondition, timeCondition } from './number-condition.js'
import type { Params } from './params.js'
import { textCondition } from './text-condition.js'

function compileCondition(condition: Condition, table: TableFields, params: Params): string {
  const target = fieldTarget(condition.field, table)
  switch (target.kind) {
    case 'time':
      return timeCondition(condition, params)
    case 'arrival':
      return arrivalCondition(condition, params)
    case 'number':
      return numberCondition(target.column, condition, params)
    case 'integer':
      return integerCondition(target.column, condition, params)
    case 'text':
      return textCondition({ sql: target.column, foldColumn: target.foldColumn, comparesNumbers: false }, condition, params)
    case 'json':
      return jsonCondition(target, condition, table, params)
    default:
      return unreachable(target)
  }
}

/**
 * SQL of a filter for a WHERE clause; its values are bound to `params`. A NULL result counts as false, which is what
 * WHERE, AND and OR make of it; only `not` has to state it, and conditions stay bare enough to be pushed into files.
 */
export function compileFilter(filter: Filter, table: TableFields, params: Params): string {
  switch (filter.kind) {
    case 'and':
      return filter.of.length === 0 ? 'TRUE' : `(${filter.of.map(part => compileFilter(part, table, params)).join(' AND ')})`
    case 'or':
      return filter.of.length === 0 ? 'FALSE' : `(${filter.of.map(part => compileFilter(part, table, params)).join(' OR ')})`
    case 'not':
      return `((${compileFilter(filter.of, table, params)}) IS NOT TRUE)`
    default:
      return compileCondition(filter, table, params)
  }
}
