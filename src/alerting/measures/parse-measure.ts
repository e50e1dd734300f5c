import { GatewayError } from '../../domain/errors.js'
import type { Field, Filter } from '../../domain/filter.js'
import { formatDurationMs, parseDurationMs } from '../../domain/duration.js'
import { type SavedFunction, type SavedMeasureContent, metricNames } from '../../domain/saved-measure.js'
import { MEASURED_LOGS, MEASURED_SPANS } from '../../query/aggregate/aggregated-records.js'
import type { MeasuredRecords } from '../../query/aggregate/aggregation.js'
import { parseGroupFields, parseMeasures } from '../../query/aggregate/parse-measures.js'

/** Buckets of a histogram, without the last one, which has no bound. */
export const MAX_BOUNDS = 20
/** Characters of the name of a measure, of its search and of its description. */
export const MAX_MEASURE_NAME_CHARS = 100
export const MAX_MEASURE_QUERY_CHARS = 4_096
export const MAX_MEASURE_DESCRIPTION_CHARS = 500
/** Lengths of a step, milliseconds: they divide an hour, so that steps of all lengths begin together. */
export const STEPS_MS: readonly number[] = [10_000, 30_000, 60_000, 300_000, 900_000, 3_600_000]
const DEFAULT_STEP = '1m'
/** Of a histogram without its own: for milliseconds. */
export const DEFAULT_BOUNDS: readonly number[] = [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000]
/** The label of what is in none of the groups that have series of their own. */
export const OVERFLOW_LABEL = 'overflow'

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/
const RESERVED_LABELS: ReadonlySet<string> = new Set(['le', OVERFLOW_LABEL])
/** What recording rules of SLOs write. */
const SLO_PREFIX = 'slo:'
/** Fields with a value of each request: their series would exceed any limit. */
const SINGLE_FIELDS: ReadonlySet<string> = new Set(['trace_id', 'span_id'])
/** Metrics that are counted out of other signals, and those of alerts. */
const COUNTED_NAMES = /^(?:log_records_total|spans_total|span_duration_seconds(?:_.*)?|rum_.*|ALERTS|ALERTS_FOR_STATE)$/

/** How the records of a signal are selected and measured. */
export function measuredRecords(signal: SavedMeasureContent['signal']): MeasuredRecords {
  return signal === 'logs' ? MEASURED_LOGS : MEASURED_SPANS
}

/** A measure as it was requested. */
export interface MeasureInput {
  readonly name: string
  readonly description?: string | undefined
  readonly signal?: 'logs' | 'spans' | undefined
  readonly query?: string | undefined
  readonly fn: SavedFunction
  readonly field?: string | undefined
  readonly groupBy?: readonly string[] | undefined
  readonly step?: string | undefined
  readonly bounds?: readonly number[] | undefined
}

function refuse(field: string, detail: string, suggestions: readonly string[] = []): GatewayError {
  return new GatewayError('invalid_field', detail, { field, suggestions })
}

function checkName(content: Pick<SavedMeasureContent, 'name' | 'fn'>): void {
  const { name } = content
  if (!NAME.test(name) || name.length > MAX_MEASURE_NAME_CHARS)
    throw refuse('name', `name must be the name of a metric, at most ${MAX_MEASURE_NAME_CHARS} of a-z A-Z 0-9 _ :`)
  const counted = metricNames(content).find(metric => COUNTED_NAMES.test(metric))
  if (counted !== undefined) throw refuse('name', `${counted} is a metric that this service counts; choose another name`)
  if (name.startsWith(SLO_PREFIX)) throw refuse('name', `names with ${SLO_PREFIX} are those of SLOs; choose another name`)
}

function checkLength(field: string, text: string, most: number): void {
  if (text.length > most) throw refuse(field, `${field} must have at most ${most} characters (got ${text.length})`)
}

function stepOf(step: string): number {
  const stepMs = parseDurationMs(step)
  if (stepMs !== null && STEPS_MS.includes(stepMs)) return stepMs
  const steps = STEPS_MS.map(formatDurationMs)
  throw refuse('step', `step must be one of ${steps.join(', ')}`, steps)
}

function boundsOf({ fn, bounds }: MeasureInput): readonly number[] {
  if (fn !== 'histogram') {
    if (bounds !== undefined) throw refuse('bounds', `${fn} has no buckets; bounds are for histogram`)
    return []
  }
  if (bounds === undefined) return DEFAULT_BOUNDS
  const isAscending = bounds.every((bound, i) => Number.isFinite(bound) && (i === 0 || bound > bounds[i - 1]!))
  if (isAscending && bounds.length > 0 && bounds.length <= MAX_BOUNDS) return bounds
  throw refuse('bounds', `bounds must be 1 to ${MAX_BOUNDS} ascending numbers`)
}

/** The label that a field becomes. */
export function labelOf({ name }: Field): string {
  const label = name.replaceAll(/[^a-zA-Z0-9_]/g, '_')
  return /^[0-9]/.test(label) ? `_${label}` : label
}

function checkLabels(fields: readonly Field[]): void {
  const single = fields.find(field => field.in === 'known' && SINGLE_FIELDS.has(field.name))
  if (single) throw refuse('group_by', `${single.name} has too many values for series; group by another field`)
  const labels = fields.map(labelOf)
  for (const [i, label] of labels.entries()) {
    if (RESERVED_LABELS.has(label) || label.startsWith('__') || label.length > MAX_MEASURE_NAME_CHARS)
      throw refuse('group_by', `${label} cannot be a label of the metric; group by another field`)
    if (labels.indexOf(label) < i) throw refuse('group_by', `two fields would be the label ${label}; leave one out`)
  }
}

/** Which records a measure counts, and the fields that its labels have. */
export interface ReadMeasure {
  readonly filter: Filter
  readonly field: Field | null
  readonly groupBy: readonly Field[]
}

/** What a measure means. Throws `invalid_query`, `invalid_field`. */
export function readMeasure({ signal, query, fn, field, groupBy }: SavedMeasureContent): ReadMeasure {
  const records = measuredRecords(signal)
  const isCounting = fn === 'count'
  const { measures } = parseMeasures([{ fn: isCounting ? 'count' : 'sum', ...(field !== null && { field }) }], records)
  const own = measures[0]!.field ?? null
  const filter = records.filterOf({ query })
  const present: readonly Filter[] = own ? [{ kind: 'exists', field: own }] : []
  return { filter: { kind: 'and', of: [filter, ...present] }, field: own, groupBy: parseGroupFields(groupBy, records) }
}

/** The measure that a client describes. Throws `invalid_field`, `invalid_query`. */
export function parseMeasure(input: MeasureInput): SavedMeasureContent {
  const { name, description = '', signal = 'logs', query = '', fn, field = null, groupBy = [], step = DEFAULT_STEP } = input
  const content = { name, description, signal, query, fn, field, groupBy, stepMs: stepOf(step), bounds: boundsOf(input) }
  checkName(content)
  checkLength('description', description, MAX_MEASURE_DESCRIPTION_CHARS)
  checkLength('query', query, MAX_MEASURE_QUERY_CHARS)
  checkLabels(readMeasure(content).groupBy)
  return content
}
