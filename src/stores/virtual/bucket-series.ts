import { type Label, labelsOfValues } from '../../domain/metric-point.js'
import type { LabelMatcher } from '../../ports/metric-store.js'
import { seriesTest } from '../metrics/label-matching.js'
import type { CountedSeries } from './virtual-metric.js'

/** The label that a classic histogram of Prometheus has next to its own: the upper bound of a bucket. */
const BOUND_LABEL = 'le'
const INFINITE = '+Inf'

/** Whether the conditions on `le` let an upper bound through. */
export function boundTest(matchers: readonly LabelMatcher[]): (bound: number) => boolean {
  const isRequested = seriesTest(matchers.filter(({ name }) => name === BOUND_LABEL))
  return bound => isRequested({ name: '', labels: [{ name: BOUND_LABEL, value: String(bound) }] })
}

/**
 * The series of a classic histogram. `buckets` has a list of counts over time for each bound, of what is beyond the bound
 * before, and one more at the end; the series count the values up to their bound.
 */
export function bucketSeries(
  labels: readonly Label[],
  bounds: readonly number[],
  buckets: readonly (readonly number[])[]
): readonly CountedSeries[] {
  const own = Object.fromEntries(labels.map(({ name, value }) => [name, value]))
  let counts: readonly number[] = []
  return buckets.map((bucket, i) => {
    const below = counts
    counts = bucket.map((count, at) => count + (below[at] ?? 0))
    const bound = bounds[i]
    return { labels: labelsOfValues({ ...own, [BOUND_LABEL]: bound === undefined ? INFINITE : String(bound) }), counts }
  })
}
