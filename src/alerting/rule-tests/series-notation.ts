import { GatewayError } from '../../domain/errors.js'
import type { Label } from '../../domain/metric-point.js'
import { NAME } from '../../query/promql/labels.js'
import { PromqlBadQuery } from '../../query/promql/promql-error.js'
import type { ReadPromql } from '../evaluate/parse-rule/parse-condition.js'

/** A series as its identity. */
export interface SeriesName {
  readonly name: string
  /** Sorted by name, without the name of the metric. */
  readonly labels: readonly Label[]
}

/** A value of a series: a number, the end of the series, or no sample. */
export type SeriesValue = number | 'stale' | null

/** Values that one series expands to. */
export const MAX_SERIES_VALUES = 100_000
const NUMBER = String.raw`(?:\d[\d_]*(?:\.\d*)?(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?|[iI][nN][fF]|[nN][aA][nN])`
const ITEM = new RegExp(`^([-+]?${NUMBER}|stale)([-+]${NUMBER})?(?:x(\\d+))?$`)
const BLANK = /^_(?:x(\d+))?$/

function fail(detail: string): GatewayError {
  return new GatewayError('invalid_field', detail)
}

/** Reads `metric{label="value"}`. Throws `invalid_field`. */
export function readSeriesName(text: string, readPromql: ReadPromql): SeriesName {
  const expr = readSelector(text, readPromql)
  const isSeries =
    expr?.type === 'selector' && expr.offsetMs === 0 && expr.at === null && expr.matchers.every(({ op }) => op === 'eq')
  if (!isSeries) throw fail(`${JSON.stringify(text)} is not a series such as up{job="api"}`)
  const name = expr.matchers.find(matcher => matcher.name === NAME)?.value ?? ''
  const labels = expr.matchers.filter(matcher => matcher.name !== NAME && matcher.value !== '')
  const sorted = labels.map(label => ({ name: label.name, value: label.value })).sort((a, b) => (a.name < b.name ? -1 : 1))
  return { name, labels: sorted }
}

function readSelector(text: string, readPromql: ReadPromql): ReturnType<ReadPromql> | null {
  // A selector must not be empty, a series may be.
  if (/^\s*\{\s*\}\s*$/.test(text))
    return { type: 'selector', name: null, matchers: [], offsetMs: 0, at: null, position: { start: 0, end: 0 } }
  try {
    return readPromql(text)
  } catch (error) {
    if (error instanceof PromqlBadQuery) throw fail(`cannot read the series ${JSON.stringify(text)}: ${error.message}`)
    throw error
  }
}

function numberOf(text: string): number {
  const plain = text.replaceAll('_', '').toLowerCase()
  const sign = plain.startsWith('-') ? -1 : 1
  const digits = plain.replace(/^[-+]/, '')
  if (digits === 'inf') return sign * Infinity
  return digits === 'nan' ? Number.NaN : sign * Number(digits)
}

/** Reads values in the notation of Prometheus's tests: `1 2 _ stale 1+2x3 5x2 _x4`. Throws `invalid_field`. */
export function readSeriesValues(text: string): readonly SeriesValue[] {
  const values: SeriesValue[] = []
  for (const item of text.split(/\s+/).filter(each => each !== '')) {
    expand(item, values)
    if (values.length > MAX_SERIES_VALUES) throw fail(`a series must not exceed ${MAX_SERIES_VALUES} values`)
  }
  return values
}

function times(text: string | undefined, item: string): number {
  const count = Number(text ?? 0)
  if (count > MAX_SERIES_VALUES) throw fail(`${item} exceeds the limit of ${MAX_SERIES_VALUES} values`)
  return count
}

function expand(item: string, values: SeriesValue[]): void {
  const blank = BLANK.exec(item)
  if (blank) {
    const count = blank[1] === undefined ? 1 : times(blank[1], item)
    for (let i = 0; i < count; i++) values.push(null)
    return
  }
  const found = ITEM.exec(item)
  if (item.includes('{{')) throw fail('native histograms are not supported in input_series')
  if (!found) throw fail(`${JSON.stringify(item)} is not a value of a series; use 1, _, stale, 1+2x3 or 5x2`)
  const [, first = '', step, repeated] = found
  if (step !== undefined && (first === 'stale' || repeated === undefined))
    throw fail(`${JSON.stringify(item)} is not a value of a series`)
  const count = times(repeated, item)
  if (first === 'stale') {
    for (let i = 0; i <= count; i++) values.push('stale')
    return
  }
  const by = step === undefined ? 0 : numberOf(step)
  let value = numberOf(first)
  for (let i = 0; i <= count; i++) {
    values.push(value)
    value += by
  }
}
