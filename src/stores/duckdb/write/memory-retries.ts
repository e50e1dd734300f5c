import { toWireError } from '../wire/errors.js'

const OUT_OF_MEMORY = /Out of Memory|Cannot allocate|failed to (?:pin|allocate)|could not allocate/i
const OUT_OF_SERVICE = /FATAL|invalidated/i
/** Queries that took the memory have ended after this long. */
const MAX_RETRY_MS = 60_000
const MIN_TRIES = 20

/** Whether the store's memory did not hold what was to be written; not when the database is out of service since. */
function isOutOfMemory(error: unknown): boolean {
  const { message } = toWireError(error)
  return OUT_OF_MEMORY.test(message) && !OUT_OF_SERVICE.test(message)
}

/**
 * Reports when a request that is larger than a transaction should be has failed for want of memory for so long that no other load
 * explains it.
 */
export class MemoryRetries {
  readonly #nowMs: () => number
  #tries = 0
  #sinceMs = 0

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs
  }

  /** Counts a failure of the same request; true once it has failed 20 times and for a minute. */
  isOver(error: unknown): boolean {
    if (!isOutOfMemory(error)) return false
    if (this.#tries++ === 0) this.#sinceMs = this.#nowMs()
    return this.#tries >= MIN_TRIES && this.#nowMs() - this.#sinceMs >= MAX_RETRY_MS
  }

  /** Another request is the first now. */
  reset(): void {
    this.#tries = 0
  }
}
