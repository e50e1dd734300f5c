import type { Namespace } from '../../domain/namespace.js'
import type { SeriesSamples } from '../../domain/metric-point.js'
import type { TimeRange } from '../../domain/time-range.js'
import type { Clock } from '../../ports/clock.js'
import type { MetricStore } from '../../ports/metric-store.js'
import { keptRange } from '../read-window.js'
import type { QuerySettings } from '../settings.js'
import { planRequest, readQuery } from './run-query.js'
import type { Read } from './evaluate/samples-source.js'
import type { PromqlBounds, PromqlRequest } from './promql-request.js'
import type { PromqlThreads } from './promql-threads.js'
import type { Expr } from './syntax/ast.js'
import { distinctWarnings, type Warning } from '../../domain/warning.js'

/** Dependencies of `PromqlQuery`. */
export interface PromqlQueryDeps {
  readonly metrics: Pick<MetricStore, 'select' | 'gaps'>
  readonly clock: Clock
  readonly settings: QuerySettings
  readonly threads: Pick<PromqlThreads, 'run'>
}

/** The bounds of evaluations among the settings. */
export function promqlBounds(settings: QuerySettings): PromqlBounds {
  const { maxQueryChars, allowsExperimental, maxSamples, wholeReadMs, maxValues, maxResultBytes } = settings
  return { maxQueryChars, allowsExperimental, maxSamples, wholeReadMs, maxValues, maxResultBytes }
}

/** Evaluates PromQL over the metric store of any engine. */
export class PromqlQuery {
  readonly #deps: PromqlQueryDeps
  readonly #bounds: PromqlBounds

  constructor(deps: PromqlQueryDeps) {
    this.#deps = deps
    this.#bounds = promqlBounds(deps.settings)
  }

  /** The same evaluation, in the same threads and bounds, over other samples. */
  over(metrics: PromqlQueryDeps['metrics']): PromqlQuery {
    return new PromqlQuery({ ...this.#deps, metrics })
  }

  /** The limit of steps of a query. */
  get maxPoints(): number {
    return this.#deps.settings.maxPoints
  }

  /**
   * Runs a query and returns the body of Prometheus's result, UTF-8. Throws `PromqlBadQuery` (Prometheus: bad_data),
   * `PromqlExecutionError` (execution), `PromqlTimeout` (timeout), and what the store throws.
   */
  async run(ns: Namespace, request: PromqlRequest, signal: AbortSignal): Promise<Uint8Array> {
    const { metrics, threads, settings } = this.#deps
    const { reads } = planRequest(request, this.#bounds)
    const ranges: TimeRange[] = []
    // Read before each query and after all of them: records that were queued in between may be missing from the samples.
    const lacking: Warning[] = []
    const look = (range: TimeRange): void => {
      lacking.push(...(metrics.gaps?.(ns.id, range) ?? []))
    }
    return threads.run({
      namespace: ns.id,
      request,
      reads: reads.list,
      bounds: this.#bounds,
      timeoutMs: Math.min(request.timeoutMs ?? settings.timeoutMs, settings.timeoutMs),
      signal,
      select: (read, until) => {
        ranges.push(read.range)
        look(read.range)
        return this.#select(ns, read, until)
      },
      gaps: () => {
        for (const range of ranges) look(range)
        return distinctWarnings(lacking)
      }
    })
  }

  /** Reads a query without running it. Throws `PromqlBadQuery`. */
  parse(query: string): Expr {
    return readQuery(query, this.#bounds)
  }

  async #select(
    ns: Namespace,
    { matchers, range, windowMs, stepMs, windows }: Read,
    signal: AbortSignal
  ): Promise<readonly SeriesSamples[]> {
    const { metrics, clock, settings } = this.#deps
    const kept = keptRange(range, { namespace: ns, signal: 'metrics', nowNs: clock.nowNs() })
    if (kept.startNs >= kept.endNs) return []
    const { maxSeries, maxSamples } = settings
    const request = {
      matchers,
      range: kept,
      maxSeries,
      maxSamples,
      windowMs,
      ...(stepMs !== undefined && { stepMs }),
      ...(windows && { windows })
    }
    return metrics.select(ns.id, request, signal)
  }
}
