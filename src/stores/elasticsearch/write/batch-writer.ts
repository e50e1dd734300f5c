import { GatewayError } from '../../../domain/errors.js'
import type { NamespaceId } from '../../../domain/ids.js'
import { ulidTimeMs } from '../../../domain/ulid.js'
import type { AppendResult, Batch } from '../../../ports/append.js'
import type { QueueBudget } from '../../shared/queue-budget.js'
import { engineToGatewayError } from '../client/engine-errors.js'
import type { DroppedNamespaces } from '../index/dropped-namespaces.js'
import type { WriteTargets } from '../index/write-targets.js'
import type { BulkQueue } from './bulk-queue.js'
import type { DocumentCodec } from '../document/record-kinds.js'
import { encodeBatch } from './encode-batch.js'
import type { ItemOutcome } from './item-outcome.js'
import type { Piece } from './piece.js'

const NOTHING: AppendResult = { accepted: 0, deduplicated: 0, failures: [] }
/** How often a batch looks for another index when its own is not there. */
const MAX_TARGETS = 3

interface Deps {
  readonly targets: WriteTargets
  readonly queue: BulkQueue
  readonly budget: QueueBudget
  readonly dropped: DroppedNamespaces
}

/** The batch's result; the first error of the store is thrown instead, since then the whole batch must be sent again. */
function toResult(items: readonly { readonly index: number }[], outcomes: readonly ItemOutcome[]): AppendResult {
  let [accepted, deduplicated] = [0, 0]
  const failures: { index: number; reason: string }[] = []
  outcomes.forEach((outcome, i) => {
    if (outcome.kind === 'failed') throw engineToGatewayError(outcome.fault)
    if (outcome.kind === 'stored') accepted++
    else if (outcome.kind === 'known') deduplicated++
    else if (outcome.kind === 'refused') failures.push({ index: items[i]!.index, reason: outcome.reason })
  })
  return { accepted, deduplicated, failures }
}

/** Appends batches: each to the index of its ingest id, in bulks that it shares with others; and replaces documents. */
export class BatchWriter {
  readonly #deps: Deps
  readonly #inFlight = new Set<Promise<unknown>>()
  #isClosing = false

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Resolves once the engine has the records on disk; see `LogStore.append`. */
  async append<Item extends { readonly index: number }>(
    ns: NamespaceId,
    batch: Batch<Item>,
    written: DocumentCodec<Item, unknown>
  ): Promise<AppendResult> {
    return this.#untilClosed(() => this.#append(ns, batch, written))
  }

  /** Writes documents in place of known states of them; the outcome of each document. Throws as `append`. */
  async replace(ns: NamespaceId, pieces: readonly Piece[]): Promise<readonly ItemOutcome[]> {
    return this.#untilClosed(async () => {
      this.#deps.dropped.refuse(ns)
      return this.#write(ns, pieces)
    })
  }

  /** Takes no more, and resolves when every write has its result. */
  async close(): Promise<void> {
    this.#isClosing = true
    await Promise.allSettled(this.#inFlight)
  }

  /** Work that `close` waits for. */
  async #untilClosed<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isClosing) throw new GatewayError('store_unavailable', 'the search store is closing')
    const working = work()
    this.#inFlight.add(working)
    try {
      return await working
    } finally {
      this.#inFlight.delete(working)
    }
  }

  async #append<Item extends { readonly index: number }>(
    ns: NamespaceId,
    batch: Batch<Item>,
    { kind, toDocument }: DocumentCodec<Item, unknown>
  ): Promise<AppendResult> {
    const { targets, dropped } = this.#deps
    dropped.refuse(ns)
    if (batch.items.length === 0) return NOTHING
    for (let attempt = 0; attempt < MAX_TARGETS; attempt++) {
      const generation = await targets.find(ns, kind, ulidTimeMs(batch.ingestId))
      const pieces = await encodeBatch(ns, batch, generation, toDocument)
      dropped.refuse(ns)
      const outcomes = await this.#write(ns, pieces)
      if (!outcomes.some(outcome => outcome.kind === 'missing')) return toResult(batch.items, outcomes)
      dropped.refuse(ns)
      await targets.repair(generation)
    }
    throw new GatewayError('store_unavailable', 'the index of the records was deleted repeatedly')
  }

  async #write(ns: NamespaceId, pieces: readonly Piece[]): Promise<readonly ItemOutcome[]> {
    const { budget, queue } = this.#deps
    const bytes = pieces.reduce((sum, piece) => sum + piece.bytes.length, 0)
    budget.take(ns, bytes)
    try {
      const written = await Promise.allSettled(pieces.map(piece => queue.write(piece)))
      return written.flatMap(result => {
        if (result.status === 'rejected') throw result.reason
        return result.value
      })
    } finally {
      budget.give(ns, bytes)
    }
  }
}
