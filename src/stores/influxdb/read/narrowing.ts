import type { Label } from '../../../domain/metric-point.js'
import type { SeriesIdentity } from '../../metrics/label-matching.js'

/** A condition that every requested series satisfies: the tag is one of these. */
export interface TagCondition {
  readonly name: string
  readonly values: readonly string[]
}

/** Conditions for InfluxDB that let all requested series through, and as few others as short conditions can. */
export interface Narrowing {
  /** The requested metrics; null if they are too many to list. */
  readonly metrics: readonly string[] | null
  readonly tags: readonly TagCondition[]
}

/** Longer lists cost InfluxDB more than they save. */
const MAX_VALUES = 50
/** Labels without a matcher of which all requested series have the same value: with a condition their column can go. */
const MAX_CONSTANTS = 8

/**
 * Conditions from the series that matched, not from the matchers: a regex becomes the values it found, so that only
 * plain equality is ever used, on which InfluxDB and Prometheus agree. `labels` are those with a matcher.
 */
export function narrow(series: readonly SeriesIdentity[], labels: ReadonlySet<string>): Narrowing {
  const constants = series[0]!.labels.filter(label => !labels.has(label.name) && series.every(each => hasLabel(each, label)))
  const listed = [...labels].flatMap(name => {
    const values = shortList(series.map(each => valueOf(each, name)))
    return values === null ? [] : [{ name, values }]
  })
  return {
    metrics: shortList(series.map(({ name }) => name)),
    tags: [...listed, ...constants.slice(0, MAX_CONSTANTS).map(({ name, value }) => ({ name, values: [value] }))]
  }
}

/** The distinct values; null when they are many, or when one is absent, which no equality finds. */
function shortList(values: readonly string[]): readonly string[] | null {
  const distinct = new Set<string>()
  for (const value of values) {
    distinct.add(value)
    if (value === '' || distinct.size > MAX_VALUES) return null
  }
  return [...distinct].sort()
}

function valueOf({ labels }: SeriesIdentity, name: string): string {
  return labels.find(label => label.name === name)?.value ?? ''
}

function hasLabel(series: SeriesIdentity, { name, value }: Label): boolean {
  return valueOf(series, name) === value
}
