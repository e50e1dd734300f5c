import { GatewayError } from '../domain/errors.js'
import type { SeriesSamples, Label } from '../domain/metric-point.js'
import type { Namespace } from '../domain/namespace.js'
import type { TimeRange } from '../domain/time-range.js'
import type { MetricStore } from '../ports/metric-store.js'
import type { Grid } from './result.js'
import { boundedCount } from './bounds.js'
import type { MetricSeriesResult } from './metric-result.js'
import { type MetricExpression, metricExpression } from './metric-expression.js'
import type { MetricLine } from './metric-line.js'
import { matchersOf } from './metric-matchers.js'
import { planRequest } from './promql/run-query.js'
import { PromqlTimeout } from './promql/evaluate/budget.js'
import type { Read } from './promql/evaluate/samples-source.js'
import { type GridLine, readGrid } from './promql/grid-bytes.js'
import { NAME } from './promql/labels.js'
import { PromqlExecutionError } from './promql/promql-error.js'
import { promqlBounds } from './promql/promql-query.js'
import type { PromqlThreads } from './promql/promql-threads.js'
import type { QuerySettings } from './settings.js'
import { queryTimeout } from './timed-pages.js'
import { groupedBy } from '../domain/grouped-by.js'

/** Series that one line of a result represents. */
interface SeriesGroup {
  readonly labels: readonly Label[]
  readonly members: readonly SeriesSamples[]
}

function groupLabels(series: SeriesSamples, by: readonly string[] | undefined): readonly Label[] {
  return by === undefined ? series.labels : series.labels.filter(({ name }) => by.includes(name))
}

/**
 * Equal for equal labels in the same order, and in the order of their names and values. No escapes: V8 hashes strings of more
 * than 16,383 characters by their length alone, and a map of many such keys takes a time that grows with their square.
 */
export function labelsKey(labels: readonly Label[]): string {
  let strings = ''
  // Behind the strings, so that these decide the order; whatever is in a string, its end is known.
  let lengths = '\u0000'
  for (const { name, value } of labels) {
    strings += `${name}\u0000${value}\u0000`
    lengths += `${name.length},${value.length},`
  }
  return strings + lengths
}

/** Series grouped by the named labels (each by itself without any named), sorted by those labels. */
function groupSeries(all: readonly SeriesSamples[], by: readonly string[] | undefined): readonly SeriesGroup[] {
  const groups = groupedBy(all, series => labelsKey(groupLabels(series, by)))
  const sorted = [...groups].sort(([a], [b]) => (a < b ? -1 : 1))
  return sorted.map(([, members]) => ({ labels: groupLabels(members[0]!, by), members }))
}

/** Dependencies of `MetricChart`. */
export interface MetricChartDeps {
  readonly metrics: Pick<MetricStore, 'select'>
  readonly settings: QuerySettings
  readonly threads: Pick<PromqlThreads, 'run'>
}

/** Where a line is drawn. */
export interface ChartFrame {
  readonly grid: Grid
  readonly range: TimeRange
  readonly signal: AbortSignal
}

/** One line of a chart, drawn: a series per group. */
export interface DrawnLine {
  readonly series: readonly MetricSeriesResult[]
  /** Groups that the limit left out. */
  readonly omitted: number
}

const DEFAULT_SERIES = 50
/** Series of one line at most. */
export const MAX_SERIES = 1_000
/** Values of one result over all its series. */
const MAX_VALUES = 1_000_000

interface Chosen {
  readonly groups: readonly SeriesGroup[]
  readonly omitted: number
}

/** Draws lines of charts with the evaluator of PromQL: each line is an expression, and series that its limit leaves out are not evaluated. */
export class MetricChart {
  readonly #deps: MetricChartDeps

  constructor(deps: MetricChartDeps) {
    this.#deps = deps
  }

  /** Throws `invalid_field`, `query_unsupported`, `query_timeout`. */
  async line(ns: Namespace, line: MetricLine, { grid, range, signal }: ChartFrame): Promise<DrawnLine> {
    const limit = boundedCount(line.limit, 'limit', { least: 1, most: MAX_SERIES, otherwise: DEFAULT_SERIES })
    const { metric, match, aggregation, by } = line
    const expression = metricExpression({ matchers: matchersOf(metric, match), aggregation, by }, grid, range)
    let chosen: Chosen = { groups: [], omitted: 0 }
    const lines = await this.#evaluate(ns, expression, signal, async ({ matchers, windows }) => {
      const { maxSeries, maxSamples } = this.#deps.settings
      const request = { matchers, range: expression.range, maxSeries, maxSamples, windowMs: expression.steps.stepMs }
      // Windows are whole milliseconds: where samples are moved yet, they would be others.
      const isThinned = windows !== undefined && expression.shiftNs === 0n
      const found = await this.#deps.metrics.select(ns.id, isThinned ? { ...request, windows } : request, signal)
      chosen = choose(found, { by, limit, steps: grid.length })
      return shifted(
        chosen.groups.flatMap(({ members }) => members),
        expression.shiftNs
      )
    })
    const byLabels = new Map(lines.map(({ labels, values }) => [labelsKey(labels.filter(({ name }) => name !== NAME)), values]))
    const series = chosen.groups.map(({ labels, members }) => ({
      ref: line.ref ?? null,
      metric,
      type: members[0]!.type,
      labels,
      values: byLabels.get(labelsKey(labels)) ?? Array.from({ length: grid.length }, () => null)
    }))
    return { series, omitted: chosen.omitted }
  }

  async #evaluate(
    ns: Namespace,
    { expr, steps }: MetricExpression,
    signal: AbortSignal,
    select: (read: Read) => Promise<readonly SeriesSamples[]>
  ): Promise<readonly GridLine[]> {
    const { settings, threads } = this.#deps
    const bounds = promqlBounds(settings)
    const query = { query: expr, steps, isRange: true, form: 'grid' } as const
    const { reads } = planRequest(query, bounds)
    const { timeoutMs } = settings
    const job = { namespace: ns.id, request: query, reads: reads.list, bounds, timeoutMs, signal }
    try {
      return readGrid(await threads.run({ ...job, select })).lines
    } catch (error) {
      if (error instanceof PromqlTimeout) throw queryTimeout(timeoutMs)
      if (error instanceof PromqlExecutionError) throw new GatewayError('query_unsupported', error.message, { cause: error })
      throw error
    }
  }
}

/** The first groups, and how many there are beyond. */
function choose(
  found: readonly SeriesSamples[],
  { by, limit, steps }: { readonly by: readonly string[] | undefined; readonly limit: number; readonly steps: number }
): Chosen {
  if (found.some(({ histograms }) => histograms !== undefined)) {
    throw new GatewayError('query_unsupported', 'native histograms cannot be drawn as a line; use a quantile in PromQL')
  }
  const all = groupSeries(
    found.filter(({ values }) => values.length > 0),
    by
  )
  const groups = all.slice(0, limit)
  if (groups.length * steps > MAX_VALUES) {
    const detail = `the response exceeds the limit of ${MAX_VALUES} points; use a longer step or fewer series`
    throw new GatewayError('query_unsupported', detail, { field: 'step' })
  }
  return { groups, omitted: all.length - groups.length }
}

/** Expressions count whole milliseconds: buckets that begin between two are moved, and their samples with them. */
function shifted(series: readonly SeriesSamples[], shiftNs: bigint): readonly SeriesSamples[] {
  if (shiftNs === 0n) return series
  return series.map(one => ({ ...one, timestampsNs: one.timestampsNs.map(ns => ns - shiftNs) }))
}
