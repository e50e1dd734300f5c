import { OVERFLOW_ID } from '../../domain/log-pattern.js'
import type { AssignedPatterns } from '../../ports/unassigned-logs.js'
import type { MinedLog } from './pattern-keeper.js'

const NS_PER_MS = 1_000_000n

/** Patterns that were found for logs of a part, in the order of their places. */
export class FoundPatterns {
  readonly #places: number[] = []
  readonly #of: number[] = []
  /** Positions of ids. */
  readonly #ids = new Map<string, number>()
  /** Event time of the first log of each pattern, Unix milliseconds. */
  readonly firstSeenMs = new Map<string, number>()
  /** Places of logs without a pattern. */
  readonly #wordless: number[] = []

  /** Logs with a pattern. */
  get count(): number {
    return this.#places.length
  }

  /** Whether logs are beyond the limit of templates. */
  get hasOverflow(): boolean {
    return this.#ids.has(OVERFLOW_ID)
  }

  /** Logs without a pattern up to a place. */
  wordless(last: number): number {
    return this.#wordless.filter(place => place <= last).length
  }

  /** Notes a log. */
  add(place: number, { patternId, timestampNs }: MinedLog): void {
    if (patternId === null) {
      this.#wordless.push(place)
      return
    }
    let position = this.#ids.get(patternId)
    if (position === undefined) {
      position = this.#ids.size
      this.#ids.set(patternId, position)
    }
    this.#places.push(place)
    this.#of.push(position)
    const timeMs = Number(timestampNs / NS_PER_MS)
    if (timeMs < (this.firstSeenMs.get(patternId) ?? Infinity)) this.firstSeenMs.set(patternId, timeMs)
  }

  /** What a store takes. */
  assigned(): AssignedPatterns {
    return { places: Float64Array.from(this.#places), of: Uint32Array.from(this.#of), ids: [...this.#ids.keys()] }
  }
}
