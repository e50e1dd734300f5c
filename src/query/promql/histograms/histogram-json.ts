import type { NativeHistogram } from '../../../domain/native-histogram/native-histogram.js'
import { jsonNumber } from '../go-number.js'
import { disjointBuckets } from './buckets.js'

/** Which ends of a bucket belong to it: 0 the upper one, 1 the lower one, 2 none, 3 both. */
function boundaryRule(hasLower: boolean, hasUpper: boolean): number {
  if (hasLower) return hasUpper ? 3 : 1
  return hasUpper ? 0 : 2
}

/** A histogram as Prometheus's HTTP API writes it; `buckets` is left out where there are none. */
export function histogramJson(histogram: NativeHistogram): string {
  const buckets = disjointBuckets(histogram).map(({ lower, upper, hasLower, hasUpper, count }) => {
    return `[${boundaryRule(hasLower, hasUpper)},"${jsonNumber(lower)}","${jsonNumber(upper)}","${jsonNumber(count)}"]`
  })
  const list = buckets.length === 0 ? '' : `,"buckets":[${buckets.join(',')}]`
  return `{"count":"${jsonNumber(histogram.count)}","sum":"${jsonNumber(histogram.sum)}"${list}}`
}
