import type { Namespace } from '../../domain/namespace.js'
import type { Clock } from '../../ports/clock.js'
import { boundedCount } from '../bounds.js'
import { metricGrid } from '../metric-grid.js'
import { HOUR_MS, readWindow } from '../read-window.js'
import type { WindowBounds } from '../result.js'
import { CHARTS } from './host-expressions.js'
import type { HostQueries } from './host-queries.js'
import type { HostChart, HostLine } from './host-result.js'
import { distinctWarnings } from '../../domain/warning.js'
import { cutByLimit } from '../cut-by-limit.js'

/** Dependencies of `HostCharts`. */
export interface HostChartsDeps {
  readonly queries: Pick<HostQueries, 'over'>
  readonly clock: Clock
}

const DEFAULT_BUCKETS = 60
const MOST_BUCKETS = 500
/** Lines of one chart: mount points, directions. */
const MOST_LINES = 20
const LEAST_STEP_MS = 1_000
const MS_NS = 1_000_000n
const REFS = Object.keys(CHARTS) as readonly HostLine['ref'][]

/** Draws the CPU, memory, disk and network of a host. */
export class HostCharts {
  readonly #deps: HostChartsDeps

  constructor(deps: HostChartsDeps) {
    this.#deps = deps
  }

  /** Percentages of 0 to 100; the network in bytes per second. Throws `invalid_field`, `invalid_time_range`, `query_unsupported`. */
  async draw(
    ns: Namespace,
    host: string,
    query: WindowBounds & { readonly buckets?: number | undefined },
    signal: AbortSignal
  ): Promise<HostChart> {
    const { queries, clock } = this.#deps
    const startedMs = clock.monotonicMs()
    const maxPoints = boundedCount(query.buckets, 'buckets', { least: 1, most: MOST_BUCKETS, otherwise: DEFAULT_BUCKETS })
    const place = { namespace: ns, signal: 'metrics', nowNs: clock.nowNs() } as const
    const { requested, range, warnings } = readWindow(query, place, HOUR_MS)
    const isAligned = requested.unitDetected === 'relative' || requested.unitDetected === 'default'
    const fine = metricGrid(range, { maxPoints, leastMs: LEAST_STEP_MS, isAligned }, MOST_BUCKETS + 1)
    const grid = { ...fine, startNs: fine.startNs - (fine.startNs % MS_NS) }
    const steps = { startMs: Number(grid.startNs / MS_NS), stepMs: Number(grid.stepNs / MS_NS), count: grid.length }
    const series: HostLine[] = []
    const allWarnings = [...warnings]
    let [isWhole, omitted] = [warnings.length === 0, 0]
    for (const ref of REFS) {
      const found = await queries.over(ns, { text: CHARTS[ref], host, steps, limit: MOST_LINES + 1 }, signal)
      const labelled = found.lines.map(({ labels, values }) => ({
        ref,
        labels: labels.filter(({ name }) => name !== 'host'),
        values
      }))
      series.push(...labelled.slice(0, MOST_LINES))
      omitted += Math.max(0, labelled.length - MOST_LINES)
      isWhole &&= labelled.length <= MOST_LINES && !found.hasGaps
      if (found.hasGaps) allWarnings.push(...found.warnings)
      allWarnings.push(...cutByLimit(labelled.length > MOST_LINES, `lines of ${ref}`, MOST_LINES))
    }
    const tookMs = clock.monotonicMs() - startedMs
    return { grid, series, omitted, window: requested, complete: isWhole, warnings: distinctWarnings(allWarnings), tookMs }
  }
}
