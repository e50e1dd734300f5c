import { allOf, type Filter } from '../../domain/filter.js'
import type { Namespace } from '../../domain/namespace.js'
import type { StoredLog } from '../../domain/records/log.js'
import type { Position, SearchResult } from '../../domain/search.js'
import { firstUlidAt } from '../../domain/ulid.js'
import type { Clock } from '../../ports/clock.js'
import type { LogStore } from '../../ports/log-store.js'
import { wholeRetention } from '../read-window.js'
import { MAX_READ_BYTES } from './limits.js'

/** Times of arrival from `fromMs` to before `toMs`, Unix milliseconds. */
export interface ArrivalRange {
  readonly fromMs: number
  readonly toMs: number
}

/** A page of records, oldest event first. */
export interface ArrivalPage {
  readonly rows: readonly StoredLog[]
  readonly hasMore: boolean
}

/** The condition that a log arrived in the range: its ingest id is a ULID. */
function arrivedIn({ fromMs, toMs }: ArrivalRange): Filter {
  return { kind: 'range', field: { in: 'known', name: 'ingest_id' }, gte: firstUlidAt(fromMs), lt: firstUlidAt(toMs) }
}

/** The searchable records of one filter by the time of their arrival, at any gateway and of any event time. */
export class Arrivals {
  readonly #store: Pick<LogStore, 'search'>
  readonly #clock: Clock
  readonly #ns: Namespace
  readonly #filter: Filter

  constructor(
    deps: { readonly store: Pick<LogStore, 'search'>; readonly clock: Clock },
    of: { readonly ns: Namespace; readonly filter: Filter }
  ) {
    this.#store = deps.store
    this.#clock = deps.clock
    this.#ns = of.ns
    this.#filter = of.filter
  }

  /** How many there are. */
  async count(range: ArrivalRange, signal: AbortSignal): Promise<number> {
    const { total } = await this.#search(range, { total: true }, signal)
    return total?.value ?? 0
  }

  /** At most `limit` of them, from after a position on. */
  async page(
    range: ArrivalRange,
    { limit, after }: { readonly limit: number; readonly after: Position | null },
    signal: AbortSignal
  ): Promise<ArrivalPage> {
    const rows = { limit, order: 'asc', maxBytes: MAX_READ_BYTES, ...(after && { after }) } as const
    const found = await this.#search(range, { rows }, signal)
    return { rows: found.rows ?? [], hasMore: found.hasMore === true }
  }

  #search(
    arrival: ArrivalRange,
    parts: { readonly total: true } | { readonly rows: { readonly limit: number; readonly order: 'asc' } },
    signal: AbortSignal
  ): Promise<SearchResult<StoredLog>> {
    const place = { namespace: this.#ns, signal: 'logs', nowNs: this.#clock.nowNs() } as const
    const { range } = wholeRetention(place)
    const filter = allOf([arrivedIn(arrival), this.#filter])
    return this.#store.search(this.#ns.id, { range, filter, ...parts }, signal)
  }
}
