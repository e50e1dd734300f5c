import type { IngestId, NamespaceId } from '../../../domain/ids.js'
import type { AppendResult } from '../../../ports/append.js'
import { BoundedMap } from '../../../threads/bounded-map.js'
import { repeatOf } from '../../shared/repeat-of.js'

/**
 * The outcomes of the latest requests of this process, so that a repeat is recognized and does not restore a value
 * that was replaced since. InfluxDB remembers no request: after a restart, on another gateway, or behind so many later
 * requests, a repeat stores the same points again, which are then the same samples.
 */
export class RecentBatches {
  readonly #outcomes: BoundedMap<string, AppendResult>
  readonly #running = new Map<string, Promise<AppendResult>>()

  constructor(maxBatches: number) {
    this.#outcomes = new BoundedMap(maxBatches)
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
      this.#outcomes.set(key, outcome)
      return outcome
    } finally {
      this.#running.delete(key)
    }
  }
}
