import type { GatewayError } from '../../../domain/errors.js'
import type { NamespaceId } from '../../../domain/ids.js'
import type { ElasticsearchLimits } from '../limits.js'
import { isTooMany, type SendsBulks } from './bulk-sender.js'
import type { ItemOutcome } from './item-outcome.js'
import type { Piece } from './piece.js'

interface BulkEntry {
  readonly piece: Piece
  readonly resolve: (outcomes: readonly ItemOutcome[]) => void
  readonly reject: (error: unknown) => void
}

type BulkLimits = Pick<ElasticsearchLimits, 'bulkSlots' | 'bulkBytes' | 'minBulkBytes'>

// A bulk below this many bytes waits for the small one before it, so that many small appends share few requests.
const SMALL_BYTES = 256 * 1024
const GROWTH = 1.25

/** Numbers since the start, and of this moment. */
export interface BulkGauges {
  readonly requests: number
  readonly documents: number
  readonly refusals: number
  readonly inFlight: number
  readonly bulkBytes: number
}

/**
 * Sends what has gathered as soon as a slot is free: many appends of all namespaces in one request. Each bulk takes from
 * the namespaces in turn, so that none waits behind all of another.
 */
export class BulkQueue {
  readonly #sender: SendsBulks
  readonly #limits: BulkLimits
  readonly #waiting = new Map<NamespaceId, BulkEntry[]>()
  readonly #inFlight = new Map<NamespaceId, number>()
  readonly #idle: { readonly ns: NamespaceId; readonly resolve: () => void }[] = []
  #waitingBytes = 0
  #active = 0
  #activeSmall = 0
  #bulkBytes: number
  #requests = 0
  #documents = 0
  #refusals = 0

  constructor(sender: SendsBulks, limits: BulkLimits) {
    this.#sender = sender
    this.#limits = limits
    this.#bulkBytes = limits.bulkBytes
  }

  /** What became of each document of a piece. Rejects when that is not known; the piece may be sent again. */
  write(piece: Piece): Promise<readonly ItemOutcome[]> {
    return new Promise((resolve, reject) => {
      const entries = this.#waiting.get(piece.ns)
      const entry = { piece, resolve, reject }
      if (entries) entries.push(entry)
      else this.#waiting.set(piece.ns, [entry])
      this.#waitingBytes += piece.bytes.length
      this.#pump()
    })
  }

  /** Takes back what waits of a namespace, and resolves when nothing of it is in progress. */
  async withdraw(ns: NamespaceId, error: GatewayError): Promise<void> {
    const entries = this.#waiting.get(ns) ?? []
    this.#waiting.delete(ns)
    for (const { piece, reject } of entries) {
      this.#waitingBytes -= piece.bytes.length
      reject(error)
    }
    if (this.#inFlight.has(ns)) await new Promise<void>(resolve => this.#idle.push({ ns, resolve }))
  }

  gauges(): BulkGauges {
    return {
      requests: this.#requests,
      documents: this.#documents,
      refusals: this.#refusals,
      inFlight: this.#active,
      bulkBytes: this.#bulkBytes
    }
  }

  #pump(): void {
    while (this.#waiting.size > 0 && this.#active < this.#limits.bulkSlots) {
      const isSmall = this.#waitingBytes < SMALL_BYTES
      if (isSmall && this.#activeSmall > 0) return
      void this.#send(this.#take(), isSmall)
    }
  }

  /** Entries for one bulk, one of each namespace in turn. */
  #take(): readonly BulkEntry[] {
    const taken: BulkEntry[] = []
    let bytes = 0
    for (;;) {
      for (const [ns, entries] of [...this.#waiting]) {
        const size = entries[0]!.piece.bytes.length
        if (bytes > 0 && bytes + size > this.#bulkBytes) return taken
        taken.push(entries.shift()!)
        bytes += size
        this.#waitingBytes -= size
        // Whoever was served goes to the end of the line.
        this.#waiting.delete(ns)
        if (entries.length > 0) this.#waiting.set(ns, entries)
      }
      if (this.#waiting.size === 0) return taken
    }
  }

  async #send(entries: readonly BulkEntry[], isSmall: boolean): Promise<void> {
    this.#begin(entries, isSmall)
    try {
      const outcomes = await this.#sender.send(entries.map(({ piece }) => piece))
      this.#bulkBytes = Math.min(this.#limits.bulkBytes, this.#bulkBytes * GROWTH)
      entries.forEach(({ resolve }, i) => resolve(outcomes[i]!))
    } catch (error) {
      if (isTooMany(error)) {
        this.#refusals++
        this.#bulkBytes = Math.max(this.#limits.minBulkBytes, this.#bulkBytes / 2)
      }
      for (const { reject } of entries) reject(error)
    } finally {
      this.#end(entries, isSmall)
    }
  }

  #begin(entries: readonly BulkEntry[], isSmall: boolean): void {
    this.#active++
    if (isSmall) this.#activeSmall++
    this.#requests++
    for (const { piece } of entries) {
      this.#documents += piece.count
      this.#inFlight.set(piece.ns, (this.#inFlight.get(piece.ns) ?? 0) + 1)
    }
  }

  #end(entries: readonly BulkEntry[], isSmall: boolean): void {
    this.#active--
    if (isSmall) this.#activeSmall--
    for (const { piece } of entries) {
      const left = this.#inFlight.get(piece.ns)! - 1
      if (left > 0) this.#inFlight.set(piece.ns, left)
      else this.#inFlight.delete(piece.ns)
    }
    this.#pump()
    this.#notifyIdle()
  }

  #notifyIdle(): void {
    for (const waiter of this.#idle.splice(0)) {
      if (!this.#inFlight.has(waiter.ns)) waiter.resolve()
      else this.#idle.push(waiter)
    }
  }
}
