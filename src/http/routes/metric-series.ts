import { setImmediate } from 'node:timers/promises'
import type { MetricRangeResult, MetricRangeQuery } from '../../query/metric-result.js'
import type { MatcherCondition } from '../../query/metric-line.js'
import { escapeRegex } from '../../query/search-language/regex-subset.js'
import { factsJson, pageJson, wholePage } from '../read-json/facts-json.js'
import type { All, Static } from '../json-schema.js'
import type { ListFacts } from '../read-schemas.js'
import type { QUERY_METRIC, SERIES_ITEMS } from './metric-query-schemas.js'
import { stepS } from '../read-json/time-json.js'
import { labelsJson, pointsJson, timeWriter } from '../read-json/metric-json.js'

type MetricQueryBody = Static<typeof QUERY_METRIC.body>

const DEFAULT_LIMIT = 100

/** An empty list is not a condition, as everywhere. */
function matchersOf(labels: MetricQueryBody['labels'] = {}): readonly MatcherCondition[] {
  return Object.entries(labels).flatMap(([name, value]): readonly MatcherCondition[] => {
    if (typeof value === 'string') return [{ name, op: 'eq', value }]
    return value.length === 0 ? [] : [{ name, op: 'regex', value: value.map(escapeRegex).join('|') }]
  })
}

/** The query of a body, with its defaults. */
export function toRangeQuery(body: MetricQueryBody): MetricRangeQuery {
  const { start, end, step, metric, labels, agg = 'avg', group_by: by, limit = DEFAULT_LIMIT } = body
  return { start, end, step, lines: [{ metric, match: matchersOf(labels), aggregation: agg, by, limit }] }
}

type SeriesOptions = Pick<MetricQueryBody, 'metric' | 'fill' | 'limit'>

/** Points of a response that are written between two yields to the event loop. */
const POINTS_AT_ONCE = 20_000

function itemWriter({ fill = 'none' }: SeriesOptions, { grid, window }: MetricRangeResult): (series: DrawnSeries) => SeriesItem {
  const form = { fill, time: timeWriter(window.unitDetected) }
  return ({ labels, values }) => ({ labels: labelsJson(labels), points: pointsJson(values, grid, form) })
}

type SeriesItem = All<typeof SERIES_ITEMS>['series'][number]
type SeriesReply = All<typeof SERIES_ITEMS> & ListFacts
type DrawnSeries = MetricRangeResult['series'][number]

function withSeries(body: SeriesOptions, response: MetricRangeResult, items: readonly SeriesItem[]): SeriesReply {
  const { grid, series, omitted } = response
  const page = wholePage(omitted > 0, body.limit ?? DEFAULT_LIMIT)
  return {
    metric: body.metric,
    type: series[0]?.type ?? null,
    unit: null,
    step_s: stepS(grid),
    series: items,
    ...pageJson(page, { value: series.length + omitted, relation: 'eq' }),
    ...factsJson(response)
  }
}

/** The response of `POST /api/v1/query`: `{metric, type, unit, step_s, series:[{labels, points}]}` and the members of every list. */
export function seriesJson(body: SeriesOptions, response: MetricRangeResult): SeriesReply {
  return withSeries(body, response, response.series.map(itemWriter(body, response)))
}

/** As `seriesJson`, written: a million points in slices. */
export async function seriesText(body: SeriesOptions, response: MetricRangeResult): Promise<string> {
  const itemOf = itemWriter(body, response)
  const items: string[] = []
  let points = 0
  for (const series of response.series) {
    items.push(JSON.stringify(itemOf(series)))
    points += series.values.length
    if (points < POINTS_AT_ONCE) continue
    points = 0
    await setImmediate()
  }
  const { series: _series, ...others } = withSeries(body, response, [])
  return `{"series":[${items.join(',')}],${JSON.stringify(others).slice(1)}`
}
