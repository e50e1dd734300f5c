import type { Namespace } from '../../domain/namespace.js'
import type { SeriesSamples } from '../../domain/metric-point.js'
import type { TimeRange } from '../../domain/time-range.js'
import type { Clock } from '../../ports/clock.js'
import type { MetricStore } from '../../ports/metric-store.js'
import { keptRange } from '../read-window.js'
import type { QuerySettings } from '../settings.js'
import { planQuestion, readQuery } from './answer-question.js'
import type { Read } from './evaluate/samples-source.js'
import type { PromqlBounds, PromqlQuestion } from './promql-question.js'
import type { PromqlThreads } from './promql-threads.js'
import type { Expr } from './syntax/ast.js'

export interface PromqlQueryDeps {
  readonly metrics: Pick<MetricStore, 'select' | 'gaps'>
  readonly clock: Clock
  readonly settings: QuerySettings
  readonly threads: Pick<PromqlThreads, 'answer'>
}

/** The bounds of evaluations among the settings. */
export function promqlBounds(settings: QuerySettings): PromqlBounds {
  const { maxQueryChars, allowsExperimental, maxSamples, wholeReadMs, maxValues, maxAnswerBytes } = settings
  return { maxQueryChars, allowsExperimental, maxSamples, wholeReadMs, maxValues, maxAnswerBytes }
}

/** Evaluates PromQL over the metric store of any engine. */
export class PromqlQuery {
  readonly #deps: PromqlQueryDeps
  readonly #bounds: PromqlBounds

  constructor(deps: PromqlQueryDeps) {
    this.#deps = deps
    this.#bounds = promqlBounds(deps.settings)
  }

  /** Steps that a question may have. */
  get maxPoints(): number {
    return this.#deps.settings.maxPoints
  }

  /**
   * Answers a question with the body of Prometheus's answer, UTF-8. Throws `PromqlBadQuery` (Prometheus: bad_data),
   * `PromqlExecutionError` (execution), `PromqlTimeout` (timeout), and what the store throws.
   */
  async answer(ns: Namespace, question: PromqlQuestion, signal: AbortSignal): Promise<Uint8Array> {
    const { metrics, threads, settings } = this.#deps
    const { reads } = planQuestion(question, this.#bounds)
    const ranges: TimeRange[] = []
    // Asked before each read and behind all: what waited in between may or may not be among the samples.
    const lacking = new Set<string>()
    const look = (range: TimeRange): void => {
      for (const gap of metrics.gaps?.(ns.id, range) ?? []) lacking.add(gap)
    }
    return threads.answer({
      namespace: ns.id,
      question,
      reads: reads.list,
      bounds: this.#bounds,
      timeoutMs: Math.min(question.timeoutMs ?? settings.timeoutMs, settings.timeoutMs),
      signal,
      select: (read, until) => {
        ranges.push(read.range)
        look(read.range)
        return this.#select(ns, read, until)
      },
      gaps: () => {
        for (const range of ranges) look(range)
        return [...lacking]
      }
    })
  }

  /** Reads a query without answering it. Throws `PromqlBadQuery`. */
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
