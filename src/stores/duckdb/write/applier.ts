import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { GatewayError } from '../../../domain/errors.js'
import type { NamespaceId } from '../../../domain/ids.js'
import type { TableKind } from '../tables.js'
import { toWireError } from '../wire/errors.js'
import type { Accepted } from './accepted.js'
import { storageFull } from '../../disk/disk-room.js'
import { MemoryRetries } from './memory-retries.js'
import { Pending } from './pending.js'

/** How much may be collected before it is applied without a request. */
export interface ApplyLimits {
  readonly applyRows: number
  readonly applyBytes: number
  readonly applyAfterMs: number
  readonly maxCommitBytes: number
  readonly maxPendingBytes: number
}

/** What the applier works with. */
export interface ApplierDeps {
  readonly limits: ApplyLimits
  /** Writes all or none in one transaction; resolves once it is committed. */
  readonly commit: (group: readonly Accepted[]) => Promise<void>
  /** Keeps what the database refuses though it was acknowledged. */
  readonly setAside: (accepted: Accepted, error: unknown) => Promise<void>
  readonly isDropped: (kind: TableKind, ns: NamespaceId) => boolean
  /** These are done; must not throw. `isStored` is false for what was left out or set aside. */
  readonly onDone: (group: readonly Accepted[], isStored: boolean) => void
  /** Applying failed for now (an error) or works again (null). */
  readonly onState: (failure: unknown) => void
  /** Milliseconds that only grow. */
  readonly nowMs: () => number
}

interface Waiter {
  readonly until: number
  resolve(): void
  reject(error: unknown): void
}

interface Job {
  readonly until: number
  run(failure: unknown): Promise<void>
}

const RETRY_MS = 1_000
/** Not the error of a request: retried with the same requests. */
const PASSING =
  /IO Error|TransactionContext Error|Catalog Error|Connection Error|Out of Memory|Cannot allocate|FATAL|invalidated|conflict|interrupt/i

function stopped(): GatewayError {
  return new GatewayError('store_unavailable', 'the store is shutting down', { retryAfterS: 1 })
}

function isPassing(error: unknown): boolean {
  const { code, message } = toWireError(error)
  return code === 'storage_full' || PASSING.test(message)
}

/**
 * Writes what the journal holds into the hot tables, in its order and many requests at a time. Reads wait for what they
 * must see; jobs that need the writing connection run between two transactions.
 */
export class Applier {
  readonly #parts: ApplierDeps
  readonly #pending = new Pending()
  readonly #memoryRetries: MemoryRetries
  readonly #waiters: Waiter[] = []
  readonly #jobs: Job[] = []
  readonly #roomWaiters: Omit<Waiter, 'until'>[] = []
  #failure: unknown = null
  #isDue = false
  #isRunning = false
  #isStopped = false
  #timer: NodeJS.Timeout | undefined
  #applies = 0
  #rows = 0

  constructor(parts: ApplierDeps) {
    this.#parts = parts
    this.#memoryRetries = new MemoryRetries(parts.nowMs)
  }

  get pendingBytes(): number {
    return this.#pending.bytes
  }

  get gauges(): Readonly<Record<string, number>> {
    const { rows, bytes } = this.#pending
    return { applies: this.#applies, applied_rows: this.#rows, pending_rows: rows, pending_bytes: bytes }
  }

  /** Takes a request that is on the disk. */
  add(accepted: Accepted): void {
    const { applyRows, applyBytes } = this.#parts.limits
    this.#pending.add(accepted)
    if (this.#pending.rows >= applyRows || this.#pending.bytes >= applyBytes) this.#isDue = true
    if (this.#isDue && this.#failure === null) this.#wake()
    else this.#arm()
  }

  /** Resolves when there is room for more; `storage_full` if the disk is full. */
  async room(): Promise<void> {
    if (this.#pending.bytes < this.#parts.limits.maxPendingBytes) return
    if (this.#failure !== null) throw this.#refusal(this.#failure)
    await new Promise<void>((resolve, reject) => this.#roomWaiters.push({ resolve, reject }))
  }

  /** Resolves when everything that was acknowledged for the kind and namespace is in the hot tables. */
  applied(kind: TableKind, ns: NamespaceId): Promise<void> {
    return this.#reach(this.#pending.lastOf(kind, ns))
  }

  /** Resolves when everything that was acknowledged is in the hot tables. */
  flush(): Promise<void> {
    return this.#reach(this.#pending.last)
  }

  /**
   * Applies everything that was acknowledged and runs `work` before anything else is applied. `failure` states why that did
   * not succeed, null when it did. `work` must not wait for the journal.
   */
  exclusive<T>(work: (failure: unknown) => Promise<T>): Promise<T> {
    if (this.#isStopped) return Promise.reject(stopped())
    return new Promise((resolve, reject) => {
      this.#failure = null
      // Also what `work` throws before it has begun must not stop the applying.
      const run = async (failure: unknown): Promise<void> => work(failure).then(resolve)
      this.#jobs.push({ until: this.#pending.last, run: failure => run(failure).catch(reject) })
      this.#wake()
    })
  }

  /** As `exclusive`; rejects without running `work` when something acknowledged could not be applied. */
  afterAll<T>(work: () => Promise<T>): Promise<T> {
    return this.exclusive(async failure => {
      if (failure !== null) throw failure as Error
      return work()
    })
  }

  /** Applies what can be applied, runs `last`, and applies nothing any more. */
  async stop(last: (failure: unknown) => Promise<void>): Promise<void> {
    try {
      await this.exclusive(failure => {
        this.#isStopped = true
        return last(failure)
      })
    } finally {
      clearTimeout(this.#timer)
    }
  }

  #reach(until: number): Promise<void> {
    if (until <= this.#pending.applied) return Promise.resolve()
    if (this.#isStopped) return Promise.reject(stopped())
    return new Promise((resolve, reject) => {
      this.#waiters.push({ until, resolve, reject })
      // A reader's turn is also a chance to try again what failed.
      this.#failure = null
      this.#wake()
    })
  }

  #arm(): void {
    if (this.#isStopped) return
    const delayMs = this.#failure === null ? this.#parts.limits.applyAfterMs : RETRY_MS
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#isDue = true
      this.#failure = null
      this.#wake()
    }, delayMs)
  }

  #wake(): void {
    if (this.#isRunning) return
    this.#isRunning = true
    void this.#run()
  }

  async #run(): Promise<void> {
    while (this.#hasWork()) {
      await this.#step()
      // Appending is synchronous: reads and new requests get their turn here.
      await yieldToEventLoop()
    }
    this.#isRunning = false
    if (this.#pending.count > 0) this.#arm()
  }

  #hasWork(): boolean {
    if (this.#jobs.length > 0) return true
    return !this.#isStopped && this.#pending.count > 0 && this.#failure === null && (this.#isDue || this.#waiters.length > 0)
  }

  async #step(): Promise<void> {
    const job = this.#jobs[0]
    if (job && (job.until <= this.#pending.applied || this.#failure !== null)) {
      this.#jobs.shift()
      return job.run(this.#failure)
    }
    const group = this.#pending.head(this.#parts.limits.maxCommitBytes)
    const error = await this.#apply(group)
    if (error === null) this.#succeed()
    else this.#fail(error)
  }

  #succeed(): void {
    const { limits, onState } = this.#parts
    const { rows, bytes, applied, count } = this.#pending
    this.#isDue = rows >= limits.applyRows || bytes >= limits.applyBytes
    if (count === 0 && this.#timer !== undefined) {
      clearTimeout(this.#timer)
      this.#timer = undefined
    }
    onState(null)
    for (const waiter of this.#waiters.splice(0)) {
      if (waiter.until <= applied) waiter.resolve()
      else this.#waiters.push(waiter)
    }
    if (bytes < limits.maxPendingBytes) for (const waiter of this.#roomWaiters.splice(0)) waiter.resolve()
  }

  #fail(error: unknown): void {
    this.#failure = error
    for (const waiter of this.#waiters.splice(0)) waiter.reject(error)
    for (const waiter of this.#roomWaiters.splice(0)) waiter.reject(this.#refusal(error))
    this.#parts.onState(error)
  }

  #refusal(error: unknown): unknown {
    return toWireError(error).code === 'storage_full' ? storageFull() : error
  }

  /** Null when the whole group is done. */
  async #apply(group: readonly Accepted[]): Promise<unknown> {
    const { isDropped } = this.#parts
    const live = group.filter(({ request }) => !isDropped(request.kind, request.ns))
    const error = await this.#commit(live)
    if (error === null) {
      this.#done(group)
      return null
    }
    if (isPassing(error) && !this.#isHopeless(group[0]!, error)) return error
    // One by one, so that only the culprit fails.
    for (const accepted of group) {
      const own = await this.#applyOne(accepted)
      if (own !== null) return own
    }
    return null
  }

  async #applyOne(accepted: Accepted): Promise<unknown> {
    const { isDropped, setAside, onDone } = this.#parts
    const { kind, ns } = accepted.request
    const error = isDropped(kind, ns) ? null : await this.#commit([accepted])
    if (error === null) {
      this.#done([accepted])
      return null
    }
    if (isPassing(error) && !this.#isHopeless(accepted, error)) return error
    try {
      await setAside(accepted, error)
    } catch (own) {
      return own
    }
    this.#drop(1)
    onDone([accepted], false)
    return null
  }

  /** Whether no other load explains that the memory did not hold the first request: it is alone for its size. */
  #isHopeless({ bytes }: Accepted, error: unknown): boolean {
    return bytes > this.#parts.limits.maxCommitBytes && this.#memoryRetries.isOver(error)
  }

  async #commit(live: readonly Accepted[]): Promise<unknown> {
    if (live.length === 0) return null
    try {
      await this.#parts.commit(live)
      this.#applies++
      return null
    } catch (error) {
      return error
    }
  }

  #done(group: readonly Accepted[]): void {
    this.#rows += group.reduce((sum, { outcome }) => sum + outcome.accepted, 0)
    this.#drop(group.length)
    this.#parts.onDone(group, true)
  }

  #drop(count: number): void {
    this.#pending.drop(count)
    this.#memoryRetries.reset()
  }
}
