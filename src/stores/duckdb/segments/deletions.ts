import type { DuckDBConnection } from '@duckdb/node-api'
import type { NamespaceId } from '../../../domain/ids.js'
import { inTransaction, queryRows, run } from '../process/sql.js'
import type { TableKind } from '../tables.js'

/** A namespace whose rows of one kind are being removed. */
export interface PendingDrop {
  readonly kind: TableKind
  readonly ns: NamespaceId
}

interface MarkRow extends PendingDrop {
  readonly before_ns: bigint
}

interface DroppedRow extends PendingDrop {
  readonly is_done: boolean
}

/** What is deleted, whether or not its bytes are gone yet: durable before it counts, then held in memory. */
export class Deletions {
  readonly #connection: DuckDBConnection
  readonly #marks = new Map<string, bigint>()
  readonly #dropped = new Map<string, PendingDrop & { isDone: boolean }>()
  #last: Promise<unknown> = Promise.resolve()

  constructor(connection: DuckDBConnection) {
    this.#connection = connection
  }

  /** Reads what was deleted before this start. */
  async load(): Promise<void> {
    for (const row of await queryRows<MarkRow>(this.#connection, 'SELECT kind, ns, before_ns FROM hot.main.marks'))
      this.#marks.set(`${row.kind} ${row.ns}`, row.before_ns)
    for (const row of await queryRows<DroppedRow>(this.#connection, 'SELECT kind, ns, is_done FROM hot.main.dropped'))
      this.#dropped.set(`${row.kind} ${row.ns}`, { kind: row.kind, ns: row.ns, isDone: row.is_done })
  }

  isDropped(kind: TableKind, ns: NamespaceId): boolean {
    return this.#dropped.has(`${kind} ${ns}`)
  }

  /** Rows of the namespace before this time are deleted. */
  markOf(kind: TableKind, ns: NamespaceId): bigint | undefined {
    return this.#marks.get(`${kind} ${ns}`)
  }

  /** Deletions of namespaces that were begun and not finished. */
  pendingDrops(): readonly PendingDrop[] {
    return [...this.#dropped.values()].filter(({ isDone }) => !isDone)
  }

  /** Raises the mark; false if it was as high already. */
  mark(kind: TableKind, ns: NamespaceId, beforeNs: bigint): Promise<boolean> {
    return this.#serial(() => this.#mark(kind, ns, beforeNs))
  }

  /** Nothing before this mark is left in the tables and files: what comes now may be older. A mark that was raised since stays. */
  lift(kind: TableKind, ns: NamespaceId, markNs: bigint): Promise<void> {
    return this.#serial(async () => {
      if (this.markOf(kind, ns) !== markNs) return
      await run(this.#connection, 'DELETE FROM hot.main.marks WHERE kind = ? AND ns = ?', [kind, ns])
      this.#marks.delete(`${kind} ${ns}`)
    })
  }

  /** From now on the namespace has no rows of these kinds and takes none. */
  drop(kinds: readonly TableKind[], ns: NamespaceId): Promise<void> {
    return this.#serial(() => this.#drop(kinds, ns))
  }

  /** Runs `work` while nothing is deleted. */
  during<T>(work: () => Promise<T>): Promise<T> {
    return this.#serial(work)
  }

  /** Nothing of the namespace is left on the disk. */
  finish(drop: PendingDrop): Promise<void> {
    return this.#serial(() => this.#finish(drop))
  }

  /** One connection has one transaction at a time. */
  #serial<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work)
    // The caller has the failure; the next one only waits for the end.
    this.#last = result.catch(() => undefined)
    return result
  }

  async #mark(kind: TableKind, ns: NamespaceId, beforeNs: bigint): Promise<boolean> {
    const key = `${kind} ${ns}`
    const present = this.#marks.get(key)
    if (present !== undefined && present >= beforeNs) return false
    await inTransaction(this.#connection, async () => {
      await run(this.#connection, 'DELETE FROM hot.main.marks WHERE kind = ? AND ns = ?', [kind, ns])
      await run(this.#connection, 'INSERT INTO hot.main.marks VALUES (?, ?, ?)', [kind, ns, beforeNs])
    })
    this.#marks.set(key, beforeNs)
    return true
  }

  async #drop(kinds: readonly TableKind[], ns: NamespaceId): Promise<void> {
    const fresh = kinds.filter(kind => !this.isDropped(kind, ns))
    if (fresh.length === 0) return
    await inTransaction(this.#connection, async () => {
      for (const kind of fresh) await run(this.#connection, 'INSERT INTO hot.main.dropped VALUES (?, ?, false)', [kind, ns])
    })
    for (const kind of fresh) this.#dropped.set(`${kind} ${ns}`, { kind, ns, isDone: false })
  }

  async #finish({ kind, ns }: PendingDrop): Promise<void> {
    await run(this.#connection, 'UPDATE hot.main.dropped SET is_done = true WHERE kind = ? AND ns = ?', [kind, ns])
    const dropped = this.#dropped.get(`${kind} ${ns}`)
    if (dropped) dropped.isDone = true
  }
}
