import type { StoredApmError } from '../domain/apm-error.js'
import type { Namespace } from '../domain/namespace.js'
import type { SearchRequest } from '../domain/search.js'
import type { TimeRange } from '../domain/time-range.js'
import type { Clock } from '../ports/clock.js'
import type { EventStore } from '../ports/event-store.js'
import type { WindowBounds } from './answer.js'
import { boundedCount } from './bounds.js'
import { errorFilter } from './conditions.js'
import type { CursorCodec } from './cursor.js'
import { cutByLimit } from './cut-by-limit.js'
import type { ErrorEventsAnswer, ErrorEventsQuery, ErrorGroupsAnswer, ErrorGroupsQuery } from './error-answer.js'
import { rowBytes } from './json-bytes.js'
import { ListPage } from './list-page.js'
import { clipToRetention, HOUR_MS, readWindow, type ReadWindow } from './read-window.js'
import type { QuerySettings } from './settings.js'
import { gridOf } from './time-grid.js'

export interface ErrorReportDeps {
  readonly events: EventStore
  readonly clock: Clock
  readonly cursors: CursorCodec
  readonly settings: QuerySettings
}

const MAX_GROUPS = 1_000
const DEFAULT_GROUPS = 100
const MAX_BUCKETS = 1_000
const DEFAULT_BUCKETS = 30

function bytesOf(error: StoredApmError): number {
  return rowBytes(error.message, error.stack ?? '', error.tags)
}

function histogramOf(query: ErrorEventsQuery, range: TimeRange): SearchRequest['histogram'] | undefined {
  if (!query.histogram) return undefined
  const { buckets } = query.histogram
  const { startNs, stepNs, length } = gridOf(
    range,
    boundedCount(buckets, 'buckets', { least: 1, most: MAX_BUCKETS, otherwise: DEFAULT_BUCKETS })
  )
  return { startNs, stepNs, count: length }
}

/** APM errors: `GET /api/v1/apm/errors` and `exceptions` of GraphQL. */
export class ErrorReport {
  readonly #deps: ErrorReportDeps

  constructor(deps: ErrorReportDeps) {
    this.#deps = deps
  }

  /** Groups by fingerprint. */
  async groups(ns: Namespace, query: ErrorGroupsQuery, signal: AbortSignal): Promise<ErrorGroupsAnswer> {
    const { clock, events } = this.#deps
    const startedMs = clock.monotonicMs()
    const limit = boundedCount(query.limit, 'limit', { least: 1, most: MAX_GROUPS, otherwise: DEFAULT_GROUPS })
    const { asked, range, warnings: edge } = this.#window(ns, query)
    const request = { range, filter: errorFilter(query.conditions), limit }
    const { groups, hasMore } = await events.errorGroups(ns.id, request, signal)
    const warnings = [...edge, ...cutByLimit(hasMore, 'groups', limit)]
    const tookMs = clock.monotonicMs() - startedMs
    return { groups, hasMore, limit, window: asked, complete: warnings.length === 0, warnings, tookMs }
  }

  /** Single errors, newest first; name a fingerprint for those of one group. */
  async events(ns: Namespace, query: ErrorEventsQuery, signal: AbortSignal): Promise<ErrorEventsAnswer> {
    const { clock, cursors, events, settings } = this.#deps
    const startedMs = clock.monotonicMs()
    const filter = errorFilter(query.conditions)
    const page = new ListPage({ codec: cursors, settings }, { list: 'errors', namespace: ns.id, filter }, query)
    const { asked, range, warnings } = page.resumed ? clipToRetention(page.resumed, this.#place(ns)) : this.#window(ns, query)
    const rows = page.request()
    const histogram = histogramOf(query, range)
    const request = { range, filter, ...(rows && { rows }), ...(query.total && { total: true }), ...(histogram && { histogram }) }
    const found = await events.searchErrors(ns.id, request, signal)
    const grid = histogram && { startNs: histogram.startNs, stepNs: histogram.stepNs, length: histogram.count }
    return {
      ...page.answer(found, asked, bytesOf),
      window: asked,
      complete: warnings.length === 0 && found.complete,
      warnings: [...warnings, ...found.warnings],
      total: found.total ?? null,
      histogram: grid ? { grid, series: found.histogram ?? [] } : null,
      tookMs: clock.monotonicMs() - startedMs
    }
  }

  #place(namespace: Namespace) {
    return { namespace, signal: 'errors', nowNs: this.#deps.clock.nowNs() } as const
  }

  #window(ns: Namespace, query: WindowBounds): ReadWindow {
    return readWindow(query, this.#place(ns), HOUR_MS)
  }
}
