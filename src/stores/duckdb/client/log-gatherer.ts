import type { IngestId, NamespaceId } from '../../../domain/ids.js'
import type { LogRecord } from '../../../domain/log-record.js'
import type { AppendResult, Batch } from '../../../ports/append.js'
import type { RowsAppend } from '../wire/calls.js'
import { encodeTexts } from '../wire/columns.js'
import { logColumns } from '../wire/record-columns.js'

/** A request of so few logs costs more on its way than for its logs. */
const FEW_ROWS = 16
/** So many rows are sent at once: encoding them takes about 2 ms. */
const MAX_ROWS = 1_024

interface Row {
  readonly ingestId: IngestId
  readonly item: LogRecord
}

/** Requests of one namespace that leave together. */
class Gathered {
  readonly rows: Row[] = []
  readonly sent: Promise<void>
  #resolve!: () => void
  #reject!: (error: unknown) => void

  constructor() {
    this.sent = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
  }

  async send(ns: NamespaceId, append: (request: RowsAppend) => Promise<AppendResult>): Promise<void> {
    try {
      const { accepted } = await append(this.#request(ns))
      if (accepted !== this.rows.length) throw new Error(`${accepted} of ${this.rows.length} new logs were stored`)
      this.#resolve()
    } catch (error) {
      this.#reject(error)
    }
  }

  #request(ns: NamespaceId): RowsAppend {
    const { rows } = this
    const columns = logColumns(rows.map(({ item }) => item))
    const ids = encodeTexts(rows, ({ ingestId }) => ingestId)
    return { kind: 'logs', ns, ingestId: rows[0]!.ingestId, rows: rows.length, columns: { ...columns, ingest_id: ids } }
  }
}

/**
 * Makes one append of the small requests for one namespace that come in one turn of the event loop: encoded, journaled and
 * applied as one they cost a fraction, and they are stored whole or not at all. Only for ids that nobody sends again: the
 * store remembers the first of them for all.
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
  async append(ns: NamespaceId, { ingestId, items }: Batch<LogRecord>): Promise<AppendResult> {
    const gathered = this.#gatheredFor(ns)
    for (const item of items) gathered.rows.push({ ingestId, item })
    if (gathered.rows.length > MAX_ROWS - FEW_ROWS) this.#send(ns, gathered)
    await gathered.sent
    return { accepted: items.length, deduplicated: 0, failures: [] }
  }

  #gatheredFor(ns: NamespaceId): Gathered {
    const open = this.#open.get(ns)
    if (open) return open
    if (this.#open.size === 0) setImmediate(() => this.#sendAll())
    const gathered = new Gathered()
    this.#open.set(ns, gathered)
    return gathered
  }

  #sendAll(): void {
    for (const [ns, gathered] of this.#open) this.#send(ns, gathered)
  }

  #send(ns: NamespaceId, gathered: Gathered): void {
    this.#open.delete(ns)
    void gathered.send(ns, this.#append)
  }
}
