import { type Matcher, promLabel, selector } from '../query/promql-selector.js'

/** What a builder computes of each series. */
export type SeriesFunction = 'value' | 'rate' | 'increase' | 'p50' | 'p95' | 'p99'
/** How a builder combines series. */
export type Aggregation = 'none' | 'sum' | 'avg' | 'max' | 'min' | 'count'

/** A query without PromQL: one metric, conditions, a function and an aggregation. */
export interface BuilderChoice {
  readonly metric: string
  readonly matchers: readonly Matcher[]
  readonly seriesFunction: SeriesFunction
  readonly aggregation: Aggregation
  /** Labels that the result keeps. */
  readonly by: readonly string[]
}

const RATE_WINDOW = '5m'
const QUANTILES: Readonly<Partial<Record<SeriesFunction, string>>> = { p50: '0.5', p95: '0.95', p99: '0.99' }

function grouped(aggregation: string, by: readonly string[], inner: string): string {
  return by.length === 0 ? `${aggregation}(${inner})` : `${aggregation} by (${by.map(promLabel).join(', ')}) (${inner})`
}

/** The PromQL of a choice. Percentiles are those of a classic histogram, whose buckets have the label `le`. */
export function promqlOf({ metric, matchers, seriesFunction, aggregation, by }: BuilderChoice): string {
  const selected = selector(metric, matchers)
  const quantile = QUANTILES[seriesFunction]
  if (quantile !== undefined) {
    const buckets = grouped('sum', ['le', ...by.filter(label => label !== 'le')], `rate(${selected}[${RATE_WINDOW}])`)
    return `histogram_quantile(${quantile}, ${buckets})`
  }
  const inner = seriesFunction === 'value' ? selected : `${seriesFunction}(${selected}[${RATE_WINDOW}])`
  return aggregation === 'none' ? inner : grouped(aggregation, by, inner)
}

/** The expression that a metric is first shown with: the rate of counters, percentiles of histograms, else its values. */
export function firstExpression(metric: string, kind: 'COUNTER' | 'GAUGE'): string {
  const shared = { metric, matchers: [], by: [] }
  if (kind === 'COUNTER' && metric.endsWith('_bucket')) return promqlOf({ ...shared, seriesFunction: 'p95', aggregation: 'none' })
  return promqlOf({ ...shared, seriesFunction: kind === 'COUNTER' ? 'rate' : 'value', aggregation: 'none' })
}

const DOTTED = /(?<![\w."'{])[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+/

/** `expression` with its first bare name with dots in braces and quotes; null when it has none. */
export function withQuotedName(expression: string): string | null {
  const match = DOTTED.exec(expression)
  if (!match) return null
  return expression.slice(0, match.index) + selector(match[0]) + expression.slice(match.index + match[0].length)
}
