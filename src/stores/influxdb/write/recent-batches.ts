import type { IngestId, NamespaceId } from '../../../domain/ids.js'
import type { AppendResult } from '../../../ports/append.js'
import { repeatOf } from '../../shared/repeat-of.js'

/**
 * The outcomes of the latest requests of this process, so that a repeat is answered as one and does not put back a value
 * that was replaced since. InfluxDB remembers no request: after a restart, on another gateway, or behind so many later
 * requests, a repeat stores the same points again, which are then the same samples.
 */
export class RecentBatches {
  readonly #maxBatches: number
  readonly #outcomes = new Map<string, AppendResult>()
  readonly #running = new Map<string, Promise<AppendResult>>()

  constructor(maxBatches: number) {
    this.#maxBatches = maxBatches
  }

  /** Runs the append unless it was done, or is in flight; a failed one may be tried again. */
  async once(ns: NamespaceId, ingestId: IngestId, append: () => Promise<AppendResult>): Promise<AppendResult> {
    const key = `${ns} ${ingestId}`
    const first = this.#outcomes.get(key) ?? this.#running.get(key)
    if (first) return repeatOf(await first)
    const running = append()
    this.#running.set(key, running)
    try {
      const outcome = await running
      this.#remember(key, outcome)
      return outcome
    } finally {
      this.#running.delete(key)
    }
  }

  #remember(key: string, outcome: AppendResult): void {
    this.#outcomes.set(key, outcome)
    if (this.#outcomes.size <= this.#maxBatches) return
    const [oldest] = this.#outcomes.keys()
    this.#outcomes.delete(oldest!)
  }
}
