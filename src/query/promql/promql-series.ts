import { setImmediate } from 'node:timers/promises'
import type { TimeRange } from '../../domain/time-range.js'
import type { Namespace } from '../../domain/namespace.js'
import type { Clock } from '../../ports/clock.js'
import type { LabelMatcher, LabelStrings, MetricStore } from '../../ports/metric-store.js'
import { keptRange, type ReadPlace } from '../read-window.js'
import type { QuerySettings } from '../settings.js'
import { LabelSet } from './labels.js'
import { PromqlBadQuery, PromqlBadSelector } from './promql-error.js'
import { RegexBound } from './regex-bound.js'
import { parseSeriesSelector } from './syntax/parse-selector.js'

/** Which series are requested: all that any of the selectors matches and that have samples in the window. */
export interface SelectedSeriesRequest {
  /** Selectors such as `up{job="a"}`; none: every series. */
  readonly selectors: readonly string[]
  readonly range: TimeRange
}

/** Series by their labels, and whether there are more than the service reads at once. */
export interface FoundSeries {
  readonly series: readonly LabelSet[]
  readonly hasMore: boolean
}

/** Dependencies of `PromqlSeries`. */
export interface PromqlSeriesDeps {
  readonly metrics: Pick<MetricStore, 'series' | 'labels'>
  readonly clock: Clock
  readonly settings: QuerySettings
}

const MAX_SELECTORS = 100
/** Characters of selectors that are read between two yields to the event loop: some milliseconds. */
const CHARS_AT_ONCE = 1_000
/** Series of a result that are put in order between two yields to the event loop. */
const SERIES_AT_ONCE = 500
/** Names or values of labels of one result. */
const MAX_LABELS = 100_000

function matchersOf(selector: string, { maxQueryChars }: QuerySettings, regexes: RegexBound): readonly LabelMatcher[] {
  if (selector.length > maxQueryChars) throw new PromqlBadSelector(`a selector must not exceed ${maxQueryChars} characters`)
  try {
    return parseSeriesSelector(selector, regexes).matchers
  } catch (error) {
    throw error instanceof PromqlBadQuery ? new PromqlBadSelector(error.message) : error
  }
}

/** Lists series, as Prometheus's metadata routes do. */
export class PromqlSeries {
  readonly #deps: PromqlSeriesDeps

  constructor(deps: PromqlSeriesDeps) {
    this.#deps = deps
  }

  /** The series that match, each once. Throws `PromqlBadSelector`; stops between selectors once the caller has gone. */
  async find(ns: Namespace, query: SelectedSeriesRequest, signal: AbortSignal): Promise<FoundSeries> {
    const { metrics, settings } = this.#deps
    const range = keptRange(query.range, this.#place(ns))
    const found = new Map<string, LabelSet>()
    let hasMore = false
    for (const matchers of await this.#matchers(query, signal)) {
      signal.throwIfAborted()
      const page = await metrics.series(ns.id, matchers, range, settings.maxSeries, signal)
      hasMore ||= page.hasMore
      for (const [i, { name, labels }] of page.series.entries()) {
        if (i % SERIES_AT_ONCE === SERIES_AT_ONCE - 1) await setImmediate()
        const set = LabelSet.ofSeries(name, labels)
        found.set(set.key, set)
      }
    }
    return { series: [...found.values()], hasMore }
  }

  /** Names of labels of the series that match, or values of one, sorted. Throws as `find`. */
  async labels(
    ns: Namespace,
    query: SelectedSeriesRequest,
    label: string | undefined,
    signal: AbortSignal
  ): Promise<LabelStrings> {
    const range = keptRange(query.range, this.#place(ns))
    const found = new Set<string>()
    let hasMore = false
    const selectors = await this.#matchers(query, signal)
    for (const matchers of selectors) {
      signal.throwIfAborted()
      const request = { matchers, range, limit: MAX_LABELS, ...(label !== undefined && { label }) }
      const page = await this.#deps.metrics.labels(ns.id, request, signal)
      // One list is in order already.
      if (selectors.length === 1) return page
      hasMore ||= page.hasMore
      for (const value of page.values) found.add(value)
    }
    return { values: [...found].sort(), hasMore }
  }

  /** Long selectors are read in slices. */
  async #matchers({ selectors }: SelectedSeriesRequest, signal: AbortSignal): Promise<readonly (readonly LabelMatcher[])[]> {
    if (selectors.length > MAX_SELECTORS) throw new PromqlBadSelector(`must not exceed ${MAX_SELECTORS} selectors`)
    const regexes = new RegexBound()
    const all: (readonly LabelMatcher[])[] = []
    let chars = 0
    for (const selector of selectors) {
      all.push(matchersOf(selector, this.#deps.settings, regexes))
      chars += selector.length
      if (chars < CHARS_AT_ONCE) continue
      chars = 0
      await setImmediate()
      signal.throwIfAborted()
    }
    return selectors.length === 0 ? [[]] : all
  }

  #place(namespace: Namespace): ReadPlace {
    return { namespace, signal: 'metrics', nowNs: this.#deps.clock.nowNs() }
  }
}
