import { deliverBatch, type PinnedBatch } from '../deliver/deliver-batch.js'
import type { DeliveryDeps } from '../deliver/delivery-deps.js'
import type { Fingerprint, StreamRecord } from './stream-record.js'

/** What a stream does about its batches. */
export interface SenderHooks {
  /** The stream has another state, which is noted or will be. */
  readonly changed: (record: StreamRecord) => void
  /** Of the bytes of its file before a place; of none where it does not have them. */
  readonly fingerprintAt: (offset: number) => Promise<Fingerprint>
  /** A batch is stored, or the service is at another place. */
  readonly delivered: (after: StreamRecord) => Promise<void>
  /** The batch is pinned, and has to be sent again. */
  readonly failed: (error: unknown) => void
  readonly ended: () => void
}

/** Sends the batches of one stream, one at a time: each is on disk before it is sent. */
export class BatchSender {
  readonly #deps: DeliveryDeps
  readonly #hooks: SenderHooks
  #sending: Promise<void> | null = null

  constructor(deps: DeliveryDeps, hooks: SenderHooks) {
    this.#deps = deps
    this.#hooks = hooks
  }

  get isSending(): boolean {
    return this.#sending !== null
  }

  /** Resolves when no batch is in flight. */
  async idle(): Promise<void> {
    await this.#sending
  }

  send(batch: PinnedBatch): void {
    this.#hooks.changed(batch.record)
    this.#sending = this.#deliver(batch)
      .catch(this.#hooks.failed)
      .finally(() => {
        this.#sending = null
        this.#hooks.ended()
      })
  }

  async #deliver(batch: PinnedBatch): Promise<void> {
    const { changed, delivered, fingerprintAt } = this.#hooks
    const noted = (record: StreamRecord): StreamRecord => {
      changed(record)
      return record
    }
    const after = await deliverBatch({ ...this.#deps, fingerprintAt, noted }, batch)
    changed(after)
    await this.#deps.journal.put(after)
    await delivered(after)
  }
}
