import type { TimeRange } from '../../domain/time-range.js'
import { type Namespace, retentionStartNs } from '../../domain/namespace.js'
import type { Clock } from '../../ports/clock.js'
import type { LabelMatcher, MetricInfo, MetricStore } from '../../ports/metric-store.js'
import type { QuerySettings } from '../settings.js'
import { LabelSet } from './labels.js'
import { readQuery } from './answer-question.js'
import { PromqlBadQuery, PromqlExecutionError } from './promql-error.js'

/** Which series are asked about: all that any of the selectors matches and that have samples in the window. */
export interface SeriesQuestion {
  /** Selectors such as `up{job="a"}`; none: every series. */
  readonly selectors: readonly string[]
  readonly range: TimeRange
}

/** Series by their labels, and whether there are more than the service reads at once. */
export interface FoundSeries {
  readonly series: readonly LabelSet[]
  readonly hasMore: boolean
}

export interface PromqlSeriesDeps {
  readonly metrics: Pick<MetricStore, 'series' | 'metrics'>
  readonly clock: Clock
  readonly settings: QuerySettings
}

const MAX_METRICS = 10_000
const MAX_SELECTORS = 100

function matchersOf(selector: string, maxChars: number): readonly LabelMatcher[] {
  const expr = readQuery(selector, maxChars)
  if (expr.type === 'selector' && expr.offsetMs === 0 && expr.at === null) return expr.matchers
  throw new PromqlExecutionError(`invalid series selector: ${selector}`)
}

/** Tells which series there are, as Prometheus's metadata endpoints do. */
export class PromqlSeries {
  readonly #deps: PromqlSeriesDeps

  constructor(deps: PromqlSeriesDeps) {
    this.#deps = deps
  }

  /** The series that match, each once. Throws `PromqlSyntaxError`; goes on to no further selector once nobody waits. */
  async find(ns: Namespace, { selectors, range }: SeriesQuestion, signal: AbortSignal): Promise<FoundSeries> {
    const { metrics, clock, settings } = this.#deps
    const oldestNs = retentionStartNs(ns.retention, 'metrics', clock.nowNs())
    const startNs = range.startNs > oldestNs ? range.startNs : oldestNs
    const found = new Map<string, LabelSet>()
    let hasMore = false
    if (selectors.length > MAX_SELECTORS) throw new PromqlBadQuery(`at most ${MAX_SELECTORS} match[] may be given`)
    for (const matchers of selectors.length === 0
      ? [[]]
      : selectors.map(selector => matchersOf(selector, settings.maxQueryChars))) {
      signal.throwIfAborted()
      const page = await metrics.series(ns.id, matchers, { startNs, endNs: range.endNs }, settings.maxSeries)
      hasMore ||= page.hasMore
      for (const { name, labels } of page.series) {
        const set = LabelSet.ofSeries(name, labels)
        found.set(set.key, set)
      }
    }
    return { series: [...found.values()], hasMore }
  }

  /** The metrics there are, by name; `hasMore`: there are more than are read at once. */
  metrics(ns: Namespace): Promise<{ readonly metrics: readonly MetricInfo[]; readonly hasMore: boolean }> {
    return this.#deps.metrics.metrics(ns.id, { limit: MAX_METRICS })
  }
}
