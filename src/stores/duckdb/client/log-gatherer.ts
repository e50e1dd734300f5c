import { isGatewayError } from '../../../domain/errors.js'
import type { NamespaceId } from '../../../domain/ids.js'
import type { LogRecord } from '../../../domain/records/log.js'
import type { AppendResult, Batch } from '../../../ports/append.js'
import type { RowsAppend } from '../wire/calls.js'
import { encodeStrings } from '../wire/columns.js'
import { LOG_ENCODER } from '../wire/record-columns.js'

/** A request of so few logs costs more on its way than for its logs. */
const FEW_ROWS = 16
/** So many rows are sent at once: encoding them takes about 2 ms. */
const MAX_ROWS = 1_024

/** One request and its caller. */
interface QueuedLogs {
  readonly batch: Batch<LogRecord>
  resolve(): void
  reject(error: unknown): void
}

/** Requests of one namespace that leave together. */
interface Gathered {
  readonly waiting: QueuedLogs[]
  rows: number
}

function requestOf(ns: NamespaceId, batches: readonly Batch<LogRecord>[]): RowsAppend {
  const rows = batches.flatMap(({ ingestId, items }) => items.map(item => ({ ingestId, item })))
  const columns = LOG_ENCODER.columns(rows.map(({ item }) => item))
  const ids = encodeStrings(rows, ({ ingestId }) => ingestId)
  return { kind: 'logs', ns, ingestId: rows[0]!.ingestId, rows: rows.length, columns: { ...columns, ingest_id: ids } }
}

function isTooLarge(error: unknown): boolean {
  return isGatewayError(error) && error.code === 'payload_too_large'
}

/**
 * Makes one append of the small requests for one namespace that come in one turn of the event loop: encoded, journaled and
 * applied as one they cost a fraction, and they are stored whole or not at all; those that are too large together leave in
 * parts. Only for ids that no client repeats: the store remembers the first of them for all.
 */
export class LogGatherer {
  readonly #append: (request: RowsAppend) => Promise<AppendResult>
  #open = new Map<NamespaceId, Gathered>()

  constructor(append: (request: RowsAppend) => Promise<AppendResult>) {
    this.#append = append
  }

  /** Whether a batch may and should be sent together with others. */
  takes({ isNew, items }: Batch<LogRecord>): boolean {
    return isNew === true && items.length <= FEW_ROWS
  }

  /** As `LogStore.append`. */
  async append(ns: NamespaceId, batch: Batch<LogRecord>): Promise<AppendResult> {
    const { length } = batch.items
    const gathered = this.#gatheredFor(ns)
    const sent = new Promise<void>((resolve, reject) => gathered.waiting.push({ batch, resolve, reject }))
    gathered.rows += length
    if (gathered.rows > MAX_ROWS - FEW_ROWS) this.#close(ns, gathered)
    await sent
    return { accepted: length, deduplicated: 0, failures: [] }
  }

  #gatheredFor(ns: NamespaceId): Gathered {
    const open = this.#open.get(ns)
    if (open) return open
    if (this.#open.size === 0) setImmediate(() => this.#closeAll())
    const gathered: Gathered = { waiting: [], rows: 0 }
    this.#open.set(ns, gathered)
    return gathered
  }

  #closeAll(): void {
    for (const [ns, gathered] of this.#open) this.#close(ns, gathered)
  }

  #close(ns: NamespaceId, { waiting }: Gathered): void {
    this.#open.delete(ns)
    void this.#send(ns, waiting)
  }

  async #send(ns: NamespaceId, waiting: readonly QueuedLogs[]): Promise<void> {
    try {
      const request = requestOf(
        ns,
        waiting.map(({ batch }) => batch)
      )
      const { accepted } = await this.#append(request)
      if (accepted !== request.rows) throw new Error(`${accepted} of ${request.rows} new logs were stored`)
      for (const each of waiting) each.resolve()
    } catch (error) {
      if (isTooLarge(error) && waiting.length > 1) return this.#sendHalves(ns, waiting)
      for (const each of waiting) each.reject(error)
    }
  }

  /** One after the other, so that they do not take the queue from each other. */
  async #sendHalves(ns: NamespaceId, waiting: readonly QueuedLogs[]): Promise<void> {
    const half = waiting.length >> 1
    await this.#send(ns, waiting.slice(0, half))
    await this.#send(ns, waiting.slice(half))
  }
}
