import type { Namespace } from '../domain/namespace.js'
import type { Clock } from '../ports/clock.js'
import type { Cardinality, CardinalityRequest, MetricStore } from '../ports/metric-store.js'
import { boundedCount } from './bounds.js'

/** Dependencies of `CardinalityReport`. */
export interface CardinalityReportDeps {
  readonly metrics: Pick<MetricStore, 'cardinality'>
  readonly clock: Clock
}

/** A query about the series of a namespace. */
export interface CardinalityQuery {
  readonly metric?: string | undefined
  readonly order?: CardinalityRequest['order'] | undefined
  readonly limit?: number | undefined
}

/** Where the series of a namespace come from. */
export interface CardinalityResult extends Cardinality {
  readonly limit: number
  readonly tookMs: number
}

const DEFAULT_ENTRIES = 10
const MAX_ENTRIES = 100
const HOUR_NS = 3_600_000_000_000n
const DAY_NS = 24n * HOUR_NS

/** Reports what the series of a namespace consist of, what grew, and how many series dropping a label would save. */
export class CardinalityReport {
  readonly #deps: CardinalityReportDeps

  constructor(deps: CardinalityReportDeps) {
    this.#deps = deps
  }

  /** Throws `invalid_field` for a limit out of bounds. */
  async of(ns: Namespace, query: CardinalityQuery, signal: AbortSignal): Promise<CardinalityResult> {
    const { metrics, clock } = this.#deps
    const startedMs = clock.monotonicMs()
    const nowNs = clock.nowNs()
    const limit = boundedCount(query.limit, 'limit', { least: 1, most: MAX_ENTRIES, otherwise: DEFAULT_ENTRIES })
    const { metric, order = 'series' } = query
    const request = { order, limit, withSavings: true, hourAgoNs: nowNs - HOUR_NS, dayAgoNs: nowNs - DAY_NS }
    const found = await metrics.cardinality(ns.id, { ...request, ...(metric !== undefined && { metric }) }, signal)
    return { ...found, limit, tookMs: clock.monotonicMs() - startedMs }
  }
}
