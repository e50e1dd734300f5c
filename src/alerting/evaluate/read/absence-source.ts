import type { AlertCondition } from '../../../domain/alerts/alert-rule.js'
import type { VectorElement } from '../../../domain/alerts/alert-state.js'
import { type Filter, MATCH_ALL } from '../../../domain/filter.js'
import type { Label } from '../../../domain/metric-point.js'
import type { Namespace } from '../../../domain/namespace.js'
import type { HistogramSeries, SearchRequest, SearchResult } from '../../../domain/search.js'
import type { Clock } from '../../../ports/clock.js'
import type { LogStore } from '../../../ports/log-store.js'
import type { TraceStore } from '../../../ports/trace-store.js'
import { logFilter } from '../../../query/conditions.js'
import type { VectorSelector } from '../../../query/promql/syntax/ast.js'
import { keptRange } from '../../../query/read-window.js'
import { emptyExpression, lastValues, sourcesExpression } from './absence-expressions.js'
import type { PromqlSource } from './promql-source.js'
import { checkComplete, type Snapshot } from './snapshot.js'
import { bucketsOf, partsWithinBuckets, rangeOf, type WindowGrid, windowGrid, windowSum } from './window-grid.js'

/** Dependencies of `AbsenceSource`. */
export interface AbsenceSourceDeps {
  readonly logs: Pick<LogStore, 'search'>
  readonly traces: Pick<TraceStore, 'searchSpans'>
  readonly promql: PromqlSource
  readonly parse: (query: string) => VectorSelector
  readonly clock: Pick<Clock, 'nowNs'>
}

type Absence = Extract<AlertCondition, { kind: 'absence' }>
type Named = Extract<Absence['of'], { kind: 'host' | 'service' }>
/** Which sources sent something in a window, with what they sent. */
type Sent = ReadonlyMap<string, VectorElement>

/** A source is known for so long before the time that it may be silent. */
export const KNOWN_MS = 3_600_000

const EMPTY: Sent = new Map()

function keyOf(labels: readonly Label[]): string {
  return JSON.stringify(labels)
}

function byLabels(elements: readonly VectorElement[]): Sent {
  return new Map(elements.map(element => [keyOf(element.labels), element] as const))
}

/**
 * Sources that are silent. The value of a missing series is its last one; of everything else it is 1. A source that the
 * condition names is missing also when it never sent anything; of several sources, those are that sent within the hour before.
 */
export class AbsenceSource {
  readonly #deps: AbsenceSourceDeps

  constructor(deps: AbsenceSourceDeps) {
    this.#deps = deps
  }

  /** Throws `IncompleteRead`, and what the stores throw. */
  async snapshots(
    ns: Namespace,
    { of, forMs }: Absence,
    times: readonly number[],
    signal: AbortSignal
  ): Promise<readonly Snapshot[]> {
    if (of.kind === 'metric') return this.#ofSeries(ns, this.#deps.parse(of.query), { forMs, times }, signal)
    if (of.kind === 'logs') return this.#ofLogs(ns, of.query, { forMs, times }, signal)
    const name = of.kind === 'host' ? of.host : of.service
    const now = await this.#sources(ns, of, { windowMs: forMs, times }, signal)
    if (name !== null) {
      const named = byLabels([{ labels: [{ name: of.kind, value: name }], value: 1 }])
      return now.map(present => missing(named, present))
    }
    const known = await this.#sources(ns, of, { windowMs: forMs + KNOWN_MS, times }, signal)
    return now.map((present, i) => missing(known[i]!, present))
  }

  async #ofSeries(
    ns: Namespace,
    selector: VectorSelector,
    { forMs, times }: { readonly forMs: number; readonly times: readonly number[] },
    signal: AbortSignal
  ): Promise<readonly Snapshot[]> {
    const { promql } = this.#deps
    const now = await promql.vectors(ns, lastValues(selector, forMs), times, signal)
    const known = await promql.vectors(ns, lastValues(selector, forMs + KNOWN_MS), times, signal)
    // As `absent()`: without any series, the selector itself is what is missing.
    const whole = byLabels([emptyExpression(selector)])
    return now.map((present, i) => {
      const before = byLabels(known[i]!)
      return missing(before.size > 0 ? before : whole, byLabels(present))
    })
  }

  async #ofLogs(
    ns: Namespace,
    query: string,
    { forMs, times }: { readonly forMs: number; readonly times: readonly number[] },
    signal: AbortSignal
  ): Promise<readonly Snapshot[]> {
    const { logs } = this.#deps
    const filter = query.trim() === '' ? MATCH_ALL : logFilter({ query })
    const search = { signal: 'logs', run: logs.search.bind(logs), filter, by: null } as const
    const counted = await this.#counted(ns, search, { windowMs: forMs, times }, signal)
    const whole = byLabels([{ labels: [], value: 1 }])
    return counted.map(present => missing(whole, present))
  }

  /** Sources that sent logs, spans or samples in the window before each time. */
  async #sources(
    ns: Namespace,
    of: Named,
    windows: { readonly windowMs: number; readonly times: readonly number[] },
    signal: AbortSignal
  ): Promise<readonly Sent[]> {
    const { logs, traces, promql } = this.#deps
    const by = of.kind
    const name = of.kind === 'host' ? of.host : of.service
    const field = { in: 'known', name: by } as const
    const filter: Filter = name === null ? { kind: 'exists', field } : { kind: 'eq', field, value: name }
    const [ofLogs, ofSpans, ofSeries] = await Promise.all([
      this.#counted(ns, { signal: 'logs', run: logs.search.bind(logs), filter, by }, windows, signal),
      this.#counted(ns, { signal: 'traces', run: traces.searchSpans.bind(traces), filter, by }, windows, signal),
      promql.vectors(ns, sourcesExpression(by, name, windows.windowMs), windows.times, signal)
    ])
    return windows.times.map((_, i) => {
      const series = ofSeries[i]!.map(({ labels }) => ({ labels, value: 1 }))
      return new Map([...byLabels(series), ...ofLogs[i]!, ...ofSpans[i]!])
    })
  }

  async #counted(
    ns: Namespace,
    search: {
      readonly signal: 'logs' | 'traces'
      readonly run: (ns: Namespace['id'], request: SearchRequest, signal: AbortSignal) => Promise<SearchResult<unknown>>
      readonly filter: Filter
      readonly by: 'host' | 'service' | null
    },
    { windowMs, times }: { readonly windowMs: number; readonly times: readonly number[] },
    signal: AbortSignal
  ): Promise<readonly Sent[]> {
    const { run, filter, by } = search
    const all: Sent[] = []
    for (const part of partsWithinBuckets(times, windowMs)) {
      const grid = windowGrid(part, windowMs)
      const range = keptRange(rangeOf(grid), { namespace: ns, signal: search.signal, nowNs: this.#deps.clock.nowNs() })
      if (range.startNs >= range.endNs) {
        all.push(...part.map(() => EMPTY))
        continue
      }
      const histogram = { ...bucketsOf(grid), ...(by !== null && { by: { in: 'known', name: by } as const }) }
      const found = await run(ns.id, { range, filter, histogram }, signal)
      checkComplete(found, `${search.signal} are missing`)
      all.push(...part.map((_, i) => sentAt(found.histogram ?? [], grid, i, by)))
    }
    return all
  }
}

function sentAt(series: readonly HistogramSeries[], grid: WindowGrid, index: number, by: string | null): Sent {
  const seen = series.filter(({ counts, key }) => (by === null || key !== null) && windowSum(counts, grid, index) > 0)
  return byLabels(seen.map(({ key }) => ({ labels: by === null ? [] : [{ name: by, value: key! }], value: 1 })))
}

function missing(known: Sent, present: Sent): Snapshot {
  const elements = [...known].filter(([key]) => !present.has(key)).map(([, element]) => element)
  return { elements, hasData: true, present: [...present.values()] }
}
