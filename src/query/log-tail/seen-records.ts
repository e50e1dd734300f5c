import type { RecordId } from '../../domain/ids.js'
import { ulidTimeMs } from '../../domain/ulid.js'
import { createHash } from 'node:crypto'

/** 48 bits: two of some thousand records share them once in ten million tails. */
export const DIGEST_CHARS = 8
const DIGEST_BYTES = 6

/** A record id in few characters. */
function digestOf(id: RecordId): string {
  return createHash('sha256').update(id).digest().subarray(0, DIGEST_BYTES).toString('base64url')
}

/** Records that a tail has delivered, by their arrival. */
export class SeenRecords {
  readonly #arrivals = new Map<RecordId, number>()
  /** Of an earlier socket: all that its cursor has. */
  readonly #digests: Set<string>

  /** @param digests of records that a resumed tail has delivered */
  constructor(digests: readonly string[] = []) {
    this.#digests = new Set(digests)
  }

  get size(): number {
    return this.#arrivals.size + this.#digests.size
  }

  /** Digests whose records were not found yet. */
  get unmatched(): number {
    return this.#digests.size
  }

  /** False when the record was seen before. */
  add(id: RecordId): boolean {
    if (this.#arrivals.has(id)) return false
    this.#arrivals.set(id, ulidTimeMs(id))
    return this.#digests.size === 0 || !this.#digests.delete(digestOf(id))
  }

  /** Whether the record was seen before. */
  has(id: RecordId): boolean {
    return this.#arrivals.has(id) || (this.#digests.size > 0 && this.#digests.has(digestOf(id)))
  }

  /** Records that arrived from `fromMs` to before `toMs`, Unix milliseconds; not those that only a digest names. */
  count(fromMs: number, toMs = Number.POSITIVE_INFINITY): number {
    let count = 0
    for (const arrivedMs of this.#arrivals.values()) if (arrivedMs >= fromMs && arrivedMs < toMs) count++
    return count
  }

  /** Time from which at most `limit` records arrived; 0 when all are no more than that. */
  latestFrom(limit: number): number {
    const next = [...this.#arrivals.values()].sort((a, b) => b - a)[limit]
    return next === undefined ? 0 : next + 1
  }

  /**
   * Digests for a cursor, at most `limit`: of records that arrived at `fromMs` or later, latest delivery first, then those whose
   * records were not found yet.
   */
  digestsSince(fromMs: number, limit: number): readonly string[] {
    const ids = [...this.#arrivals].filter(([, arrivedMs]) => arrivedMs >= fromMs).map(([id]) => id)
    const found = ids.toReversed().slice(0, limit).map(digestOf)
    return [...found, ...this.#digests].slice(0, limit)
  }

  /** To be called when all records of an earlier socket that a pass can find again were found. */
  forgetDigests(): void {
    this.#digests.clear()
  }

  /** Forgets what arrived before `ms`. */
  forgetBefore(ms: number): void {
    for (const [id, arrivedMs] of this.#arrivals) if (arrivedMs < ms) this.#arrivals.delete(id)
  }
}
