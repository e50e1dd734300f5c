import type { SavedFn, SavedMeasureInput, Signal } from '../api/generated/SavedMeasures.js'
import { parseDurationText } from '../format/duration-text.js'
import { formatCount } from '../format/number.js'
import { fieldValue } from '../ui/field-value.js'
import { isDuration, isMeasurable, type MeasureChoice, type MeasureFunction } from './measure-choice.js'

/** Distances of samples that can be chosen. */
export const STEPS = ['10s', '30s', '1m', '5m', '15m', '1h'] as const
const NS_PER_MS = 1_000_000
/** As the service has it. */
const MAX_QUERY_CHARACTERS = 4_096
const FUNCTIONS: Readonly<Partial<Record<MeasureFunction, SavedFn>>> = {
  ...{ count: 'COUNT', sum: 'SUM', avg: 'AVG', min: 'MIN', max: 'MAX' },
  ...{ p50: 'HISTOGRAM', p75: 'HISTOGRAM', p90: 'HISTOGRAM', p95: 'HISTOGRAM', p99: 'HISTOGRAM' }
}
/** A percentile is computed of several short steps: one alone may have few values. */
const QUANTILE_WINDOW = '5m'
/** Those that exceed the 5 minutes for which PromQL finds a sample. */
const LONGER_STEPS: ReadonlySet<string> = new Set(['15m', '1h'])

/** Which records a measure is of. */
export interface SavedRecords {
  readonly signal: Signal
  /** Search language. */
  readonly query: string
}

/** What is saved of a function; null for one whose values of several steps cannot be combined. */
export function savedFunction(fn: MeasureFunction): SavedFn | null {
  return FUNCTIONS[fn] ?? null
}

/** Why a measure cannot be saved; null when it can. */
export function saveRefusal({ query }: SavedRecords, choice: MeasureChoice): string | null {
  if (!isMeasurable(choice)) return 'Choose the field to measure first.'
  if (choice.fn === 'rate')
    return 'Rates cannot be saved: save the count. sum_over_time(name[5m]) / 300 is then the rate of five minutes.'
  if (savedFunction(choice.fn) === null)
    return 'Distinct counts cannot be saved, because they do not add up across steps. Choose another function.'
  if (query.length <= MAX_QUERY_CHARACTERS) return null
  const [length, most] = [formatCount(query.length), formatCount(MAX_QUERY_CHARACTERS)]
  return `The search has ${length} characters; a saved measure has at most ${most}. Shorten the search.`
}

/** Upper bounds of buckets that a new histogram is proposed with. */
export function proposedBounds(areDurations: boolean): string {
  if (areDurations) return '1ms, 2.5ms, 5ms, 10ms, 25ms, 50ms, 100ms, 250ms, 500ms, 1s, 2.5s, 5s, 10s'
  return '1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10000'
}

/** The numbers of a list such as `10, 100` or, as nanoseconds of durations, `5ms, 1s`; null when something in it is neither. */
export function parseBounds(text: string, areDurations: boolean): readonly number[] | null {
  const bounds = text
    .split(/[\s,;]+/)
    .filter(part => part !== '')
    .map(part => boundOf(part, areDurations))
  return bounds.length > 0 && bounds.every(Number.isFinite) ? bounds : null
}

function boundOf(text: string, isOfDurations: boolean): number {
  const number = Number(text)
  if (!Number.isNaN(number) || !isOfDurations) return number
  const ms = parseDurationText(text)
  return ms === null ? NaN : Math.round(ms * NS_PER_MS)
}

/** The input that saves a choice, with what the form has. The choice must have a `savedFunction`. */
export function toInput({ signal, query }: SavedRecords, choice: MeasureChoice, values: FormData): SavedMeasureInput {
  const fn = savedFunction(choice.fn)!
  const { field, groupBy } = choice
  return {
    ...{ name: fieldValue(values, 'name').trim(), description: fieldValue(values, 'description').trim() },
    ...{ signal, query, fn, field, step: fieldValue(values, 'step') },
    groupBy: groupBy === null ? [] : [groupBy],
    ...(fn === 'HISTOGRAM' && {
      bounds: [...(parseBounds(fieldValue(values, 'bounds'), isDuration(signal, field)) ?? [])]
    })
  }
}

/** A measure whose metric is shown. */
interface ShownMeasure {
  readonly name: string
  readonly fn: SavedFn
  readonly step: string
}

/** PromQL of what a saved measure measures; of a histogram the percentile. */
export function savedExpression({ name, fn, step }: ShownMeasure, percentile = 95): string {
  const isLonger = LONGER_STEPS.has(step)
  const latest = (metric: string): string => (isLonger ? `last_over_time(${metric}[${step}])` : metric)
  if (fn === 'AVG') return `${latest(`${name}_sum`)} / ${latest(`${name}_count`)}`
  if (fn !== 'HISTOGRAM') return latest(name)
  const window = isLonger ? step : QUANTILE_WINDOW
  return `histogram_quantile(${percentile / 100}, sum_over_time(${name}_bucket[${window}]))`
}

/** The percentile of a function: 95 of `p95`; undefined for others. */
export function percentileOf(fn: MeasureFunction): number | undefined {
  return savedFunction(fn) === 'HISTOGRAM' ? Number(fn.slice(1)) : undefined
}
