import { type FreeColumn, freeColumnName } from '../free-columns.js'
import { exactNumber, parseNumericText } from '../../../domain/number-text.js'
import { boundsOf, type Condition, type RangeCondition } from './condition.js'
import { oneOfSql } from './one-of.js'
import type { Params } from './params.js'
import { textCondition } from './text-condition.js'

/** Beyond every whole number that a column has. */
const BEYOND_INTEGERS = 1e15

/** SQL of the string of each value; null when only the JSON has it. */
export function freeTextSql(column: FreeColumn): string | null {
  if (column.type === 'number') return null
  return column.type === 'text' ? freeColumnName(column) : `CAST(${freeColumnName(column)} AS VARCHAR)`
}

/** Values of a column of numbers; null for other conditions. */
function valuesOf(condition: Condition): readonly string[] | null {
  if (condition.kind === 'eq') return [condition.value]
  // An integer has one spelling.
  if (condition.kind === 'text') return condition.values.filter(value => String(exactNumber(value)) === value)
  return condition.kind === 'in' ? condition.values : null
}

/** Null for a value of more digits than a double has: such values are equal as strings alone. */
function numbersEqualTo(values: readonly string[]): readonly number[] | null {
  const isLong = values.some(value => parseNumericText(value) !== null && exactNumber(value) === null)
  return isLong ? null : values.map(exactNumber).filter(number => number !== null)
}

function wholeBound(name: string, op: string, number: number, params: Params): string {
  const near = op === '>' || op === '<=' ? Math.floor(number) : Math.ceil(number)
  const whole = Math.min(Math.max(near, -BEYOND_INTEGERS), BEYOND_INTEGERS)
  return `${name} ${op} ${params.add(BigInt(whole))}`
}

function integerRange(column: FreeColumn, range: RangeCondition, params: Params): string {
  const name = freeColumnName(column)
  const bounds = boundsOf(range).map(({ op, value }) => {
    const number = parseNumericText(value)
    return number === null ? `CAST(${name} AS VARCHAR) ${op} ${params.add(value)}` : wholeBound(name, op, number, params)
  })
  return `(${[`${name} IS NOT NULL`, ...bounds].join(' AND ')})`
}

function integerCondition(column: FreeColumn, condition: Condition, params: Params): string {
  const name = freeColumnName(column)
  const values = valuesOf(condition)
  if (values) {
    // A value of more digits equals none of these.
    const numbers = values.map(exactNumber).filter(number => number !== null && Number.isSafeInteger(number))
    return oneOfSql(
      name,
      numbers.map(number => BigInt(number!)),
      params
    )
  }
  if (condition.kind === 'exists') return `${name} IS NOT NULL`
  if (condition.kind === 'range') return integerRange(column, condition, params)
  return textCondition({ sql: freeTextSql(column)!, foldColumn: null, comparesNumbers: false }, condition, params)
}

function numberCondition(column: FreeColumn, condition: Condition, params: Params): string | null {
  if (condition.kind === 'text') return null
  const name = freeColumnName(column)
  const values = valuesOf(condition)
  if (values) {
    const numbers = numbersEqualTo(values)
    return numbers && oneOfSql(name, numbers, params)
  }
  if (condition.kind === 'exists') return `${name} IS NOT NULL`
  if (condition.kind !== 'range') return null
  const bounds = boundsOf(condition).map(({ op, value }) => ({ op, number: parseNumericText(value) }))
  if (bounds.some(({ number }) => number === null)) return null
  const compared = bounds.map(({ op, number }) => `${name} ${op} CAST(${params.add(number!)} AS DOUBLE)`)
  return `(${[`${name} IS NOT NULL`, ...compared].join(' AND ')})`
}

function stringCondition(column: FreeColumn, condition: Condition, params: Params): string {
  const { hasNumbers } = column
  const isNumeric = condition.kind === 'range' && boundsOf(condition).some(({ value }) => parseNumericText(value) !== null)
  if (isNumeric && !hasNumbers) return 'FALSE'
  return textCondition({ sql: freeColumnName(column), foldColumn: null, comparesNumbers: hasNumbers }, condition, params)
}

/** SQL of a condition on a free column, true for the rows for which `jsonCondition` is; null if only the JSON has the strings. */
export function freeCondition(column: FreeColumn, condition: Condition, params: Params): string | null {
  if (column.type === 'integer') return integerCondition(column, condition, params)
  return column.type === 'number' ? numberCondition(column, condition, params) : stringCondition(column, condition, params)
}
