import type { MetricRangeAnswer, MetricRangeQuery } from '../../query/metric-answer.js'
import type { Aggregation, MatcherCondition } from '../../query/metric-line.js'
import { escapeRegex } from '../../query/search-language/regex-subset.js'
import { factsJson, pageJson, wholePage } from '../read-json/facts-json.js'
import { stepS } from '../read-json/grid-json.js'
import { type Fill, labelsJson, pointsJson, timeWriter } from '../read-json/metric-json.js'

/** Body of endpoint 12. */
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

/** The answer of endpoint 12: `{metric, type, unit, step_s, series:[{labels, points}]}` and what every list says. */
export function seriesJson(
  body: Pick<MetricQueryBody, 'metric' | 'fill' | 'limit'>,
  answer: MetricRangeAnswer
): Record<string, unknown> {
  const { grid, series, omitted, window } = answer
  const form = { fill: body.fill ?? 'none', time: timeWriter(window.unitDetected) }
  const page = wholePage(omitted > 0, body.limit ?? DEFAULT_LIMIT)
  return {
    metric: body.metric,
    type: series[0]?.type ?? null,
    unit: null,
    step_s: stepS(grid),
    series: series.map(({ labels, values }) => ({ labels: labelsJson(labels), points: pointsJson(values, grid, form) })),
    ...pageJson(page, { value: series.length + omitted, relation: 'eq' }),
    ...factsJson(answer)
  }
}
