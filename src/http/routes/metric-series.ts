import { setImmediate } from 'node:timers/promises'
import type { MetricRangeAnswer, MetricRangeQuery } from '../../query/metric-answer.js'
import type { Aggregation, MatcherCondition } from '../../query/metric-line.js'
import { escapeRegex } from '../../query/search-language/regex-subset.js'
import { factsJson, pageJson, wholePage } from '../read-json/facts-json.js'
import { stepS } from '../read-json/grid-json.js'
import { type Fill, labelsJson, pointsJson, timeWriter } from '../read-json/metric-json.js'

/** Body of `POST /api/v1/query`. */
export interface MetricQueryBody {
  readonly namespace?: string
  readonly metric: string
  readonly start?: unknown
  readonly end?: unknown
  readonly labels?: Readonly<Record<string, string | readonly string[]>>
  readonly agg?: Aggregation
  readonly group_by?: readonly string[]
  readonly step?: number | string
  readonly fill?: Fill
  readonly limit?: number
}

const DEFAULT_LIMIT = 100

/** An empty list is no condition, as everywhere. */
function matchersOf(labels: MetricQueryBody['labels'] = {}): readonly MatcherCondition[] {
  return Object.entries(labels).flatMap(([name, value]): readonly MatcherCondition[] => {
    if (typeof value === 'string') return [{ name, op: 'eq', value }]
    return value.length === 0 ? [] : [{ name, op: 'regex', value: value.map(escapeRegex).join('|') }]
  })
}

export function toRangeQuery(body: MetricQueryBody): MetricRangeQuery {
  const { start, end, step, metric, labels, agg = 'avg', group_by: by, limit = DEFAULT_LIMIT } = body
  return { start, end, step, lines: [{ metric, match: matchersOf(labels), aggregation: agg, by, limit }] }
}

type Asked = Pick<MetricQueryBody, 'metric' | 'fill' | 'limit'>

/** Points of an answer that are written before other work has its turn. */
const POINTS_AT_ONCE = 20_000

function itemWriter({ fill = 'none' }: Asked, { grid, window }: MetricRangeAnswer): (series: DrawnSeries) => object {
  const form = { fill, time: timeWriter(window.unitDetected) }
  return ({ labels, values }) => ({ labels: labelsJson(labels), points: pointsJson(values, grid, form) })
}

type DrawnSeries = MetricRangeAnswer['series'][number]

function withSeries(body: Asked, answer: MetricRangeAnswer, items: readonly object[]): Record<string, unknown> {
  const { grid, series, omitted } = answer
  const page = wholePage(omitted > 0, body.limit ?? DEFAULT_LIMIT)
  return {
    metric: body.metric,
    type: series[0]?.type ?? null,
    unit: null,
    step_s: stepS(grid),
    series: items,
    ...pageJson(page, { value: series.length + omitted, relation: 'eq' }),
    ...factsJson(answer)
  }
}

/** The response of `POST /api/v1/query`: `{metric, type, unit, step_s, series:[{labels, points}]}` and what every list says. */
export function seriesJson(body: Asked, answer: MetricRangeAnswer): Record<string, unknown> {
  return withSeries(body, answer, answer.series.map(itemWriter(body, answer)))
}

/** As `seriesJson`, written: a million points in turns with other work. */
export async function seriesText(body: Asked, answer: MetricRangeAnswer): Promise<string> {
  const itemOf = itemWriter(body, answer)
  const items: string[] = []
  let points = 0
  for (const series of answer.series) {
    items.push(JSON.stringify(itemOf(series)))
    points += series.values.length
    if (points < POINTS_AT_ONCE) continue
    points = 0
    await setImmediate()
  }
  const { series: _series, ...others } = withSeries(body, answer, [])
  return `{"series":[${items.join(',')}],${JSON.stringify(others).slice(1)}`
}
