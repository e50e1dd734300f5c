import type { NamespaceId } from '../../domain/ids.js'
import type { Clock } from '../../ports/clock.js'
import { BoundedMap } from '../../threads/bounded-map.js'

/** Share of the time that the measures of one namespace are computed, in the long run. */
export const TURN_SHARE = 0.25
/** What a namespace may compute at once, after a rest. */
export const TURN_BURST_MS = 5_000
/** Namespaces that are remembered: those that computed last. */
const MOST_NAMESPACES = 10_000

interface Spent {
  readonly ms: number
  readonly atMs: number
}

/**
 * Bounds the time for which the measures of a namespace are computed. Beyond it they fall behind, and then compute several steps at
 * once, which costs less.
 */
export class TurnBudget {
  readonly #clock: Pick<Clock, 'monotonicMs'>
  readonly #spent = new BoundedMap<NamespaceId, Spent>(MOST_NAMESPACES)

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock
  }

  /** Whether a namespace may compute now. */
  has(ns: NamespaceId): boolean {
    return this.#owed(ns) < TURN_BURST_MS
  }

  /** Counts what a turn took, milliseconds. */
  spend(ns: NamespaceId, tookMs: number): void {
    this.#spent.set(ns, { ms: this.#owed(ns) + tookMs, atMs: this.#clock.monotonicMs() })
  }

  /** What a namespace spent and did not earn back yet, milliseconds. */
  #owed(ns: NamespaceId): number {
    const spent = this.#spent.get(ns)
    if (spent === undefined) return 0
    return Math.max(0, spent.ms - (this.#clock.monotonicMs() - spent.atMs) * TURN_SHARE)
  }
}
