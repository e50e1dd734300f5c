import type { SeriesSamples } from '../../src/domain/metric-point.js'
import type { TimeRange } from '../../src/domain/time-range.js'
import type { Grid } from '../../src/query/result.js'
import { metricExpression } from '../../src/query/metric-expression.js'
import type { LineAggregation } from '../../src/query/metric-line.js'
import { runQuery, planRequest } from '../../src/query/promql/run-query.js'
import { readGrid, writeGrid } from '../../src/query/promql/grid-bytes.js'
import { promqlBounds } from '../../src/query/promql/promql-query.js'
import { packSeries, unpackSeries } from '../../src/query/promql/series-message.js'
import { DEFAULT_QUERY_SETTINGS } from '../../src/query/settings.js'

/** One line of a chart over a group of series, evaluated on this thread; null where it has no value. */
export function drawLine(
  aggregation: LineAggregation,
  group: readonly SeriesSamples[],
  grid: Grid,
  range: TimeRange
): readonly (number | null)[] {
  const { expr, steps, range: read } = metricExpression({ matchers: [], aggregation, by: [] }, grid, range)
  const bounds = promqlBounds(DEFAULT_QUERY_SETTINGS)
  const request = { query: expr, steps, isRange: true, form: 'grid' } as const
  const within = group.map(series => {
    const kept = [...series.timestampsNs.keys()].filter(i => {
      const ns = series.timestampsNs[i]!
      return ns >= read.startNs && ns < read.endNs
    })
    return {
      ...series,
      timestampsNs: BigInt64Array.from(kept, i => series.timestampsNs[i]!),
      values: Float64Array.from(kept, i => series.values[i]!)
    }
  })
  const found = [unpackSeries(packSeries(within))]
  const response = runQuery(request, planRequest(request, bounds), { bounds, found, stop: () => null })
  const [line] = readGrid(writeGrid(request, response, bounds.maxResultBytes)).lines
  return line?.values ?? Array.from({ length: grid.length }, () => null)
}
