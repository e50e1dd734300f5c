import { unreachable } from '../domain/errors.js'
import { MATCH_ALL } from '../domain/filter.js'
import type { Namespace } from '../domain/namespace.js'
import type { Clock } from '../ports/clock.js'
import type { EventStore } from '../ports/event-store.js'
import type { LogStore } from '../ports/log-store.js'
import type { TraceStore } from '../ports/trace-store.js'
import { wholeRetention } from './read-window.js'

/** Signals whose records are kept in the order of their time. */
export type OrderedSignal = 'logs' | 'spans' | 'rum' | 'errors'

/** What `NewestRecord` needs. */
export interface NewestRecordDeps {
  readonly logs: Pick<LogStore, 'search'>
  readonly traces: Pick<TraceStore, 'searchSpans'>
  readonly events: Pick<EventStore, 'searchRum' | 'searchErrors'>
  readonly clock: Clock
}

/** How far a signal of a namespace reaches: an empty response is explained by it, and the lag of ingest is seen in it. */
export class NewestRecord {
  readonly #deps: NewestRecordDeps

  constructor(deps: NewestRecordDeps) {
    this.#deps = deps
  }

  /** Time of the newest record that a query can find now; null without a record within the retention. */
  async at(ns: Namespace, signal: OrderedSignal, abort: AbortSignal): Promise<bigint | null> {
    const retained = signal === 'spans' ? 'traces' : signal
    const { range } = wholeRetention({ namespace: ns, signal: retained, nowNs: this.#deps.clock.nowNs() })
    const request = { range, filter: MATCH_ALL, rows: { limit: 1, order: 'desc' } } as const
    const { rows = [] } = await this.#search(signal)(ns.id, request, abort)
    return rows[0]?.timestampNs ?? null
  }

  #search(signal: OrderedSignal) {
    const { logs, traces, events } = this.#deps
    switch (signal) {
      case 'logs':
        return logs.search.bind(logs)
      case 'spans':
        return traces.searchSpans.bind(traces)
      case 'rum':
        return events.searchRum.bind(events)
      case 'errors':
        return events.searchErrors.bind(events)
      default:
        return unreachable(signal)
    }
  }
}
