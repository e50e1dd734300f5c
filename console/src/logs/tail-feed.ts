import type { ApiError } from '../api/errors.js'
import { type LogFilter, LogTailDocument, type LogTailSubscription } from '../api/generated/LogTail.js'
import type { Subscribe, Unsubscribe } from '../api/subscribe.js'
import type { LogRow } from './use-log-search.js'

/** Latest records that a live tail keeps. */
export const MAX_TAIL_ROWS = 10_000
/**
 * Ids that a live tail remembers: one that resumes on a busy service gets up to 50,000 records again, among as many new ones.
 */
const MAX_KNOWN_IDS = 10 * MAX_TAIL_ROWS
/** The service delivers at least every 5 s: without a delivery for so long the connection is lost. */
const SILENCE_MS = 15_000
const FIRST_RETRY_MS = 500
const MAX_RETRY_MS = 8_000

/** What a live tail shows. */
export interface TailState {
  /** `lost` connects again by itself, `failed` does not. */
  readonly status: 'connecting' | 'live' | 'lost' | 'failed'
  /** Oldest first, at most `MAX_TAIL_ROWS`. */
  readonly rows: readonly LogRow[]
  /** Records that arrived since the start. */
  readonly received: number
  /** Records that the service left out. */
  readonly dropped: number
  /** Why it is `lost` or `failed`. */
  readonly error: ApiError | null
  /** Whether it went on after a lost connection, and whether records of the meantime can be missing. */
  readonly resumed: 'complete' | 'from now' | null
}

/** Timers of the browser. */
export interface FeedTimers {
  /** Calls `run` after `ms`, unless the returned function is called first. */
  readonly after: (ms: number, run: () => void) => () => void
}

const EMPTY: TailState = { status: 'connecting', rows: [], received: 0, dropped: 0, error: null, resumed: null }

/** Follows the logs of one filter; connects again by cursor and shows each record once. */
export class TailFeed {
  readonly #subscribe: Subscribe
  readonly #timers: FeedTimers
  readonly #namespace: string
  readonly #filter: LogFilter
  readonly #listeners = new Set<() => void>()
  readonly #ids = new Set<string>()
  #state: TailState = EMPTY
  #cursor: string | null = null
  #failures = 0
  #stop: Unsubscribe = () => undefined
  #cancelTimer: () => void = () => undefined

  constructor(subscribe: Subscribe, timers: FeedTimers, search: { readonly namespace: string; readonly filter: LogFilter }) {
    this.#subscribe = subscribe
    this.#timers = timers
    this.#namespace = search.namespace
    this.#filter = search.filter
  }

  /** The current state; the same object until it changes. */
  readonly state = (): TailState => this.#state

  /** Calls `listener` after each change of the state. Returns the function that ends this. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Connects. Also after `stop`: the tail goes on where it was. */
  start(): void {
    this.#expectDelivery()
    this.#stop = this.#subscribe(LogTailDocument, { filter: this.#filter, after: this.#cursor }, this.#namespace, {
      onOpen: () => this.#opened(),
      onNext: result => this.#take(result),
      onEnd: error => this.#lost(error)
    })
  }

  /** Disconnects. */
  stop(): void {
    this.#cancelTimer()
    this.#stop()
  }

  #opened(): void {
    this.#expectDelivery()
    if (this.#state.status === 'live') return
    const isBack = this.#state.status === 'lost'
    const resumed = isBack ? (this.#cursor === null ? 'from now' : 'complete') : this.#state.resumed
    this.#change({ status: 'live', error: null, resumed })
  }

  #take({ logTail: { records, cursor, dropped } }: LogTailSubscription): void {
    this.#failures = 0
    this.#cursor = cursor
    this.#expectDelivery()
    const fresh = records.filter(({ id }) => !this.#ids.has(id))
    if (fresh.length === 0 && dropped === 0) return
    this.#remember(fresh)
    this.#change({
      rows: [...this.#state.rows, ...fresh].slice(-MAX_TAIL_ROWS),
      received: this.#state.received + fresh.length,
      dropped: this.#state.dropped + dropped
    })
  }

  #remember(fresh: readonly LogRow[]): void {
    for (const { id } of fresh) this.#ids.add(id)
    for (const earliest of this.#ids) {
      if (this.#ids.size <= MAX_KNOWN_IDS) return
      this.#ids.delete(earliest)
    }
  }

  #lost(error: ApiError): void {
    this.#cancelTimer()
    if (error.retryAfterMs === null) {
      this.#change({ status: 'failed', error })
      return
    }
    this.#change({ status: 'lost', error, resumed: null })
    const waitMs = Math.min(FIRST_RETRY_MS * 2 ** this.#failures, MAX_RETRY_MS)
    this.#failures++
    this.#cancelTimer = this.#timers.after(waitMs, () => this.start())
  }

  /** A connection that ends without a word is closed here. */
  #expectDelivery(): void {
    this.#cancelTimer()
    this.#cancelTimer = this.#timers.after(SILENCE_MS, () => {
      this.#stop()
      this.#change({ status: 'lost', resumed: null })
      this.start()
    })
  }

  #change(changes: Partial<TailState>): void {
    this.#state = { ...this.#state, ...changes }
    for (const listener of this.#listeners) listener()
  }
}
