import { GatewayError } from '../../domain/errors.js'
import type { NamespaceId } from '../../domain/ids.js'
import { FairShare } from './fair-share.js'

const RETRY_AFTER_S = 10

/** The bounds of the spool, shared out among namespaces. */
export class SpoolSpace {
  readonly #bytes: FairShare
  readonly #frames: FairShare
  /** Bytes of the files whose records are stored by now. */
  readonly #deadBytes: () => number
  #refused = 0

  constructor(max: { readonly bytes: number; readonly frames: number }, deadBytes: () => number) {
    this.#bytes = new FairShare(max.bytes)
    this.#frames = new FairShare(max.frames)
    this.#deadBytes = deadBytes
  }

  /** Bytes that wait or are being written. */
  get bytes(): number {
    return this.#bytes.total
  }

  get frames(): number {
    return this.#frames.total
  }

  get namespaces(): number {
    return this.#frames.holders
  }

  /** Batches that found no room since the start. */
  get refused(): number {
    return this.#refused
  }

  /** Takes room for one batch; `overloaded` when the spool, or the namespace's share of it, is full. */
  take(ns: NamespaceId, bytes: number): void {
    const hasFrame = this.#frames.take(ns, 1)
    if (hasFrame && this.#bytes.take(ns, bytes, this.#deadBytes())) return
    if (hasFrame) this.#frames.give(ns, 1)
    this.#refused++
    throw new GatewayError('overloaded', 'the store is unavailable and the spool is full', {
      retryAfterS: RETRY_AFTER_S
    })
  }

  /** Counts a frame of an earlier start. */
  hold(ns: NamespaceId, bytes: number): void {
    this.#bytes.hold(ns, bytes)
    this.#frames.hold(ns, 1)
  }

  give(ns: NamespaceId, bytes: number, frames: number): void {
    this.#bytes.give(ns, bytes)
    this.#frames.give(ns, frames)
  }
}
