import { statfsSync } from 'node:fs'
import { GatewayError } from '../../domain/errors.js'

const RECHECK_MS = 100
const RECHECK_BYTES = 1024 * 1024

/** Keeps so much of the disk free that what is acknowledged can still be stored. */
export class DiskRoom {
  readonly #folder: string
  readonly #minFreeBytes: number
  /** How often bytes that are written once come to be on the disk. */
  readonly #copies: number
  #freeBytes = 0
  #spentBytes = 0
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
    return this.#freeBytes - this.#copies * (this.#spentBytes + pendingBytes) >= this.#minFreeBytes
  }

  /** Forgets what was measured, since something was removed. */
  refresh(): void {
    this.#checkedMs = -RECHECK_MS
  }

  #measure(nowMs: number): void {
    this.#checkedMs = nowMs
    this.#spentBytes = 0
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
