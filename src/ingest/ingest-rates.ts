import { GatewayError } from '../domain/errors.js'
import type { NamespaceId } from '../domain/ids.js'
import type { Clock } from '../ports/clock.js'
import type { UsageDelta } from '../ports/usage-ledger.js'
import type { Timers } from '../ports/timers.js'
import { pause } from '../threads/pause.js'

const MIN_EVERY_MS = 1_000
const MAX_EVERY_MS = 60_000
const MS_PER_S = 1_000

/** Records per second that this gateway accepted or rejected for one namespace. */
export interface IngestRate {
  /** Unix milliseconds. */
  readonly atMs: number
  readonly logsPerSecond: number
  readonly spansPerSecond: number
  readonly pointsPerSecond: number
  readonly rumPerSecond: number
  readonly rejectedPerSecond: number
}

type Counts = Record<UsageDelta['signal'] | 'rejected', number>

function noCounts(): Counts {
  return { logs: 0, metrics: 0, rum: 0, errors: 0, spans: 0, rejected: 0 }
}

/** Measures the ingest of namespaces that a client follows. */
export class IngestRates {
  readonly #clock: Clock
  readonly #timers: Timers
  readonly #followed = new Map<NamespaceId, Set<Counts>>()

  constructor(clock: Clock, timers: Timers) {
    this.#clock = clock
    this.#timers = timers
  }

  /** Counts one request. */
  count(ns: NamespaceId, signal: UsageDelta['signal'], { stored, rejected }: Pick<UsageDelta, 'stored' | 'rejected'>): void {
    for (const counts of this.#followed.get(ns) ?? []) {
      counts[signal] += stored
      counts.rejected += rejected
    }
  }

  /** A value each `everyMs` until the signal ends. Throws `invalid_field`. */
  async *follow(ns: NamespaceId, everyMs: number, signal: AbortSignal): AsyncGenerator<IngestRate, void> {
    if (!(everyMs >= MIN_EVERY_MS && everyMs <= MAX_EVERY_MS))
      throw new GatewayError('invalid_field', 'every must be from 1s to 1m', { field: 'every' })
    const counts = noCounts()
    const all = this.#followed.get(ns) ?? new Set()
    this.#followed.set(ns, all.add(counts))
    try {
      for (;;) {
        const startedMs = this.#clock.monotonicMs()
        await pause(this.#timers, everyMs, signal)
        const seconds = Math.max(1, this.#clock.monotonicMs() - startedMs) / MS_PER_S
        const { logs, spans, metrics, rum, rejected } = counts
        Object.assign(counts, noCounts())
        yield {
          atMs: this.#clock.nowMs(),
          logsPerSecond: logs / seconds,
          spansPerSecond: spans / seconds,
          pointsPerSecond: metrics / seconds,
          rumPerSecond: rum / seconds,
          rejectedPerSecond: rejected / seconds
        }
      }
    } finally {
      all.delete(counts)
      if (all.size === 0 && this.#followed.get(ns) === all) this.#followed.delete(ns)
    }
  }
}
