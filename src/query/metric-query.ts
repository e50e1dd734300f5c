import { setImmediate } from 'node:timers/promises'
import { GatewayError } from '../domain/errors.js'
import type { Namespace } from '../domain/namespace.js'
import type { Clock } from '../ports/clock.js'
import type { MetricStore } from '../ports/metric-store.js'
import { boundedCount } from './bounds.js'
import { cutByLimit } from './cut-by-limit.js'
import type {
  CatalogResult,
  LabelsResult,
  LabelsQuery,
  MetricRangeResult,
  MetricRangeQuery,
  MetricSummary,
  SeriesResult
} from './metric-result.js'
import { type DrawnLine, MAX_SERIES, MetricChart } from './metric-chart.js'
import { isRate } from './metric-expression.js'
import { OneAtATime } from '../threads/one-at-a-time.js'
import { metricGrid } from './metric-grid.js'
import { metricHints } from './metric-hints.js'
import type { MetricLine } from './metric-line.js'
import { gapsAround } from './gaps-around.js'
import { matchersOf } from './metric-matchers.js'
import type { PromqlThreads } from './promql/promql-threads.js'
import { HOUR_MS, readWindow, type ReadWindow } from './read-window.js'
import type { QuerySettings } from './settings.js'

/** Dependencies of `MetricQuery`. */
export interface MetricQueryDeps {
  readonly metrics: MetricStore
  readonly clock: Clock
  readonly settings: QuerySettings
  readonly threads: Pick<PromqlThreads, 'run'>
}

const MAX_LINES = 20
const DEFAULT_CATALOG = 100
const MAX_CATALOG = 1_000
/** Pages of the catalog that are looked through for one name. */
const MAX_PAGES = 20
/** Series whose labels are gathered between two yields to the event loop. */
const SERIES_AT_ONCE = 1_000
/** A rate needs two samples in a bucket: a default step is at least this long. */
const LEAST_RATE_STEP_MS = 60_000
const LEAST_STEP_MS = 1_000

function checkLines(lines: readonly MetricLine[]): void {
  if (lines.length < 1 || lines.length > MAX_LINES)
    throw new GatewayError('invalid_field', `a request must have 1 to ${MAX_LINES} queries`, { field: 'queries' })
  if (lines.some(line => line.metric === ''))
    throw new GatewayError('missing_field', 'metric must be the name of a metric', { field: 'metric' })
}

/** Reads metrics: `POST /api/v1/query`, `GET /api/v1/apm/metrics`, and `metrics`, `metricRange`, `metricLabels` of GraphQL. */
export class MetricQuery {
  readonly #deps: MetricQueryDeps
  readonly #chart: MetricChart
  readonly #labelReads = new OneAtATime()

  constructor(deps: MetricQueryDeps) {
    this.#deps = deps
    this.#chart = new MetricChart(deps)
  }

  /** Throws `invalid_field`, `invalid_time_range`, `query_unsupported` (too many series or samples, regex). */
  async range(ns: Namespace, query: MetricRangeQuery, signal: AbortSignal): Promise<MetricRangeResult> {
    const { clock, settings } = this.#deps
    const startedMs = clock.monotonicMs()
    checkLines(query.lines)
    const { requested, range, warnings } = this.#window(ns, query)
    const leastMs = query.lines.some(line => isRate(line.aggregation)) ? LEAST_RATE_STEP_MS : LEAST_STEP_MS
    const isMoving = requested.unitDetected === 'relative' || requested.unitDetected === 'default'
    const isAligned = isMoving || range.startNs !== requested.startNs
    const { step, maxPoints } = query
    const grid = metricGrid(range, { step, maxPoints, leastMs, isAligned }, settings.maxPoints)
    const parts: DrawnLine[] = []
    const gaps = gapsAround(() => this.#deps.metrics.gaps?.(ns.id, range))
    // One after the other: each may contain `maxSamples` samples.
    for (const line of query.lines) parts.push(await this.#chart.line(ns, line, { grid, range, signal }))
    const omitted = parts.reduce((total, part) => total + part.omitted, 0)
    const cut = [...gaps(), ...(omitted > 0 ? [`${omitted} series were omitted because of the limit`] : [])]
    const lines = query.lines.map((line, i) => ({ line, series: parts[i]!.series }))
    // What the retention cut explains enough.
    const hints = warnings.length > 0 ? [] : await metricHints(lines, grid, async text => this.#namesWith(ns, text, signal))
    return {
      ...{ window: requested, complete: warnings.length + cut.length === 0, warnings: [...warnings, ...cut, ...hints] },
      ...{ tookMs: clock.monotonicMs() - startedMs, grid, omitted },
      series: parts.flatMap(part => part.series)
    }
  }

  /** Names that contain a string, sorted, after a name. */
  async catalog(
    ns: Namespace,
    query: { readonly contains?: string | undefined; readonly after?: string | undefined; readonly limit?: number | undefined },
    signal: AbortSignal
  ): Promise<CatalogResult> {
    const limit = boundedCount(query.limit, 'limit', { least: 0, most: MAX_CATALOG, otherwise: DEFAULT_CATALOG })
    const { contains, after } = query
    const request = { limit, ...(contains !== undefined && { contains }), ...(after !== undefined && { after }) }
    return this.#deps.metrics.metrics(ns.id, request, signal)
  }

  /** One line of the catalog, or null. */
  async metric(ns: Namespace, name: string, signal: AbortSignal): Promise<MetricSummary | null> {
    let after: string | undefined
    for (let page = 0; page < MAX_PAGES; page++) {
      const { metrics, hasMore } = await this.catalog(ns, { contains: name, limit: MAX_CATALOG, after }, signal)
      const found = metrics.find(metric => metric.name === name)
      if (found) return found
      after = metrics.at(-1)?.name
      if (!hasMore || after === undefined) return null
    }
    return null
  }

  /**
   * Names and values of labels of the series that match. Reading many series delays others for some milliseconds: concurrent
   * requests of a namespace are read one after the other.
   */
  labels(ns: Namespace, query: LabelsQuery, signal: AbortSignal): Promise<LabelsResult> {
    return this.#labelReads.run(ns.id, () => this.#labels(ns, query, signal))
  }

  async #labels(ns: Namespace, query: LabelsQuery, signal: AbortSignal): Promise<LabelsResult> {
    signal.throwIfAborted()
    const { series, hasMore, limit: _limit, ...facts } = await this.#seriesUpTo(ns, query, this.#deps.settings.maxSeries, signal)
    const values = new Map<string, Set<string>>()
    for (const [i, { labels }] of series.entries()) {
      if (i % SERIES_AT_ONCE === SERIES_AT_ONCE - 1) await setImmediate()
      for (const { name, value } of labels) {
        const known = values.get(name)
        if (known === undefined) values.set(name, new Set([value]))
        else known.add(value)
      }
    }
    const cut = hasMore ? [`labels are those of the first ${series.length} series`] : []
    return {
      ...facts,
      complete: facts.complete && !hasMore,
      warnings: [...facts.warnings, ...cut],
      labels: [...values].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, set]) => ({ name, values: [...set].sort() }))
    }
  }

  /** The series that match and have samples in the window. */
  async series(
    ns: Namespace,
    query: LabelsQuery & { readonly limit?: number | undefined },
    signal: AbortSignal
  ): Promise<SeriesResult> {
    const limit = boundedCount(query.limit, 'limit', { least: 0, most: MAX_SERIES, otherwise: DEFAULT_CATALOG })
    const result = await this.#seriesUpTo(ns, query, limit, signal)
    const warnings = [...result.warnings, ...cutByLimit(result.hasMore, 'series', limit)]
    return { ...result, complete: result.complete && !result.hasMore, warnings }
  }

  async #seriesUpTo(ns: Namespace, query: LabelsQuery, limit: number, signal: AbortSignal): Promise<SeriesResult> {
    const { clock, metrics } = this.#deps
    const startedMs = clock.monotonicMs()
    const { requested, range, warnings } = this.#window(ns, query)
    const found = await metrics.series(ns.id, matchersOf(query.metric, query.match), range, limit, signal)
    const tookMs = clock.monotonicMs() - startedMs
    return { ...found, limit, window: requested, complete: warnings.length === 0, warnings, tookMs }
  }

  async #namesWith(ns: Namespace, contains: string, signal: AbortSignal): Promise<readonly string[]> {
    const { metrics } = await this.#deps.metrics.metrics(ns.id, { contains, limit: MAX_CATALOG }, signal)
    return metrics.map(({ name }) => name)
  }

  #window(ns: Namespace, query: MetricRangeQuery | LabelsQuery): ReadWindow {
    return readWindow(query, { namespace: ns, signal: 'metrics', nowNs: this.#deps.clock.nowNs() }, HOUR_MS)
  }
}
