import type { Measure } from '../../domain/aggregate.js'
import { GatewayError } from '../../domain/errors.js'
import type { Field } from '../../domain/filter.js'
import { checkGrouped } from '../log-facets.js'
import { PATTERN_FIELD } from '../patterns/logs-by-pattern.js'
import { fieldOf, type Vocabulary } from '../vocabulary.js'
import { type MeasureFunction, type MeasureQuery, PERCENTILES } from './aggregate-query.js'

/** Measures of one request. */
export const MAX_MEASURES = 8
/** Fields that one request groups by. */
export const MAX_GROUP_FIELDS = 3
const MAX_NAME_CHARS = 256

/** How fields of one signal are measured. */
export interface MeasuredFields {
  readonly vocabulary: Vocabulary
  /** Well-known fields that have numbers. */
  readonly numbers: ReadonlySet<string>
}

function refuse(field: string, detail: string, suggestions: readonly string[] = []): GatewayError {
  return new GatewayError('invalid_field', detail, { field, suggestions })
}

function namedField(name: string, parameter: string, { vocabulary }: MeasuredFields): Field {
  if (name === '' || name.length > MAX_NAME_CHARS)
    throw refuse(parameter, `the name of a field must have 1 to ${MAX_NAME_CHARS} characters`)
  const field = fieldOf(vocabulary, name)
  checkGrouped(field, name)
  if (field.in === 'known' && field.name === 'timestamp')
    throw refuse(parameter, 'timestamp is not aggregated; use step for values over time')
  if (field.in === 'known' && field.name === PATTERN_FIELD.name)
    throw refuse(parameter, 'patterns are not aggregated; request the list of patterns')
  return field
}

function isPercentile(fn: MeasureFunction): fn is keyof typeof PERCENTILES {
  return Object.hasOwn(PERCENTILES, fn)
}

function measureOf({ fn, field: name }: MeasureQuery, fields: MeasuredFields): Measure {
  const isCounted = fn === 'count' || fn === 'rate'
  if (isCounted && name === undefined) return { kind: 'count' }
  if (name === undefined) throw refuse('measures', `${fn} requires a field`)
  const field = namedField(name, 'measures', fields)
  if (isCounted) return { kind: 'count', field }
  if (fn === 'count_distinct') return { kind: 'distinct', field }
  if (field.in === 'known' && !fields.numbers.has(field.name))
    throw refuse('measures', `${name} is not numeric: use count or count_distinct`, [...fields.numbers])
  return isPercentile(fn) ? { kind: 'percentile', field, at: PERCENTILES[fn] } : { kind: fn, field }
}

/** Measures, and their names. */
export interface ParsedMeasures {
  readonly measures: readonly Measure[]
  readonly refs: readonly string[]
  /** Which of the measures are counts per second. */
  readonly areRates: readonly boolean[]
}

/** The measures of a request; the number of rows where it names none. Throws `invalid_field`. */
export function parseMeasures(requested: readonly MeasureQuery[] | undefined, fields: MeasuredFields): ParsedMeasures {
  const queries: readonly MeasureQuery[] = requested === undefined || requested.length === 0 ? [{ fn: 'count' }] : requested
  if (queries.length > MAX_MEASURES) throw refuse('measures', `a query must not request more than ${MAX_MEASURES} measures`)
  const refs = queries.map(({ fn, field, ref }) => ref ?? (field === undefined ? fn : `${fn}(${field})`))
  const twice = refs.find((ref, i) => refs.indexOf(ref) !== i)
  if (twice !== undefined) throw refuse('measures', `two measures are named ${JSON.stringify(twice)}; set ref`)
  if (refs.some(ref => ref === '' || ref.length > 2 * MAX_NAME_CHARS))
    throw refuse('measures', `ref must have 1 to ${2 * MAX_NAME_CHARS} characters`)
  return { measures: queries.map(query => measureOf(query, fields)), refs, areRates: queries.map(({ fn }) => fn === 'rate') }
}

/** The fields that a request groups by. Throws `invalid_field`. */
export function parseGroupFields(names: readonly string[] = [], fields: MeasuredFields): readonly Field[] {
  if (names.length > MAX_GROUP_FIELDS) throw refuse('group_by', `a query must not group by more than ${MAX_GROUP_FIELDS} fields`)
  const parsed = names.map(name => namedField(name, 'group_by', fields))
  for (const [i, { in: place, name }] of parsed.entries()) {
    if (place === 'known' && fields.vocabulary.quantities?.has(name) === true)
      throw refuse('group_by', `${names[i]!} is a quantity: request a measure of it`)
    if (parsed.some((other, at) => at < i && other.in === place && other.name === name))
      throw refuse('group_by', `${names[i]!} is in group_by twice`)
  }
  return parsed
}
