import { GatewayError, isGatewayError } from '../../domain/errors.js'
import type { Namespace } from '../../domain/namespace.js'
import type { StoredLog } from '../../domain/records/log.js'
import type { Clock } from '../../ports/clock.js'
import type { LogStore } from '../../ports/log-store.js'
import type { Timers } from '../../ports/timers.js'
import { pause } from '../../threads/pause.js'
import { boundedCount } from '../bounds.js'
import { logFilter, type LogConditions } from '../conditions.js'
import { queryTimeout } from '../timed-pages.js'
import {
  IDLE_DELIVERY_MS,
  MAX_DELIVERY_ROWS,
  MAX_EVERY_MS,
  MAX_FAILURES,
  MIN_EVERY_MS,
  READ_TIMEOUT_MS,
  RETRY_MS
} from './limits.js'
import type { TailCursors } from './tail-cursor.js'
import { TailReader, type TailRead } from './tail-reader.js'
import type { TailReads } from './tail-reads.js'

/** What to follow. */
export interface TailQuery {
  readonly conditions: LogConditions
  /** Cursor of an earlier delivery; absent: records that arrive from now on. */
  readonly after?: string | undefined
  /** Shortest time between two deliveries, in milliseconds. */
  readonly everyMs: number
  /** Records of one delivery. */
  readonly max: number
}

/** New records, oldest event first. */
export interface TailDelivery {
  readonly rows: readonly StoredLog[]
  /** Matching records that were left out since the delivery before. */
  readonly dropped: number
  /** Where to resume after this delivery. */
  readonly cursor: string
}

/** A tail that has begun. */
export interface OpenTail {
  /** Where it begins: resumes before the first delivery. */
  readonly cursor: string
  readonly deliveries: AsyncGenerator<TailDelivery, void>
}

/** Dependencies of `LogTail`. */
export interface LogTailDeps {
  readonly logs: Pick<LogStore, 'search'>
  readonly clock: Clock
  readonly timers: Timers
  readonly reads: TailReads
  readonly cursors: TailCursors
}

/** Faults that pass: the tail repeats the read. */
const PASSING: ReadonlySet<string> = new Set(['store_unavailable', 'overloaded', 'query_timeout'])

function checkedEvery(everyMs: number): number {
  if (everyMs >= MIN_EVERY_MS && everyMs <= MAX_EVERY_MS) return everyMs
  throw new GatewayError('invalid_field', `every must be from ${MIN_EVERY_MS}ms to ${MAX_EVERY_MS / 1000}s`, { field: 'every' })
}

/**
 * Follows the logs of a namespace as they arrive at any gateway, for GraphQL and streams of events. A tail reads
 * the store when its consumer requests the next delivery, so that a slow consumer costs nothing; what it misses is counted.
 */
export class LogTail {
  readonly #deps: LogTailDeps

  constructor(deps: LogTailDeps) {
    this.#deps = deps
  }

  /** Throws `invalid_field`, `invalid_query` and `query_unsupported` at once; ends with the signal. */
  open(ns: Namespace, query: TailQuery, signal: AbortSignal): OpenTail {
    const { logs: store, clock, cursors } = this.#deps
    const filter = logFilter(query.conditions)
    const everyMs = checkedEvery(query.everyMs)
    const maxRows = boundedCount(query.max, 'max', { least: 1, most: MAX_DELIVERY_ROWS, otherwise: MAX_DELIVERY_ROWS })
    const resumed = query.after === undefined ? null : cursors.decode(ns.id, filter, query.after)
    const reader = new TailReader({ store, clock }, { ns, filter, maxRows, resumed })
    const cursor = (): string => cursors.encode(ns.id, filter, reader.state)
    return { cursor: cursor(), deliveries: this.#deliver(reader, { ns, everyMs, cursor }, signal) }
  }

  async *#deliver(
    reader: TailReader,
    { ns, everyMs, cursor }: { readonly ns: Namespace; readonly everyMs: number; readonly cursor: () => string },
    signal: AbortSignal
  ): AsyncGenerator<TailDelivery, void> {
    const { clock, timers } = this.#deps
    let deliveredMs = clock.monotonicMs()
    let dropped = 0
    for (;;) {
      await pause(timers, everyMs, signal)
      const read = await this.#read(reader, ns, signal)
      dropped += read.dropped
      const isIdle = read.rows.length === 0 && dropped === 0
      if (isIdle && clock.monotonicMs() - deliveredMs < IDLE_DELIVERY_MS) continue
      deliveredMs = clock.monotonicMs()
      yield { rows: read.rows, dropped, cursor: cursor() }
      dropped = 0
    }
  }

  async #read(reader: TailReader, ns: Namespace, signal: AbortSignal): Promise<TailRead> {
    for (let failures = 1; ; failures++) {
      try {
        return await this.#deps.reads.run(ns.id, signal, () => this.#readInTime(reader, signal))
      } catch (error) {
        signal.throwIfAborted()
        if (!isGatewayError(error) || !PASSING.has(error.code) || failures >= MAX_FAILURES) throw error
        await pause(this.#deps.timers, RETRY_MS * failures, signal)
      }
    }
  }

  async #readInTime(reader: TailReader, signal: AbortSignal): Promise<TailRead> {
    const late = new AbortController()
    const cancel = this.#deps.timers.after(READ_TIMEOUT_MS, () => late.abort(queryTimeout(READ_TIMEOUT_MS)))
    try {
      return await reader.read(AbortSignal.any([signal, late.signal]))
    } finally {
      cancel()
    }
  }
}
