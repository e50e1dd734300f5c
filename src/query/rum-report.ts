import { GatewayError } from '../domain/errors.js'
import { allOf, type Field, type Filter } from '../domain/filter.js'
import type { Namespace } from '../domain/namespace.js'
import { type VitalName, VITALS } from '../domain/records/rum.js'
import type { ResolvedWindow, TimeRange } from '../domain/time-range.js'
import type { Clock } from '../ports/clock.js'
import type { EventStore, VitalsRow } from '../ports/event-store.js'
import { boundedCount } from './bounds.js'
import { rumFilter } from './conditions.js'
import type { CursorCodec } from './cursor.js'
import { cutByLimit } from './cut-by-limit.js'
import { gapsAround } from './gaps-around.js'
import { emptyHints } from './empty-hints.js'
import { ListPage } from './list-page.js'
import { rumBytes } from './row-bytes.js'
import { clipToRetention, DAY_MS, readWindow, type ReadWindow } from './read-window.js'
import {
  RUM_DIMENSIONS,
  type RumDimension,
  type RumListResult,
  type RumListQuery,
  type VitalsResult,
  type VitalSeriesResult,
  type VitalSeriesQuery,
  type VitalDistribution,
  type VitalDistributionQuery,
  type VitalsQuery
} from './rum-result.js'
import type { QuerySettings } from './settings.js'
import { gridOf } from './time-grid.js'
import { vitalBounds, JUDGED_AT, toVitalSummary } from './vital-rating.js'
import { RUM_VOCABULARY } from './vocabulary.js'
import type { Warning } from '../domain/warning.js'

/** Dependencies of `RumReport`. */
export interface RumReportDeps {
  readonly events: EventStore
  readonly clock: Clock
  readonly cursors: CursorCodec
  readonly settings: QuerySettings
}

const ALL_VITALS = Object.keys(VITALS) as VitalName[]
const DEFAULT_PERCENTILES = [50, 75, 95]
const MAX_PERCENTILES = 8
const MAX_GROUPS = 1_000
const DEFAULT_GROUPS = 100
const DEFAULT_SERIES = 8
const MAX_SERIES = 50
const DEFAULT_BUCKETS = 60
/** Each bucket is a query of its own to the store. */
const MAX_BUCKETS = 120
const BUCKETS_AT_ONCE = 2

function dimension(by: RumDimension | undefined): { readonly groupBy?: Field } {
  return by === undefined ? {} : { groupBy: { in: 'known', name: RUM_DIMENSIONS[by] } }
}

/** Fractions for the store, that of the judgment always among them. */
function fractions(percentiles: readonly number[]): readonly number[] {
  if (percentiles.length > MAX_PERCENTILES || percentiles.some(p => !(p > 0 && p < 100)))
    throw new GatewayError('invalid_field', `percentiles must be at most ${MAX_PERCENTILES} numbers between 0 and 100`, {
      field: 'percentile'
    })
  return [...new Set([...percentiles, JUDGED_AT])].map(percentile => percentile / 100)
}

const MAX_VALUE_BUCKETS = 200
const DEFAULT_VALUE_BUCKETS = 40

/** Page timings: `GET /api/v1/apm/rum` and the field `rum` of GraphQL. The default window is 24 h. */
export class RumReport {
  readonly #deps: RumReportDeps

  constructor(deps: RumReportDeps) {
    this.#deps = deps
  }

  /** Percentiles and ratings, overall or per group. */
  async vitals(ns: Namespace, query: VitalsQuery, signal: AbortSignal): Promise<VitalsResult> {
    const { clock, events } = this.#deps
    const startedMs = clock.monotonicMs()
    const limit = boundedCount(query.limit, 'limit', { least: 1, most: MAX_GROUPS, otherwise: DEFAULT_GROUPS })
    const percentiles = query.percentiles ?? DEFAULT_PERCENTILES
    const requested = {
      vitals: query.vitals ?? ALL_VITALS,
      percentiles: fractions(percentiles),
      limit,
      ...dimension(query.groupBy)
    }
    const window = this.#window(ns, query)
    const request = { range: window.range, filter: rumFilter(query.conditions), ...requested }
    const gapsOf = this.#gapsAround(ns, window)
    const { rows, hasMore } = await events.vitals(ns.id, request, signal)
    const groups = rows.map(({ vitals, ...row }) => ({
      ...row,
      vitals: vitals.map(stats => toVitalSummary(stats, request.percentiles, percentiles))
    }))
    const isEmpty = rows.every(({ events: count }) => count === 0)
    const hints = isEmpty ? emptyHints({ filter: request.filter, vocabulary: RUM_VOCABULARY, window: window.requested }) : []
    const gaps = gapsOf()
    const warnings = [...cutByLimit(hasMore, 'groups', limit), ...gaps, ...hints]
    const complete = !hasMore && gaps.length === 0
    return { ...facts(window, { complete, warnings }), groups, hasMore, limit, tookMs: clock.monotonicMs() - startedMs }
  }

  /** One vital over time, overall or for the groups with most events. */
  async series(ns: Namespace, query: VitalSeriesQuery, signal: AbortSignal): Promise<VitalSeriesResult> {
    const { clock } = this.#deps
    const startedMs = clock.monotonicMs()
    const limit = boundedCount(query.limit, 'limit', { least: 1, most: MAX_SERIES, otherwise: DEFAULT_SERIES })
    const buckets = boundedCount(query.buckets, 'buckets', { least: 1, most: MAX_BUCKETS, otherwise: DEFAULT_BUCKETS })
    const window = this.#window(ns, query)
    const grid = gridOf(window.range, buckets)
    const percentiles = [fractions([query.percentile ?? JUDGED_AT])[0]!]
    const requested = { vitals: [query.vital], percentiles, limit, ...dimension(query.by) }
    const filter = rumFilter(query.conditions)
    const gapsOf = this.#gapsAround(ns, window)
    const overall = await this.#deps.events.vitals(
      ns.id,
      { ...requested, limit: MAX_GROUPS, range: window.range, filter },
      signal
    )
    const keys = query.by === undefined ? [null] : overall.rows.slice(0, limit).map(row => row.key)
    const narrowed = query.by === undefined ? filter : allOf([filter, anyKey(query.by, keys)])
    const ranges = Array.from({ length: grid.length }, (_, i) => bucketOf(window.range, grid, i))
    const rows = await this.#perBucket(ranges, range =>
      this.#deps.events.vitals(ns.id, { ...requested, range, filter: narrowed }, signal)
    )
    const omitted = Math.max(overall.rows.length - limit, 0)
    const gaps = gapsOf()
    const cut = omitted > 0 ? [`${omitted}${overall.hasMore ? ' and more' : ''} series were omitted because of the limit`] : []
    const series = keys.map(key => ({ key, values: rows.map(bucket => valueAt(bucket, key)) }))
    return {
      ...facts(window, { complete: omitted + gaps.length === 0, warnings: [...cut, ...gaps] }),
      grid,
      series,
      omitted,
      tookMs: clock.monotonicMs() - startedMs
    }
  }

  /** Samples of one vital by its value. */
  async distribution(ns: Namespace, query: VitalDistributionQuery, signal: AbortSignal): Promise<VitalDistribution> {
    const { events } = this.#deps
    const bounds = { least: 3, most: MAX_VALUE_BUCKETS, otherwise: DEFAULT_VALUE_BUCKETS }
    const vital = { name: query.vital, bounds: vitalBounds(query.vital, boundedCount(query.buckets, 'buckets', bounds)) }
    const { range } = this.#window(ns, query)
    const { startNs, stepNs, length } = gridOf(range, 1)
    const grid = { startNs, stepNs, count: length }
    const request = { range, filter: rumFilter(query.conditions), groupBy: [], grid, vital, limit: 1 }
    const { rows } = await events.pageViews(ns.id, request, signal)
    const counts = rows[0]?.buckets?.map(perTime => perTime.reduce((sum, count) => sum + count, 0))
    return { vital: query.vital, bounds: vital.bounds, counts: counts ?? [...vital.bounds.map(() => 0), 0] }
  }

  /** Events, newest first. */
  async list(ns: Namespace, query: RumListQuery, signal: AbortSignal): Promise<RumListResult> {
    const { clock, cursors, events, settings } = this.#deps
    const startedMs = clock.monotonicMs()
    const filter = rumFilter(query.conditions)
    const page = new ListPage({ codec: cursors, settings }, { list: 'rum', namespace: ns.id, filter }, query)
    const window = page.resumed ? clipToRetention(page.resumed, this.#place(ns)) : this.#window(ns, query)
    const rows = page.request()
    const request = { range: window.range, filter, ...(rows && { rows }), ...(query.total && { total: true }) }
    const found = await events.searchRum(ns.id, request, signal)
    return {
      ...page.paged(found, window.requested, rumBytes),
      ...facts(window, found),
      total: found.total ?? null,
      tookMs: clock.monotonicMs() - startedMs
    }
  }

  /** What the store knows to lack, before the reads and behind them. */
  #gapsAround(ns: Namespace, { range }: ReadWindow): () => readonly Warning[] {
    return gapsAround(() => this.#deps.events.gaps?.(ns.id, 'rum', range))
  }

  async #perBucket(
    ranges: readonly TimeRange[],
    load: (range: TimeRange) => Promise<{ readonly rows: readonly VitalsRow[] }>
  ): Promise<readonly (readonly VitalsRow[])[]> {
    const found: (readonly VitalsRow[])[] = []
    for (let i = 0; i < ranges.length; i += BUCKETS_AT_ONCE) {
      const results = await Promise.all(ranges.slice(i, i + BUCKETS_AT_ONCE).map(load))
      found.push(...results.map(result => result.rows))
    }
    return found
  }

  #place(namespace: Namespace) {
    return { namespace, signal: 'rum', nowNs: this.#deps.clock.nowNs() } as const
  }

  #window(ns: Namespace, query: { readonly start?: unknown; readonly end?: unknown }): ReadWindow {
    return readWindow(query, this.#place(ns), DAY_MS)
  }
}

function facts(
  window: ReadWindow,
  found: { readonly complete: boolean; readonly warnings: readonly Warning[] } = { complete: true, warnings: [] }
): { readonly window: ResolvedWindow; readonly complete: boolean; readonly warnings: readonly Warning[] } {
  const complete = window.warnings.length === 0 && found.complete
  return { window: window.requested, complete, warnings: [...window.warnings, ...found.warnings] }
}

/** Events of any of these groups; a null key selects those without the field. */
function anyKey(by: RumDimension, keys: readonly (string | null)[]): Filter {
  const field: Field = { in: 'known', name: RUM_DIMENSIONS[by] }
  const values = keys.filter(key => key !== null)
  const named: Filter = { kind: 'in', field, values }
  return keys.includes(null) ? { kind: 'or', of: [named, { kind: 'not', of: { kind: 'exists', field } }] } : named
}

function bucketOf(range: TimeRange, grid: { readonly stepNs: bigint }, index: number): TimeRange {
  const startNs = range.startNs + grid.stepNs * BigInt(index)
  const endNs = startNs + grid.stepNs
  return { startNs, endNs: endNs < range.endNs ? endNs : range.endNs }
}

function valueAt(rows: readonly VitalsRow[], key: string | null): number | null {
  return rows.find(row => row.key === key)?.vitals[0]?.percentiles[0] ?? null
}
