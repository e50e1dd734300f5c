import { statfsSync } from 'node:fs'
import { GatewayError } from '../../domain/errors.js'

const RECHECK_MS = 100
const RECHECK_BYTES = 1024 * 1024

/** What work of the background is about to write. */
export interface Writing {
  /** In all. */
  readonly sizeBytes: number
  /** So far: the disk counts these itself. */
  readonly writtenBytes: () => number
}

/** Keeps so much of the disk free that what is acknowledged can still be stored. */
export class DiskRoom {
  readonly #folder: string
  readonly #minFreeBytes: number
  /** How often bytes that are written once come to be on the disk. */
  readonly #copies: number
  #freeBytes = 0
  #spentBytes = 0
  readonly #writings = new Set<Writing>()
  /** What these may still write, as of the last look. */
  #heldBytes = 0
  #checkedMs = -RECHECK_MS

  constructor(folder: string, minFreeBytes: number, copies: number) {
    this.#folder = folder
    this.#minFreeBytes = minFreeBytes
    this.#copies = copies
  }

  /** Whether `sizeBytes` more fit in addition to `pendingBytes` whose other copies are not written yet. */
  has(sizeBytes: number, pendingBytes: number): boolean {
    const nowMs = performance.now()
    if (nowMs - this.#checkedMs >= RECHECK_MS || this.#spentBytes >= RECHECK_BYTES) this.#measure(nowMs)
    this.#spentBytes += sizeBytes
    const requestedBytes = this.#copies * (this.#spentBytes + pendingBytes) + this.#heldBytes
    return this.#freeBytes - requestedBytes >= this.#minFreeBytes
  }

  /**
   * Runs work that writes, and counts what it has not written yet as taken until it ends. Throws `storage_full`, and runs
   * nothing, when it would take the room of `pendingBytes` that are acknowledged.
   */
  async hold<T>(writing: Writing, pendingBytes: number, work: () => Promise<T>): Promise<T> {
    this.refresh()
    const isRoom = this.has(0, pendingBytes + writing.sizeBytes / this.#copies)
    // Whoever requests room next measures for itself: what is refused here may have been made meanwhile.
    this.refresh()
    if (!isRoom) throw storageFull()
    this.#writings.add(writing)
    try {
      return await work()
    } finally {
      this.#writings.delete(writing)
      this.refresh()
    }
  }

  /** Forgets what was measured, since something was removed. */
  refresh(): void {
    this.#checkedMs = -RECHECK_MS
  }

  #measure(nowMs: number): void {
    this.#checkedMs = nowMs
    this.#spentBytes = 0
    this.#heldBytes = 0
    for (const { sizeBytes, writtenBytes } of this.#writings) this.#heldBytes += Math.max(0, sizeBytes - writtenBytes())
    try {
      const { bavail, bsize } = statfsSync(this.#folder)
      this.#freeBytes = bavail * bsize
    } catch {
      // Not every file system reports it; then the write itself has to fail.
      this.#freeBytes = Number.POSITIVE_INFINITY
    }
  }
}

/** The error of a request that finds no room. */
export function storageFull(): GatewayError {
  return new GatewayError('storage_full', 'the disk of the store is full', { retryAfterS: 30 })
}
