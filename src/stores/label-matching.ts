import { RE2JS, RE2JSException } from 're2js'
import { GatewayError } from '../domain/errors.js'
import type { Label } from '../domain/metric-point.js'
import type { LabelMatcher } from '../ports/metric-store.js'

/** The label that stands for the name of the metric. */
export const NAME_LABEL = '__name__'

/** What makes a series one. */
export interface SeriesIdentity {
  readonly name: string
  /** Sorted by name. */
  readonly labels: readonly Label[]
}

type ValueTest = (value: string) => boolean

function wholeValue(pattern: string): ValueTest {
  try {
    const regex = RE2JS.compile(pattern, RE2JS.DOTALL)
    return value => regex.matches(value)
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error
    throw new GatewayError('invalid_query', `not a regular expression: ${error.message}`, { cause: error })
  }
}

function valueTest({ op, value }: LabelMatcher): ValueTest {
  if (op === 'eq') return given => given === value
  if (op === 'neq') return given => given !== value
  const matches = wholeValue(value)
  return op === 'regex' ? matches : given => !matches(given)
}

function labelValue(labels: readonly Label[], name: string): string {
  return labels.find(label => label.name === name)?.value ?? ''
}

/** A test of whether a series satisfies all matchers; an absent label is the empty text. */
export function seriesTest(matchers: readonly LabelMatcher[]): (series: SeriesIdentity) => boolean {
  const tests = matchers.map(matcher => ({ name: matcher.name, test: valueTest(matcher) }))
  return series => tests.every(({ name, test }) => test(name === NAME_LABEL ? series.name : labelValue(series.labels, name)))
}

/** The only metric name that can match, if the matchers say so. */
export function exactName(matchers: readonly LabelMatcher[]): string | undefined {
  return matchers.find(({ name, op }) => name === NAME_LABEL && op === 'eq')?.value
}

function compareTexts(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1
}

/** Orders series by name, then by their labels one after the other. */
export function compareSeries(a: SeriesIdentity, b: SeriesIdentity): number {
  const byName = compareTexts(a.name, b.name)
  if (byName !== 0) return byName
  for (let i = 0; i < Math.min(a.labels.length, b.labels.length); i++) {
    const left = a.labels[i]!
    const right = b.labels[i]!
    const order = compareTexts(left.name, right.name) || compareTexts(left.value, right.value)
    if (order !== 0) return order
  }
  return a.labels.length - b.labels.length
}
