import { GatewayError, unreachable } from '../domain/errors.js'
import { anyOf, type Filter } from '../domain/filter.js'
import { type ParameterOf, parametersOf } from '../domain/records/field.js'
import { LOG } from '../domain/records/log.js'
import { LEVELS } from '../domain/severity.js'
import { boundedFilter } from './bounded-filter.js'
import { compared, equalTo, oneOf, searchableField, ValueFault } from './search-language/leaf.js'
import { parseQuery } from './search-language/parse-query.js'
import { parseRegex } from './search-language/regex-subset.js'
import { ERROR_VOCABULARY, fieldOf, LOG_VOCABULARY, RUM_VOCABULARY, type Vocabulary } from './vocabulary.js'

/** Operators of field conditions. */
export const CONDITION_OPS = [
  'eq',
  'ne',
  'in',
  'not_in',
  'contains',
  'prefix',
  'regex',
  'gt',
  'gte',
  'lt',
  'lte',
  'exists',
  'not_exists'
] as const
/** One of `CONDITION_OPS`. */
export type ConditionOp = (typeof CONDITION_OPS)[number]

/** Bounds of one request; beyond them it is refused. */
export const MAX_CONDITIONS = 64
/** Values of one condition; beyond that it is refused. */
export const MAX_CONDITION_VALUES = 1_000
const MAX_FIELD_CHARS = 256
/** Characters of one value; beyond that it is refused. */
export const MAX_VALUE_CHARS = 8_192

/** One condition as it was sent: `filters` of REST, `where` of GraphQL. `value` is checked here, not by the caller. */
export interface FieldCondition {
  readonly field: string
  readonly op: ConditionOp
  readonly value?: unknown
}

/** One string, or several of which any may match; empty strings alone are not a condition. */
export type OneOrMany = string | readonly string[]

/** Conditions that every signal takes. An empty list is not a condition. */
interface Common {
  readonly filters?: readonly FieldCondition[] | undefined
  /** Search language. */
  readonly query?: string | undefined
}

type LogParameter = ParameterOf<typeof LOG>

/** Conditions on logs, all of which must hold: parameters by property of the record, any spelling of levels. */
export interface LogConditions extends Common, Readonly<Partial<Record<LogParameter, OneOrMany | undefined>>> {
  /** Also, or only, logs with a level other than the six known ones. */
  readonly unknownLevel?: boolean | undefined
}

/** Parameters of logs. The service comes first: cursors hash filters in this order. */
export const LOG_PARAMETERS = [...parametersOf(LOG)].sort((a, b) => Number(b.key === 'service') - Number(a.key === 'service'))

/** Conditions on page timings. */
export interface RumConditions {
  /** The raw URL or the page group. */
  readonly pageUrl?: OneOrMany | undefined
  readonly browser?: OneOrMany | undefined
  readonly os?: OneOrMany | undefined
  readonly deviceType?: OneOrMany | undefined
  readonly country?: OneOrMany | undefined
  readonly connectionType?: OneOrMany | undefined
  readonly release?: OneOrMany | undefined
  readonly sessionId?: OneOrMany | undefined
  readonly filters?: readonly FieldCondition[] | undefined
  /** Search language; a bare word is looked for in the page's URL. */
  readonly query?: string | undefined
}

/** Conditions on APM errors. */
export interface ErrorConditions {
  readonly service?: OneOrMany | undefined
  readonly type?: OneOrMany | undefined
  readonly fingerprint?: OneOrMany | undefined
  readonly traceId?: OneOrMany | undefined
  /** The tag `release`. */
  readonly release?: OneOrMany | undefined
  readonly filters?: readonly FieldCondition[] | undefined
  /** Search language; a bare word is looked for in the message. */
  readonly query?: string | undefined
}

function refuse(field: string, detail: string, suggestions: readonly string[] = []): GatewayError {
  return new GatewayError('invalid_field', detail, { field, suggestions })
}

/** One sent value as a string: numbers and booleans are compared as the strings they are stored as. */
function valueText(value: unknown, path: string): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (typeof value !== 'string') throw refuse(path, `${path} must be a string, a number or a boolean`)
  if (value.length > MAX_VALUE_CHARS) throw refuse(path, `${path} must not exceed ${MAX_VALUE_CHARS} characters`)
  return value
}

function valueStrings(value: unknown, path: string): readonly string[] {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value]
  if (values.length === 0) throw refuse(path, `${path} needs at least one value`)
  if (values.length > MAX_CONDITION_VALUES) throw refuse(path, `${path} must not exceed ${MAX_CONDITION_VALUES} values`)
  return values.map(item => valueText(item, path))
}

function not(of: Filter): Filter {
  return { kind: 'not', of }
}

/** `exists` with the value false selects records without the field. */
function existence(vocabulary: Vocabulary, condition: FieldCondition, path: string): Filter {
  const { value = true } = condition
  if (typeof value !== 'boolean' && value !== null) throw refuse(path, `${path} must be true or false`)
  const filter: Filter = { kind: 'exists', field: fieldOf(vocabulary, condition.field) }
  return value === false ? not(filter) : filter
}

function ofOp(vocabulary: Vocabulary, condition: FieldCondition, path: string): Filter {
  const { op, field: name, value } = condition
  const field = fieldOf(vocabulary, name)
  switch (op) {
    case 'eq':
      return equalTo(vocabulary, name, valueText(value, path))
    case 'ne':
      return not(equalTo(vocabulary, name, valueText(value, path)))
    case 'in':
      return oneOf(vocabulary, name, valueStrings(value, path))
    case 'not_in':
      return not(oneOf(vocabulary, name, valueStrings(value, path)))
    case 'contains':
      return { kind: 'contains', field: searchableField(vocabulary, name), value: valueText(value, path) }
    case 'prefix':
      return { kind: 'prefix', field: searchableField(vocabulary, name), value: valueText(value, path) }
    case 'regex':
      return { kind: 'regex', field: searchableField(vocabulary, name), pattern: parseRegex(valueText(value, path)), fold: false }
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return compared(vocabulary, name, { op, value: valueText(value, path) })
    case 'exists':
      return existence(vocabulary, condition, path)
    case 'not_exists':
      return not({ kind: 'exists', field })
    default:
      return unreachable(op)
  }
}

function fromCondition(vocabulary: Vocabulary, condition: FieldCondition, index: number): Filter {
  const path = `filters.${index}`
  if (typeof condition !== 'object' || condition === null) throw refuse(path, `${path} must be {field, op, value}`)
  const { field, op } = condition
  if (typeof field !== 'string' || field === '' || field.length > MAX_FIELD_CHARS)
    throw refuse(`${path}.field`, `${path}.field must be a string of 1 to ${MAX_FIELD_CHARS} characters`)
  if (!CONDITION_OPS.includes(op)) throw refuse(`${path}.op`, `${path}.op is not an operator`, CONDITION_OPS)
  try {
    return ofOp(vocabulary, condition, `${path}.value`)
  } catch (error) {
    if (error instanceof ValueFault) throw refuse(`${path}.value`, `${field}: ${error.message}`, error.suggestions)
    throw error
  }
}

/** Also `?service=`, which a form sends for an empty input, is not a condition. */
function isAbsent(value: OneOrMany | undefined): value is undefined {
  return value === undefined || (typeof value === 'string' ? value === '' : value.every(text => text === ''))
}

/** The field is any of the values that a parameter of its own names. */
export function parameter(vocabulary: Vocabulary, name: string, value: OneOrMany | undefined): readonly Filter[] {
  if (isAbsent(value)) return []
  return [oneOf(vocabulary, name, valueStrings(value, name))]
}

/** `filters` and the search language. */
export function commonFilters(vocabulary: Vocabulary, { filters = [], query }: Common): readonly Filter[] {
  if (filters.length > MAX_CONDITIONS) throw refuse('filters', `filters must not exceed ${MAX_CONDITIONS} conditions`)
  const parts = filters.map((condition, index) => fromCondition(vocabulary, condition, index))
  return query === undefined ? parts : [...parts, parseQuery(query, vocabulary)]
}

function levelFilters({ level, unknownLevel = false }: LogConditions): readonly Filter[] {
  const known = parameter(LOG_VOCABULARY, 'level', level)
  if (!unknownLevel) return known
  const unknown = not({ kind: 'in', field: { in: 'known', name: 'level' }, values: LEVELS })
  return [anyOf([...known, unknown])]
}

/** Trace and span ids are hexadecimal and written in either case. */
function idFilters(vocabulary: Vocabulary, name: string, value: OneOrMany | undefined): readonly Filter[] {
  if (isAbsent(value)) return []
  const spellings = valueStrings(value, name).flatMap(id => [id, id.toLowerCase()])
  return parameter(vocabulary, name, [...new Set(spellings)])
}

function logParameter(conditions: LogConditions, { key, name }: (typeof LOG_PARAMETERS)[number]): readonly Filter[] {
  if (key === 'level') return levelFilters(conditions)
  const isId = key === 'traceId' || key === 'spanId'
  return isId ? idFilters(LOG_VOCABULARY, name, conditions[key]) : parameter(LOG_VOCABULARY, name, conditions[key])
}

/** One filter out of the conditions on logs. Throws `invalid_field`, `invalid_query`, `query_unsupported`. */
export function logFilter(conditions: LogConditions): Filter {
  const ofParameters = LOG_PARAMETERS.flatMap(each => logParameter(conditions, each))
  return boundedFilter([...ofParameters, ...commonFilters(LOG_VOCABULARY, conditions)])
}

function pageFilters(pageUrl: OneOrMany | undefined): readonly Filter[] {
  if (isAbsent(pageUrl)) return []
  const values = valueStrings(pageUrl, 'page_url')
  return [anyOf(['page_url', 'page_group'].map(name => oneOf(RUM_VOCABULARY, name, values)))]
}

/** One filter out of the conditions on page timings. */
export function rumFilter(conditions: RumConditions): Filter {
  const v = RUM_VOCABULARY
  return boundedFilter([
    ...pageFilters(conditions.pageUrl),
    ...parameter(v, 'browser', conditions.browser),
    ...parameter(v, 'os', conditions.os),
    ...parameter(v, 'device_type', conditions.deviceType),
    ...parameter(v, 'country', conditions.country),
    ...parameter(v, 'connection_type', conditions.connectionType),
    ...parameter(v, 'release', conditions.release),
    ...parameter(v, 'session_id', conditions.sessionId),
    ...commonFilters(v, conditions)
  ])
}

/** One filter out of the conditions on APM errors. */
export function errorFilter(conditions: ErrorConditions): Filter {
  const v = ERROR_VOCABULARY
  return boundedFilter([
    ...parameter(v, 'service', conditions.service),
    ...parameter(v, 'type', conditions.type),
    ...parameter(v, 'fingerprint', conditions.fingerprint),
    ...idFilters(v, 'trace_id', conditions.traceId),
    ...parameter(v, 'release', conditions.release),
    ...commonFilters(v, conditions)
  ])
}
