import { valuesOfCondition } from '../../../domain/filter.js'
import { GatewayError } from '../../../domain/errors.js'
import { parseNumericText } from '../../../domain/number-text.js'
import { boundsOf, type Condition } from './condition.js'
import { oneOfSql } from './one-of.js'
import type { Params } from './params.js'
import { textCondition } from './text-condition.js'

const MAX_INT64 = 2n ** 63n - 1n
const MIN_INT64 = -(2n ** 63n)
const NANOSECONDS = /^-?[0-9]{1,19}$/

function asText(sql: string, condition: Condition, params: Params): string {
  return textCondition({ sql: `CAST(${sql} AS VARCHAR)`, foldColumn: null, comparesNumbers: false }, condition, params)
}

function numberIn(column: string, values: readonly string[], params: Params): string {
  const numbers = values.map(parseNumericText).filter(value => value !== null)
  return oneOfSql(column, numbers, params)
}

function numberBound(column: string, op: string, value: string, params: Params): string {
  const number = parseNumericText(value)
  return number === null ? `CAST(${column} AS VARCHAR) ${op} ${params.add(value)}` : `${column} ${op} ${params.add(number)}`
}

/** SQL of a condition on a numeric column; NULL counts as false. */
export function numberCondition(column: string, condition: Condition, params: Params): string {
  if (condition.kind === 'eq') return numberIn(column, [condition.value], params)
  if (condition.kind === 'in') return numberIn(column, condition.values, params)
  if (condition.kind === 'exists') return `${column} IS NOT NULL`
  if (condition.kind !== 'range') return asText(column, condition, params)
  const bounds = boundsOf(condition).map(({ op, value }) => numberBound(column, op, value, params))
  return `(${[`${column} IS NOT NULL`, ...bounds].join(' AND ')})`
}

function integerOf(text: string): bigint | null {
  const value = NANOSECONDS.test(text) ? BigInt(text) : null
  return value !== null && value >= MIN_INT64 && value <= MAX_INT64 ? value : null
}

/** SQL of a condition on a column of 64-bit integers: whole numbers are compared exactly, others as doubles. */
export function integerCondition(column: string, condition: Condition, params: Params): string {
  if (condition.kind === 'eq' || condition.kind === 'in') {
    const values = valuesOfCondition(condition)
    const [whole, other] = [
      values.map(integerOf).filter(value => value !== null),
      values.filter(value => integerOf(value) === null)
    ]
    const parts = [oneOfSql(column, whole, params), numberIn(column, other, params)].filter(part => part !== 'FALSE')
    return parts.length === 0 ? 'FALSE' : `(${parts.join(' OR ')})`
  }
  if (condition.kind !== 'range') return numberCondition(column, condition, params)
  const bounds = boundsOf(condition).map(({ op, value }) => {
    const whole = integerOf(value)
    return whole === null ? numberBound(column, op, value, params) : `${column} ${op} ${params.add(whole)}`
  })
  return `(${[`${column} IS NOT NULL`, ...bounds].join(' AND ')})`
}

function nanoseconds(text: string): bigint {
  const value = integerOf(text)
  if (value !== null) return value
  throw new GatewayError('query_unsupported', 'timestamp is compared with Unix nanoseconds written as digits', {
    field: 'timestamp'
  })
}

/** SQL of a condition on the event time. */
export function timeCondition(condition: Condition, params: Params): string {
  switch (condition.kind) {
    case 'eq':
      return `ts = ${params.add(nanoseconds(condition.value))}`
    case 'in':
      return oneOfSql('ts', condition.values.map(nanoseconds), params)
    case 'exists':
      return 'TRUE'
    case 'range':
      return `(${['TRUE', ...boundsOf(condition).map(({ op, value }) => `ts ${op} ${params.add(nanoseconds(value))}`)].join(' AND ')})`
    default:
      return asText('ts', condition, params)
  }
}
