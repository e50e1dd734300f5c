import type { Label } from '../../domain/metric-point.js'
import type { PointForm } from '../correlation/series-points.js'
import { printExpr } from '../promql/syntax/print.js'

const NOWHERE = { start: 0, end: 0 } as const
/** Range of a rate: a chart of an hour is smooth with it, and four samples a minute apart fit. */
const RATE_RANGE = '5m'

/** A metric whose instances are taken together. */
export interface AggregatedMetric {
  readonly metric: string
  readonly labels: readonly Label[]
  readonly form: PointForm
}

function selector(metric: string, labels: readonly Label[]): string {
  const matchers = [{ name: '__name__', value: metric }, ...labels].map(label => ({ ...label, op: 'eq' }) as const)
  return printExpr({ type: 'selector', name: metric, matchers, offsetMs: 0, at: null, position: NOWHERE })
}

/** PromQL of a metric, all instances together: the average of gauges, the sum of rates, the mean of what a histogram counted. */
export function writeAggregate({ metric, labels, form }: AggregatedMetric): string {
  const rate = (name: string): string => `sum(rate(${selector(name, labels)}[${RATE_RANGE}]))`
  if (form === 'value') return `avg(${selector(metric, labels)})`
  return form === 'rate' ? rate(metric) : `${rate(`${metric}_sum`)} / ${rate(`${metric}_count`)}`
}
