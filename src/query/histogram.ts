import { GatewayError } from '../domain/errors.js'
import type { HistogramRequest, HistogramSeries } from '../domain/search.js'
import type { TimeRange } from '../domain/time-range.js'
import { boundedCount } from './bounds.js'
import type { HistogramCounts, HistogramQuery } from './log-query.js'
import { checkGrouped } from './log-facets.js'
import { gridOf } from './time-grid.js'
import { fieldOf, type Vocabulary } from './vocabulary.js'

const DEFAULT_BUCKETS = 60
const MAX_BUCKETS = 1_000
const MAX_HISTOGRAMS = 8

/** Refuses more histograms than the limit of one query. */
export function checkHistogramCount(histograms: readonly unknown[]): void {
  if (histograms.length > MAX_HISTOGRAMS)
    throw new GatewayError('invalid_field', `a query must not request more than ${MAX_HISTOGRAMS} histograms`, {
      field: 'histogram'
    })
}

/** The request to a store for a histogram over the range. Throws `invalid_field`. */
export function histogramRequest(histogram: HistogramQuery, range: TimeRange, vocabulary: Vocabulary): HistogramRequest {
  const buckets = boundedCount(histogram.buckets, 'buckets', { least: 1, most: MAX_BUCKETS, otherwise: DEFAULT_BUCKETS })
  const { startNs, stepNs, length } = gridOf(range, buckets)
  const grid = { startNs, stepNs, count: length }
  if (histogram.by === undefined) return grid
  const by = fieldOf(vocabulary, histogram.by)
  checkGrouped(by, histogram.by)
  return { ...grid, by }
}

/** A store's histogram as the result has it. */
export function histogramCounts(request: HistogramRequest, series: readonly HistogramSeries[]): HistogramCounts {
  return { grid: { startNs: request.startNs, stepNs: request.stepNs, length: request.count }, series }
}
