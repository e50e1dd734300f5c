import { goQuoted } from '../go-quote.js'

const FUNCTIONS: ReadonlySet<string> = new Set([
  ...['end', 'max_of', 'min_of', 'range', 'start', 'start_timestamp', 'step'],
  ...['double_exponential_smoothing', 'first_over_time', 'histogram_quantiles', 'info', 'mad_over_time'],
  ...['sort_by_label', 'sort_by_label_desc'],
  ...['ts_of_first_over_time', 'ts_of_last_over_time', 'ts_of_max_over_time', 'ts_of_min_over_time']
])
const AGGREGATIONS: ReadonlySet<string> = new Set(['limitk', 'limit_ratio'])

/** Why a function or an aggregation cannot be called where those that Prometheus calls experimental are off, in its words; null where it can. */
export function experimentalRefusal(name: string): string | null {
  if (FUNCTIONS.has(name)) return `function ${goQuoted(name)} is not enabled`
  return AGGREGATIONS.has(name) ? `${name}() is experimental and must be enabled by promql_experimental` : null
}
