import type { RecordCondition } from '../../../domain/alerts/alert-rule.js'
import { MATCH_ALL } from '../../../domain/filter.js'
import type { Label } from '../../../domain/metric-point.js'
import type { Namespace } from '../../../domain/namespace.js'
import type { HistogramSeries } from '../../../domain/search.js'
import type { Clock } from '../../../ports/clock.js'
import type { LogStore } from '../../../ports/log-store.js'
import { logFilter } from '../../../query/conditions.js'
import { keptRange } from '../../../query/read-window.js'
import { fieldOf, LOG_VOCABULARY } from '../../../query/vocabulary.js'
import { checkComplete, type Snapshot } from './snapshot.js'
import { bucketsOf, partsWithinBuckets, rangeOf, type WindowGrid, windowGrid, windowSum } from './window-grid.js'

/** Dependencies of `LogSource`. */
export interface LogSourceDeps {
  readonly logs: Pick<LogStore, 'search'>
  readonly clock: Pick<Clock, 'nowNs'>
}

/** Counts logs in windows that end at the requested times, their ends exclusive; for `isCountOfLogs` alone. */
export class LogSource {
  readonly #deps: LogSourceDeps

  constructor(deps: LogSourceDeps) {
    this.#deps = deps
  }

  /** A count of zero is data: a source without logs is not a source without data. Throws `IncompleteRead`, and what the store throws. */
  async snapshots(
    ns: Namespace,
    { query, groupBy, windowMs }: RecordCondition,
    times: readonly number[],
    signal: AbortSignal
  ): Promise<readonly Snapshot[]> {
    const snapshots: Snapshot[] = []
    const [by] = groupBy
    for (const part of partsWithinBuckets(times, windowMs)) {
      const grid = windowGrid(part, windowMs)
      const found = await this.#counts(ns, { query, by, grid }, signal)
      const series = found.map(({ key, counts }) => {
        const isNamed = by !== undefined && key !== null
        return { labels: isNamed ? [{ name: by, value: key }] : [], counts }
      })
      snapshots.push(...part.map((_, i) => snapshotOf(series, grid, i, by !== undefined)))
    }
    return snapshots
  }

  /** Counts on a grid, by the values of a field. */
  async #counts(
    ns: Namespace,
    { query, by, grid }: { readonly query: string; readonly by: string | undefined; readonly grid: WindowGrid },
    signal: AbortSignal
  ): Promise<readonly HistogramSeries[]> {
    const { logs, clock } = this.#deps
    const range = keptRange(rangeOf(grid), { namespace: ns, signal: 'logs', nowNs: clock.nowNs() })
    if (range.startNs >= range.endNs) return []
    const filter = query.trim() === '' ? MATCH_ALL : logFilter({ query })
    const histogram = { ...bucketsOf(grid), ...(by !== undefined && { by: fieldOf(LOG_VOCABULARY, by) }) }
    const found = await logs.search(ns.id, { range, filter, histogram }, signal)
    checkComplete(found, 'logs are missing')
    return found.histogram ?? []
  }
}

/** Counts of one value, with labels that all times share. */
interface CountedLogs {
  readonly labels: readonly Label[]
  readonly counts: readonly number[]
}

function snapshotOf(series: readonly CountedLogs[], grid: WindowGrid, index: number, isGrouped: boolean): Snapshot {
  if (!isGrouped) {
    const value = series.reduce((sum, { counts }) => sum + windowSum(counts, grid, index), 0)
    return { elements: [{ labels: [], value }], hasData: true }
  }
  const elements = series.flatMap(({ labels, counts }) => {
    const value = windowSum(counts, grid, index)
    return value === 0 ? [] : [{ labels, value }]
  })
  return { elements, hasData: true }
}
