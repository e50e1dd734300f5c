import { errorGroupState } from '../domain/error-group.js'
import { allOf, type Field } from '../domain/filter.js'
import type { Namespace } from '../domain/namespace.js'
import type { SearchRequest } from '../domain/search.js'
import type { TimeRange } from '../domain/time-range.js'
import type { Clock } from '../ports/clock.js'
import type { ErrorGroupDecisions } from '../ports/error-groups.js'
import type { ErrorGroup, EventStore } from '../ports/event-store.js'
import type { WindowBounds } from './result.js'
import { boundedCount } from './bounds.js'
import { errorFilter } from './conditions.js'
import type { CursorCodec } from './cursor.js'
import { cutByLimit } from './cut-by-limit.js'
import type {
  ErrorEventsResult,
  ErrorEventsQuery,
  ErrorGroupResult,
  ErrorGroupFact,
  ErrorGroupsResult,
  ErrorGroupsQuery,
  ErrorGroupSummary
} from './error-result.js'
import { emptyHints } from './empty-hints.js'
import { gapsAround } from './gaps-around.js'
import { ListPage } from './list-page.js'
import { clipToRetention, HOUR_MS, readWindow, type ReadWindow, wholeRetention } from './read-window.js'
import { errorBytes } from './row-bytes.js'
import { seenValues } from './seen-values.js'
import type { QuerySettings } from './settings.js'
import { gridOf } from './time-grid.js'
import { ERROR_VOCABULARY } from './vocabulary.js'

/** Dependencies of `ErrorReport`. */
export interface ErrorReportDeps {
  readonly events: EventStore
  readonly decisions: Pick<ErrorGroupDecisions, 'of'>
  readonly clock: Clock
  readonly cursors: CursorCodec
  readonly settings: QuerySettings
}

const MAX_GROUPS = 1_000
const DEFAULT_GROUPS = 100
const MAX_BUCKETS = 1_000
const DEFAULT_BUCKETS = 30
const MAX_FACTS = 20
const TRACE: Field = { in: 'known', name: 'trace_id' }
const FACTS: readonly Field[] = [
  { in: 'free', name: 'release' },
  { in: 'known', name: 'host' }
]
const FACT_NAMES = ['releases', 'hosts'] as const

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
  async groups(ns: Namespace, query: ErrorGroupsQuery, signal: AbortSignal): Promise<ErrorGroupsResult> {
    const { clock, events } = this.#deps
    const startedMs = clock.monotonicMs()
    const limit = boundedCount(query.limit, 'limit', { least: 1, most: MAX_GROUPS, otherwise: DEFAULT_GROUPS })
    const { requested, range, warnings: edge } = this.#window(ns, query)
    const { states = [] } = query
    // The store knows no states: all that it lists are looked at, and those in other states left out.
    const looked = states.length === 0 ? limit : MAX_GROUPS
    const filter = errorFilter(query.conditions)
    const request = { range, filter, limit: looked }
    const gaps = gapsAround(() => events.gaps?.(ns.id, 'errors', range))
    const found = await events.errorGroups(ns.id, request, signal)
    const decided = await this.#decided(ns, found.groups)
    const groups = states.length === 0 ? decided : decided.filter(({ state }) => states.includes(state))
    const hasMore = found.hasMore || groups.length > limit
    const warnings = [
      ...edge,
      ...gaps(),
      ...cutByLimit(found.hasMore, 'groups', looked),
      ...cutByLimit(groups.length > limit, 'groups', limit)
    ]
    const tookMs = clock.monotonicMs() - startedMs
    const complete = warnings.length === 0
    const hints = groups.length > 0 ? [] : emptyHints({ filter, vocabulary: ERROR_VOCABULARY, window: requested })
    return {
      groups: groups.slice(0, limit),
      hasMore,
      limit,
      window: requested,
      complete,
      warnings: [...warnings, ...hints],
      tookMs
    }
  }

  /** One group with what its errors have in common, over the whole retention unless a window is given; null when none of its errors is there. */
  async group(
    ns: Namespace,
    fingerprint: string,
    query: WindowBounds & { readonly buckets?: number | undefined },
    signal: AbortSignal
  ): Promise<ErrorGroupResult | null> {
    const { clock, events } = this.#deps
    const startedMs = clock.monotonicMs()
    const isUnbounded = (query.start ?? '') === '' && (query.end ?? '') === ''
    const { requested, range, warnings: edge } = isUnbounded ? wholeRetention(this.#place(ns)) : this.#window(ns, query)
    const filter = errorFilter({ fingerprint })
    const { groups } = await events.errorGroups(ns.id, { range, filter, limit: 1 }, signal)
    const [group] = await this.#decided(ns, groups)
    if (group === undefined) return null
    const histogram = histogramOf({ conditions: {}, histogram: { buckets: query.buckets } }, range)!
    const newest = { limit: 1, order: 'desc' } as const
    const facets = FACTS.map(field => ({ field, filter, limit: MAX_FACTS, lastSeen: true }))
    const traced = allOf([filter, { kind: 'exists', field: TRACE }])
    const [found, withTrace] = await Promise.all([
      events.searchErrors(ns.id, { range, filter, rows: newest, histogram, facets }, signal),
      events.searchErrors(ns.id, { range, filter: traced, rows: newest }, signal)
    ])
    const factsOf = (i: number): readonly ErrorGroupFact[] => seenValues(found.facets?.[i])
    const cut = FACT_NAMES.flatMap((what, i) => cutByLimit((found.facets?.[i]?.other ?? 0) > 0, what, MAX_FACTS))
    const warnings = [...edge, ...cut]
    return {
      group,
      ...{ releases: factsOf(0), hosts: factsOf(1), sample: found.rows?.[0] ?? null, traced: withTrace.rows?.[0] ?? null },
      histogram: {
        grid: { startNs: histogram.startNs, stepNs: histogram.stepNs, length: histogram.count },
        series: found.histogram ?? []
      },
      window: requested,
      complete: warnings.length === 0 && found.complete,
      warnings: [...warnings, ...found.warnings],
      tookMs: clock.monotonicMs() - startedMs
    }
  }

  async #decided(ns: Namespace, groups: readonly ErrorGroup[]): Promise<readonly ErrorGroupSummary[]> {
    const decisions = await this.#deps.decisions.of(
      ns.id,
      groups.map(({ fingerprint }) => fingerprint)
    )
    const byFingerprint = new Map(decisions.map(decision => [decision.fingerprint, decision]))
    return groups.map(group => {
      const decision = byFingerprint.get(group.fingerprint)
      const decided = { decidedAtMs: decision?.atMs ?? null, decidedBy: decision?.by ?? null }
      return { ...group, state: errorGroupState(decision, group.lastSeenNs), ...decided }
    })
  }

  /** Single errors, newest first; name a fingerprint for those of one group. */
  async events(ns: Namespace, query: ErrorEventsQuery, signal: AbortSignal): Promise<ErrorEventsResult> {
    const { clock, cursors, events, settings } = this.#deps
    const startedMs = clock.monotonicMs()
    const filter = errorFilter(query.conditions)
    const page = new ListPage({ codec: cursors, settings }, { list: 'errors', namespace: ns.id, filter }, query)
    const { requested, range, warnings } = page.resumed ? clipToRetention(page.resumed, this.#place(ns)) : this.#window(ns, query)
    const rows = page.request()
    const histogram = histogramOf(query, range)
    const request = { range, filter, ...(rows && { rows }), ...(query.total && { total: true }), ...(histogram && { histogram }) }
    const found = await events.searchErrors(ns.id, request, signal)
    const grid = histogram && { startNs: histogram.startNs, stepNs: histogram.stepNs, length: histogram.count }
    return {
      ...page.paged(found, requested, errorBytes),
      window: requested,
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
