import { allOf, type Filter } from '../../domain/filter.js'
import { templateText } from '../../domain/log-pattern.js'
import type { Namespace } from '../../domain/namespace.js'
import type { StoredLog } from '../../domain/records/log.js'
import type { FacetValue, SearchRequest, Total } from '../../domain/search.js'
import type { TimeRange } from '../../domain/time-range.js'
import { distinctWarnings, type Warning } from '../../domain/warning.js'
import type { Clock } from '../../ports/clock.js'
import type { LogStore } from '../../ports/log-store.js'
import type { CatalogPattern } from '../../ports/pattern-catalog.js'
import { boundedCount } from '../bounds.js'
import { type LogConditions, logFilter } from '../conditions.js'
import { HOUR_MS, type ReadWindow, readWindow, wholeRetention } from '../read-window.js'
import type { ResultFacts, WindowBounds } from '../result.js'
import { histogramCounts, histogramRequest } from '../histogram.js'
import type { HistogramCounts } from '../log-query.js'
import { writeBoth } from '../search-language/write-condition.js'
import { LOG_VOCABULARY } from '../vocabulary.js'
import { changedFirst, type Chosen, type Counted, mostFrequent, type PatternChange, patternsOfBoth } from './changed-patterns.js'
import { Lanes } from './lanes.js'
import { MAX_COUNTED_IDS, PATTERN_FIELD } from './logs-by-pattern.js'
import type { Families, PatternNames } from './pattern-names.js'
import { type PatternVariables, readVariables } from './pattern-variables.js'
import { trendBuckets } from './trend-buckets.js'

const DEFAULT_PATTERNS = 20
export const MAX_PATTERNS_LISTED = 100
/** Services and levels that a pattern lists. */
const MAX_VALUES = 10
const DEFAULT_SAMPLES = 3
const MAX_SAMPLES = 20
const NS_PER_MS = 1_000_000n
/** Details of patterns that are read at the same time. */
const LANES = 2
/** A pattern is new for a day. */
export const NEW_FOR_MS = 86_400_000

/** Which patterns to list. */
export interface PatternsQuery extends WindowBounds {
  readonly conditions: LogConditions
  /** Without bounds, all that the retention keeps is counted, instead of the last hour. */
  readonly wholeRetention?: boolean | undefined
  readonly limit?: number | undefined
  /** Another window, to find what changed against it. */
  readonly compare?: WindowBounds | undefined
}

export type PatternState = 'new' | 'known' | 'gone'
/** One pattern of a list. */
export interface ListedPattern {
  readonly id: string
  readonly template: string
  /** Logs of the window; exact. */
  readonly count: number
  /** Of all logs of the window that match. */
  readonly share: number
  /** Event time of the log that it was found in, whatever the window; null when the catalogue does not have the pattern. */
  readonly firstSeenNs: bigint | null
  readonly state: PatternState
  readonly muted: boolean
  readonly note: string | null
  /** Null without a window to compare with, and when the difference is not significant. */
  readonly change: PatternChange | null
}

/** What the logs of one pattern have, in the window; in the other window for a pattern that vanished. */
export interface PatternDetail {
  readonly levels: readonly FacetValue[]
  readonly services: readonly FacetValue[]
  readonly lastSeenNs: bigint | null
  readonly trend: HistogramCounts
  /** The latest logs. */
  readonly samples: readonly StoredLog[]
  /** False when a cap or an unreadable part cut the details; `warnings` states which. */
  readonly complete: boolean
  readonly warnings: readonly Warning[]
}

/** How much of it. */
export interface DetailSize {
  readonly buckets?: number | undefined
  readonly samples?: number | undefined
}

/** Patterns of one filter. */
export interface PatternListResult extends ResultFacts {
  readonly patterns: readonly ListedPattern[]
  /** Details of one of them. Throws `invalid_field`. */
  detail(pattern: ListedPattern, size: DetailSize): Promise<PatternDetail>
  /** The query that finds the logs of one of them, with the window and the other filters. */
  evidence(pattern: ListedPattern): string
  /** Variable parts of one of them, with at most `values` values each. Throws `invalid_field`. */
  variables(pattern: ListedPattern, values?: number): Promise<PatternVariables>
  /** All patterns of the window, those included that the limit cuts off. */
  readonly total: Total
  readonly hasMore: boolean
  readonly limit: number
  /** Logs that match; exact. */
  readonly logs: number
  /** Of those, logs without a pattern: older than patterns, without words, or stored while the catalogue was not writable. */
  readonly unassigned: number
  /** Patterns that were tested against the other window. */
  readonly tested: number
}

/** A pattern on its own. */
export interface OnePattern {
  readonly pattern: ListedPattern
  // As those of a list.
  readonly facts: ResultFacts
  readonly evidence: string
  readonly detail: (size: DetailSize) => Promise<PatternDetail>
  readonly variables: (values?: number) => Promise<PatternVariables>
}

export interface PatternListDeps {
  /** With the ids of patterns as readers see them. */
  readonly logs: Pick<LogStore, 'search'>
  readonly names: PatternNames
  readonly clock: Clock
}

/** The patterns of a filter: the use case of `GET /api/v1/logs/patterns`. Retention holds at reading. */
export class PatternList {
  readonly #deps: PatternListDeps

  constructor(deps: PatternListDeps) {
    this.#deps = deps
  }

  /** Most frequent first; with another window, significant changes first. Throws as `LogSearch.search`. */
  async list(ns: Namespace, query: PatternsQuery, signal: AbortSignal): Promise<PatternListResult> {
    const { clock, names } = this.#deps
    const startedMs = clock.monotonicMs()
    const filter = logFilter(query.conditions)
    const limit = boundedCount(query.limit, 'limit', { least: 1, most: MAX_PATTERNS_LISTED, otherwise: DEFAULT_PATTERNS })
    const place = { namespace: ns, signal: 'logs', nowNs: clock.nowNs() } as const
    const isUnbounded = query.wholeRetention === true && (query.start ?? '') === '' && (query.end ?? '') === ''
    const window = isUnbounded ? wholeRetention(place) : readWindow(query, place, HOUR_MS)
    const base = query.compare === undefined ? null : readWindow(query.compare, place, HOUR_MS)
    const [counted, before] = await Promise.all([
      this.#count(ns, filter, window.range, signal),
      base === null ? null : this.#count(ns, filter, base.range, signal)
    ])
    const chosen = before === null ? mostFrequent(counted) : changedFirst(counted, before)
    const listed = chosen.slice(0, limit)
    const families = await names.familiesWith(
      ns.id,
      listed.map(({ id }) => id)
    )
    const lanes = new Lanes(LANES)
    const ranges = { range: window.range, base: base?.range ?? window.range }
    const ofBase = [...(base?.warnings ?? []), ...(before?.warnings ?? [])].map(ofOtherWindow)
    const warnings: Warning[] = [...window.warnings, ...counted.warnings, ...ofBase]
    const left = before?.facet.missing ?? 0
    if (left > 0) warnings.push(`${left} logs of the other window have no pattern; changes are computed without them`)
    return {
      patterns: listed.map(one => this.#listed(one, counted.logs, families)),
      detail: (pattern, size) => lanes.run(() => this.#detail(ns, pattern, { filter, ...ranges, ...size }, signal)),
      evidence: ({ id }) => writeBoth(query.conditions.query, `pattern:${id}`),
      variables: ({ id, count }, values) => {
        const own = { pattern: families.currentOf(id), filter, range: count === 0 ? ranges.base : ranges.range, values }
        return lanes.run(() => readVariables(this.#deps.logs, ns.id, own, signal))
      },
      total: counted.facet.distinct,
      hasMore: chosen.length > limit,
      limit,
      logs: counted.logs,
      unassigned: counted.facet.missing,
      tested: before === null ? 0 : patternsOfBoth(counted, before).size,
      window: window.requested,
      complete: isWhole(window, counted) && (base === null || before === null || isWhole(base, before)),
      warnings: distinctWarnings(warnings),
      tookMs: clock.monotonicMs() - startedMs
    }
  }

  /**
   * One pattern over the whole retention, by any of its ids; `gone` when no log of it is left. Null for an id that the
   * namespace does not have.
   */
  async get(ns: Namespace, id: string, signal: AbortSignal): Promise<OnePattern | null> {
    const families = await this.#deps.names.familiesWith(ns.id, [id])
    const current = families.currentOf(id)
    if (current === undefined) return null
    const conditions = { filters: [{ field: PATTERN_FIELD.name, op: 'eq', value: current.id }] } as const
    const list = await this.list(ns, { conditions, wholeRetention: true, limit: 1 }, signal)
    const pattern = list.patterns[0] ?? this.#listed({ id: current.id, count: 0, change: null }, 0, families)
    return onePattern(list, pattern)
  }

  /** Reads notes and mutes of a namespace again. */
  forget(ns: Namespace): void {
    this.#deps.names.forget(ns.id)
  }

  async #count(ns: Namespace, filter: Filter, range: TimeRange, signal: AbortSignal): Promise<Counted> {
    const facets = [{ field: PATTERN_FIELD, filter, limit: MAX_COUNTED_IDS }]
    const found = await this.#deps.logs.search(ns.id, { range, filter, facets }, signal)
    const facet = found.facets![0]!
    const counts = new Map(facet.values.map(({ value, count }) => [value, count]))
    const logs = facet.values.reduce((sum, { count }) => sum + count, facet.other + facet.missing)
    return { counts, facet, logs, complete: found.complete, warnings: found.warnings }
  }

  #listed({ id, count, change }: Chosen, logs: number, families: Families): ListedPattern {
    const known = families.currentOf(id)
    const { note, muted } = decisionOf(families, id)
    const firstSeenMs = firstSeenOf(families, id)
    return {
      id,
      template: templateText(known ?? { id, tokens: [], kinds: [] }),
      count,
      share: logs === 0 ? 0 : count / logs,
      firstSeenNs: firstSeenMs === undefined ? null : BigInt(firstSeenMs) * NS_PER_MS,
      state: count === 0 ? 'gone' : this.#isNew(firstSeenMs) ? 'new' : 'known',
      muted,
      note,
      change
    }
  }

  async #detail(
    ns: Namespace,
    { id, count }: ListedPattern,
    {
      filter,
      range,
      base,
      ...size
    }: DetailSize & { readonly filter: Filter; readonly range: TimeRange; readonly base: TimeRange },
    signal: AbortSignal
  ): Promise<PatternDetail> {
    const samples = boundedCount(size.samples, 'first', { least: 0, most: MAX_SAMPLES, otherwise: DEFAULT_SAMPLES })
    const buckets = trendBuckets(size.buckets)
    const own = allOf([filter, { kind: 'eq', field: PATTERN_FIELD, value: id }])
    const searched = count === 0 ? base : range
    const histogram = histogramRequest({ buckets }, searched, LOG_VOCABULARY)
    const request: SearchRequest = {
      ...{ range: searched, filter: own, histogram },
      // The latest log is also when the pattern was last seen.
      rows: { limit: Math.max(samples, 1), order: 'desc' },
      facets: ['level', 'service'].map(name => ({ field: { in: 'known', name }, filter: own, limit: MAX_VALUES }))
    }
    const found = await this.#deps.logs.search(ns.id, request, signal)
    const [levels, services] = found.facets!
    const rows = found.rows ?? []
    return {
      levels: levels!.values,
      services: services!.values,
      lastSeenNs: rows[0]?.timestampNs ?? null,
      trend: histogramCounts(histogram, found.histogram ?? []),
      samples: rows.slice(0, samples),
      ...{ complete: found.complete, warnings: found.warnings }
    }
  }

  #isNew(firstSeenMs: number | undefined): boolean {
    return firstSeenMs !== undefined && this.#deps.clock.nowMs() - firstSeenMs < NEW_FOR_MS
  }
}

/** One pattern of a list. */
export function onePattern(list: PatternListResult, pattern: ListedPattern): OnePattern {
  const evidence = list.evidence(pattern)
  return {
    pattern,
    facts: list,
    evidence,
    detail: size => list.detail(pattern, size),
    variables: values => list.variables(pattern, values)
  }
}

function isWhole(window: ReadWindow, { complete }: Counted): boolean {
  return window.warnings.length === 0 && complete
}

/** A warning about the window that was compared with: its cut is outside the window of the result. */
function ofOtherWindow(warning: Warning): Warning {
  if (typeof warning === 'string') return `other window: ${warning}`
  const { range: _, ...cut } = warning
  return { ...cut, detail: `other window: ${cut.detail}` }
}

/** A note stays when its pattern becomes one with others; a mute stays where all of them were muted. */
function decisionOf(families: Families, id: string): Pick<CatalogPattern, 'note' | 'muted'> {
  const current = families.currentOf(id)
  const others = families.membersOf(id).filter(member => member !== current)
  return {
    note: current?.note ?? others.find(({ note }) => note !== null)?.note ?? null,
    muted: current?.muted === true || (others.length > 0 && others.every(({ muted }) => muted))
  }
}

/** A pattern is as old as the oldest that became one with it. */
function firstSeenOf(families: Families, id: string): number | undefined {
  const members = families.membersOf(id)
  return members.length === 0 ? undefined : members.reduce((least, { firstSeenMs }) => Math.min(least, firstSeenMs), Infinity)
}
