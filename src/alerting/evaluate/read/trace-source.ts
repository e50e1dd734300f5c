import type { AlertCondition, TraceAggregate } from '../../../domain/alerts/alert-rule.js'
import type { VectorElement } from '../../../domain/alerts/alert-state.js'
import { allOf, type Filter, MATCH_ALL } from '../../../domain/filter.js'
import type { Label } from '../../../domain/metric-point.js'
import type { Namespace } from '../../../domain/namespace.js'
import type { Clock } from '../../../ports/clock.js'
import type { SpanStatsRow, TraceStore } from '../../../ports/trace-store.js'
import { BY_SERVICE, ofServices, ROOTS, SERVED } from '../../../query/apm/request-spans.js'
import { keptRange } from '../../../query/read-window.js'
import { checkComplete, IncompleteRead, type Snapshot } from './snapshot.js'
import { bucketsOf, partsWithinBuckets, rangeOf, type WindowGrid, windowGrid, windowSum } from './window-grid.js'

/** Dependencies of `TraceSource`. */
export interface TraceSourceDeps {
  readonly traces: Pick<TraceStore, 'stats'>
  readonly clock: Pick<Clock, 'nowNs'>
}

type TraceCondition = Extract<AlertCondition, { kind: 'traces' }>
type Percentile = Exclude<TraceAggregate, 'rate' | 'error_rate'>

const PERCENTILES: Readonly<Record<Percentile, number>> = { p50: 0.5, p90: 0.9, p95: 0.95, p99: 0.99 }
/** Services of one condition; more are an error. */
const MAX_SERVICES = 1_000
const NS_PER_MS = 1e6
const MS_PER_S = 1_000

/** Requests of one service in the windows of a grid. */
type Rows = ReadonlyMap<string, SpanStatsRow>

/**
 * Rates, errors and durations of the requests of services. As on the page of services, requests are spans of kind server and
 * consumer, and of a service that has none in a window its spans without a parent.
 */
export class TraceSource {
  readonly #deps: TraceSourceDeps

  constructor(deps: TraceSourceDeps) {
    this.#deps = deps
  }

  /** Throws `IncompleteRead`, and what the store throws. */
  async snapshots(
    ns: Namespace,
    condition: TraceCondition,
    times: readonly number[],
    signal: AbortSignal
  ): Promise<readonly Snapshot[]> {
    // Percentiles of windows that overlap are not made of those of their parts.
    const isAdditive = condition.agg === 'rate' || condition.agg === 'error_rate'
    const parts = isAdditive ? partsWithinBuckets(times, condition.windowMs) : times.map(time => [time])
    const snapshots: Snapshot[] = []
    for (const part of parts) {
      const grid = windowGrid(part, condition.windowMs)
      const served = await this.#rows(ns, condition, SERVED, grid, signal)
      const roots = await this.#rows(ns, condition, ROOTS, grid, signal)
      snapshots.push(...part.map((_, i) => snapshotOf(condition, [served, roots], grid, i)))
    }
    return snapshots
  }

  async #rows(ns: Namespace, condition: TraceCondition, which: Filter, grid: WindowGrid, signal: AbortSignal): Promise<Rows> {
    const { traces, clock } = this.#deps
    const range = keptRange(rangeOf(grid), { namespace: ns, signal: 'traces', nowNs: clock.nowNs() })
    if (range.startNs >= range.endNs) return new Map()
    const { service, operation, agg } = condition
    const ofService = service === null ? MATCH_ALL : ofServices([service])
    const ofOperation: Filter =
      operation === null ? MATCH_ALL : { kind: 'eq', field: { in: 'known', name: 'name' }, value: operation }
    const percentiles = agg === 'rate' || agg === 'error_rate' ? [] : [PERCENTILES[agg]]
    const filter = allOf([which, ofService, ofOperation])
    const request = { range, filter, groupBy: BY_SERVICE, percentiles, limit: MAX_SERVICES, grid: bucketsOf(grid) }
    const found = await traces.stats(ns.id, request, signal)
    checkComplete(found, 'spans are missing')
    if (found.hasMore) throw new IncompleteRead([], `the condition has more than ${MAX_SERVICES} services; name one`)
    return new Map(found.rows.map(row => [row.key[0] ?? '', row] as const))
  }
}

function labelsOf(service: string, operation: string | null): readonly Label[] {
  return [
    ...(operation === null ? [] : [{ name: 'operation', value: operation }]),
    ...(service === '' ? [] : [{ name: 'service', value: service }])
  ]
}

function snapshotOf(
  condition: TraceCondition,
  [served, roots]: readonly [Rows, Rows],
  grid: WindowGrid,
  index: number
): Snapshot {
  const elements = [...new Set([...served.keys(), ...roots.keys()])].flatMap((service): readonly VectorElement[] => {
    const value = valueOf(condition, rowAt([served.get(service), roots.get(service)], grid, index), grid, index)
    return value === null ? [] : [{ labels: labelsOf(service, condition.operation), value }]
  })
  if (elements.length > 0) return { elements, hasData: true }
  // A service that is named has a rate, be it zero; it has no errors and no durations without calls.
  const isZero = condition.service !== null && condition.agg === 'rate'
  const zero = { labels: labelsOf(condition.service ?? '', condition.operation), value: 0 }
  return { elements: isZero ? [zero] : [], hasData: isZero }
}

/** The first of the rows that has spans in the window. */
function rowAt(rows: readonly (SpanStatsRow | undefined)[], grid: WindowGrid, index: number): SpanStatsRow | undefined {
  return rows.find(row => row !== undefined && windowSum(row.grid?.spans ?? [], grid, index) > 0)
}

function valueOf(
  { agg, windowMs }: TraceCondition,
  row: SpanStatsRow | undefined,
  grid: WindowGrid,
  index: number
): number | null {
  if (row === undefined) return null
  const calls = windowSum(row.grid?.spans ?? [], grid, index)
  if (agg === 'rate') return calls / (windowMs / MS_PER_S)
  if (agg === 'error_rate') return windowSum(row.grid?.errors ?? [], grid, index) / calls
  const [percentileNs] = row.percentilesNs
  return percentileNs == null ? null : percentileNs / NS_PER_MS
}
