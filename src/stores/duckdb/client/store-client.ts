import { setTimeout as delay } from 'node:timers/promises'
import { GatewayError } from '../../../domain/errors.js'
import type { BackgroundJobs } from '../../../ports/background-jobs.js'
import type { Logger } from '../../../ports/logger.js'
import type { Gap } from '../gaps.js'
import { LAYOUT } from '../table-layout.js'
import type { AppendRequest, ProcessOptions, StoredAppend, StoreEvent } from '../wire/calls.js'
import { fromWireError } from '../wire/errors.js'
import { packAppend } from '../wire/packed-append.js'
import { storedBytes } from '../wire/stored-bytes.js'
import { ChildLink, storeUnavailable } from './child-link.js'
import { QueueBudget } from '../../shared/queue-budget.js'

const FIRST_BACKOFF_MS = 100
const MAX_BACKOFF_MS = 10_000
/** A process that ran this long starts again without a history. */
const STEADY_MS = 60_000
const CLOSE_TIMEOUT_MS = 30_000
/** A read that ends the process twice is refused: it may be the cause. */
const READ_ATTEMPTS = 2

/** How the store process is, as seen from outside. */
export interface ProcessState {
  readonly isRunning: boolean
  readonly restarts: number
  /** What it recovered from, or why it is not running. */
  readonly detail: string
}

/** What the client needs besides the process's own options. */
export interface StoreClientOptions {
  readonly entry: string
  readonly process: ProcessOptions
  readonly logger: Logger
  readonly jobs: BackgroundJobs
  readonly monotonicMs: () => number
}

/** Keeps one store process running and carries calls to it. */
export class StoreClient {
  readonly #options: StoreClientOptions
  readonly #budget: QueueBudget
  #link: ChildLink | null = null
  #isReady = false
  #isClosing = false
  #restarts = 0
  #backoffMs = FIRST_BACKOFF_MS
  #startedMs = 0
  #detail = 'starting'
  #gaps: readonly Gap[] = []
  #timer: NodeJS.Timeout | undefined
  #onFirstStart: { resolve(): void; reject(error: Error): void } | null = null
  readonly #waitingForReady: (() => void)[] = []
  #onEnded: (() => void) | null = null
  #closed: Promise<void> | null = null

  constructor(options: StoreClientOptions) {
    this.#options = options
    this.#budget = new QueueBudget(options.process.limits.maxQueuedBytes)
  }

  get state(): ProcessState {
    return { isRunning: this.#isReady, restarts: this.#restarts, detail: this.#detail }
  }

  get budget(): QueueBudget {
    return this.#budget
  }

  /** The gaps of results; as of the last result or later. */
  get gaps(): readonly Gap[] {
    return this.#gaps
  }

  /** Process id of the running store process. */
  get pid(): number | undefined {
    return this.#link?.pid
  }

  /** Resolves once the process responds; rejects with its reason when it cannot. */
  start(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#onFirstStart = { resolve, reject }
      this.#spawn()
    })
  }

  /** Resolves once the process responds, at once if it does, or if it never will since the client is closed. */
  whenRunning(): Promise<void> {
    if (this.#isReady) return Promise.resolve()
    return new Promise(resolve => this.#waitingForReady.push(resolve))
  }

  /** Cuts the connection, as the end of this process would. */
  breakPipe(): void {
    this.#isClosing = true
    this.#link?.breakPipe()
  }

  /**
   * Calls a method that changes nothing: when the process ends under it (DuckDB takes a database out of service when
   * the disk is full) or is being started again, it waits for the next one and calls again. `store_unavailable` when
   * that does not respond either.
   */
  async read<T>(method: string, args: readonly unknown[], signal?: AbortSignal): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      if (!this.#isReady && !this.#isClosing) await this.#restarted(signal)
      const link = this.#running()
      try {
        return (await link.call(method, args, signal)) as T
      } catch (error) {
        if (!link.isEnded || this.#isClosing || attempt === READ_ATTEMPTS) throw error
      }
    }
  }

  /** Calls a method of the store process; `store_unavailable` while it is not running. */
  async call<T>(method: string, args: readonly unknown[], signal?: AbortSignal): Promise<T> {
    return (await this.#running().call(method, args, signal)) as T
  }

  /**
   * Sends an append, `atOnce` when the caller has waited for others already. `payload_too_large` when it is beyond what one
   * transaction holds, `overloaded` when too many bytes are in flight, `UnknownSeries` for ids that the store does not have.
   */
  async append(request: AppendRequest, atOnce = false): Promise<StoredAppend> {
    const link = this.#running()
    const packed = packAppend(request, LAYOUT.format)
    const sizeBytes = this.#sizeOf(request, packed.bytes)
    this.#budget.take(request.ns, sizeBytes)
    try {
      const result = link.append(packed)
      if (atOnce) link.flush()
      return await result
    } finally {
      this.#budget.give(request.ns, sizeBytes)
    }
  }

  /** Nothing to do while the process runs: what is acknowledged is visible. `store_unavailable` otherwise. */
  async settle(): Promise<void> {
    if (!this.#isReady) throw new GatewayError('store_unavailable', this.#detail)
  }

  #sizeOf(request: AppendRequest, packedBytes: number): number {
    const { maxAppendBytes } = this.#options.process.limits
    const sizeBytes = storedBytes(request, packedBytes)
    if (sizeBytes <= maxAppendBytes) return sizeBytes
    const size = `${sizeBytes} bytes with one row per record`
    throw new GatewayError('payload_too_large', `the request has ${size}; the limit is ${maxAppendBytes}`)
  }

  /** Cancels the reads in flight and lets the process commit what it has and end. */
  close(): Promise<void> {
    this.#closed ??= this.#close()
    return this.#closed
  }

  async #close(): Promise<void> {
    this.#isClosing = true
    clearTimeout(this.#timer)
    this.#wakeWaiting()
    const link = this.#link
    if (!link) return
    const ended = new Promise<void>(resolve => (this.#onEnded = resolve))
    const timer = setTimeout(() => link.kill(), CLOSE_TIMEOUT_MS)
    link.cancelReads(storeUnavailable('is shutting down'))
    // The process has released its files when it responds, or cannot do so in an orderly way; it ends with the pipe.
    const breakPipe = (): void => link.breakPipe()
    if (this.#isReady) link.call('close', []).then(breakPipe, breakPipe)
    else link.kill()
    await ended
    clearTimeout(timer)
  }

  /** Waits a while for the next process. */
  async #restarted(signal: AbortSignal | undefined): Promise<void> {
    const late = delay(this.#options.process.limits.readWaitMs, undefined, { ref: false, ...(signal && { signal }) })
    // The pause rejects only when the caller has left.
    await Promise.race([this.whenRunning(), late]).catch(() => signal?.throwIfAborted())
  }

  #running(): ChildLink {
    if (this.#isClosing) throw storeUnavailable('is shutting down')
    if (!this.#link || !this.#isReady) throw storeUnavailable(`is not running: ${this.#detail}`)
    return this.#link
  }

  #spawn(): void {
    const { entry, process: options, monotonicMs } = this.#options
    this.#startedMs = monotonicMs()
    this.#link = new ChildLink(entry, options, {
      onEvent: event => this.#onEvent(event),
      onEnd: reason => this.#onEnd(reason)
    })
  }

  #onEvent(event: StoreEvent): void {
    if (event.type === 'log') return this.#options.logger[event.level](event.fields, event.message)
    if (event.type === 'job') return this.#onJob(event)
    if (event.type === 'gaps') {
      this.#gaps = event.gaps
      return
    }
    if (event.type === 'ready') {
      this.#isReady = true
      this.#detail = event.detail
      this.#onFirstStart?.resolve()
      this.#onFirstStart = null
      this.#wakeWaiting()
      return
    }
    this.#detail = event.error.message
    const first = this.#onFirstStart
    if (!first) return
    this.#onFirstStart = null
    this.#isClosing = true
    first.reject(fromWireError(event.error))
  }

  #onJob({ job, failure }: Extract<StoreEvent, { type: 'job' }>): void {
    const monitor = this.#options.jobs.monitor(job)
    if (failure === null) monitor.succeeded()
    else monitor.failed(new Error(failure))
  }

  #wakeWaiting(): void {
    for (const resolve of this.#waitingForReady.splice(0)) resolve()
  }

  #onEnd(reason: string): void {
    const wasReady = this.#isReady
    this.#isReady = false
    this.#link = null
    this.#onEnded?.()
    if (this.#isClosing) return
    if (wasReady) this.#detail = `the store process ${reason}`
    if (this.#onFirstStart) {
      this.#isClosing = true
      return this.#onFirstStart.reject(storeUnavailable(reason))
    }
    this.#restart(reason)
  }

  #restart(reason: string): void {
    const { logger, monotonicMs } = this.#options
    if (monotonicMs() - this.#startedMs > STEADY_MS) this.#backoffMs = FIRST_BACKOFF_MS
    const delayMs = this.#backoffMs
    this.#backoffMs = Math.min(delayMs * 2, MAX_BACKOFF_MS)
    this.#restarts++
    logger.error({ reason, delay_ms: delayMs }, 'the store process ended unexpectedly and is being restarted')
    this.#timer = setTimeout(() => this.#spawn(), delayMs)
  }
}
