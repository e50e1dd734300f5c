import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { GatewayError } from '../../../domain/errors.js'
import type { NamespaceId } from '../../../domain/ids.js'
import type { AppendResult } from '../../../ports/append.js'
import type { TableKind } from '../tables.js'
import type { AppendRequest } from '../wire/calls.js'
import { toWireError } from '../wire/errors.js'
import type { AppendTransaction } from './append-transaction.js'
import type { HotTables } from './hot-tables.js'
import type { BatchOutcome, KnownBatches } from './known-batches.js'

interface Waiting {
  readonly request: AppendRequest
  readonly bytes: number
  resolve(result: AppendResult): void
  reject(error: unknown): void
}

/** What group commit works with. */
export interface GroupCommitParts {
  readonly transaction: AppendTransaction
  readonly tables: HotTables
  readonly batches: KnownBatches
  readonly maxCommitBytes: number
  /** Whether the namespace's rows of the kind are deleted for good. */
  readonly isDropped: (kind: TableKind, ns: NamespaceId) => boolean
  /** After each commit that stored something, before it is answered. */
  readonly onCommit: () => Promise<void>
}

function asDuplicate({ accepted, failures }: BatchOutcome): AppendResult {
  return { accepted: 0, deduplicated: accepted, failures }
}

/**
 * The one queue of writes. While a commit is under way the next requests gather; when it returns they are committed
 * together, without waiting for more. One failing request does not take the others with it.
 */
export class GroupCommit {
  readonly #parts: GroupCommitParts
  readonly #queue: Waiting[] = []
  readonly #jobs: (() => Promise<void>)[] = []
  readonly #inFlight = new Map<string, Promise<AppendResult>>()
  #isRunning = false
  #commits = 0
  #rows = 0

  constructor(parts: GroupCommitParts) {
    this.#parts = parts
  }

  get gauges(): Readonly<Record<string, number>> {
    return { commits: this.#commits, committed_rows: this.#rows, queued_requests: this.#queue.length }
  }

  /** Stores a request of `bytes` bytes; resolves once it is crash-safe. */
  async submit(request: AppendRequest, bytes: number): Promise<AppendResult> {
    const { kind, ns, ingestId } = request
    const key = `${kind} ${ns} ${ingestId}`
    const running = this.#inFlight.get(key)
    // The first of two equal requests decides for both.
    if (running)
      return running.then(({ accepted, deduplicated, failures }) => asDuplicate({ accepted: accepted + deduplicated, failures }))
    const stored = this.#store(request, bytes)
    this.#inFlight.set(key, stored)
    try {
      return await stored
    } finally {
      this.#inFlight.delete(key)
    }
  }

  /** Runs `work` between two commits. */
  exclusive<T>(work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#jobs.push(() => work().then(resolve, reject))
      this.#wake()
    })
  }

  async #store(request: AppendRequest, bytes: number): Promise<AppendResult> {
    const { batches } = this.#parts
    const known = await batches.find(request.kind, request.ns, request.ingestId)
    if (known) return asDuplicate(known)
    return new Promise((resolve, reject) => {
      this.#queue.push({ request, bytes, resolve, reject })
      this.#wake()
    })
  }

  #wake(): void {
    if (this.#isRunning) return
    this.#isRunning = true
    void this.#run()
  }

  async #run(): Promise<void> {
    while (this.#jobs.length > 0 || this.#queue.length > 0) {
      const job = this.#jobs.shift()
      if (job) await job()
      if (this.#queue.length > 0) await this.#commitGroup(this.#take())
      // Appending is synchronous: reads and new requests get their turn here.
      await yieldToEventLoop()
    }
    this.#isRunning = false
  }

  #take(): Waiting[] {
    let bytes = 0
    let count = 0
    for (const waiting of this.#queue) {
      bytes += waiting.bytes
      if (count > 0 && bytes > this.#parts.maxCommitBytes) break
      count++
    }
    return this.#queue.splice(0, count)
  }

  async #commitGroup(group: readonly Waiting[]): Promise<void> {
    const allowed = group.filter(waiting => !this.#refuse(waiting))
    if (allowed.length === 0) return
    const error = await this.#commit(allowed)
    if (error === null) return
    // A full disk is nobody's fault; anything else is tried one by one, so that only the culprit fails.
    const isShared = allowed.length === 1 || toWireError(error).code === 'storage_full'
    for (const waiting of allowed) {
      const own = isShared ? error : await this.#commit([waiting])
      if (own !== null) waiting.reject(own)
    }
  }

  #refuse(waiting: Waiting): boolean {
    const { request } = waiting
    if (!this.#parts.isDropped(request.kind, request.ns)) return false
    waiting.reject(new GatewayError('namespace_deleted', 'the namespace has been deleted'))
    return true
  }

  async #commit(group: readonly Waiting[]): Promise<unknown> {
    const { transaction, onCommit } = this.#parts
    let outcomes: BatchOutcome[]
    try {
      outcomes = await transaction.commit(group.map(({ request }) => request))
      await onCommit()
    } catch (error) {
      return error
    }
    this.#commits++
    group.forEach((waiting, i) => this.#settle(waiting, outcomes[i]!))
    return null
  }

  #settle(waiting: Waiting, outcome: BatchOutcome): void {
    const { request, bytes } = waiting
    const { tables, batches } = this.#parts
    tables.grow(request.kind, outcome.accepted, bytes)
    batches.remember(request.kind, request.ns, request.ingestId, outcome)
    this.#rows += outcome.accepted
    waiting.resolve({ ...outcome, deduplicated: 0 })
  }
}
