import { GatewayError } from '../../domain/errors.js'
import type { NamespaceId } from '../../domain/ids.js'
import { ShortRequests } from '../../threads/short-requests.js'
import { PromqlTimeout } from './evaluate/budget.js'
import { EvaluationThread, type ThreadJob } from './thread/evaluation-thread.js'
import { entryFile } from '../../threads/entry-file.js'

/** The limits of queries that wait for a thread, of all namespaces and of one. */
const MAX_WAITING = 128
const MAX_WAITING_OF_ONE = 32

/** A job for the threads. */
export interface PromqlJob extends ThreadJob {
  readonly namespace: NamespaceId
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/** How many threads, and of what. */
export interface PromqlThreadsOptions {
  /** At least two: one namespace never holds all of them. */
  readonly count: number
  /** Compiled entry of the threads. */
  readonly entry?: string
  /** The requests that long queries pause for; absent: none. */
  readonly shortRequests?: ShortRequests
}

interface QueuedQuery {
  readonly job: PromqlJob
  /** Ends with the asker's, and when the time is up. */
  readonly signal: AbortSignal
  readonly resolve: (json: Uint8Array | Promise<Uint8Array>) => void
  readonly reject: (error: unknown) => void
}

/**
 * Threads that evaluate PromQL, started when they are first needed. Queries wait in the order of arrival, but a namespace never
 * takes the last thread: a slow query delays its own namespace only.
 */
export class PromqlThreads {
  readonly #options: PromqlThreadsOptions
  readonly #shortRequests: ShortRequests
  readonly #entry: string
  readonly #threads = new Set<EvaluationThread>()
  readonly #idle: EvaluationThread[] = []
  readonly #waiting: QueuedQuery[] = []
  readonly #running = new Map<EvaluationThread, NamespaceId>()
  /** Those that take the place of one that was ended: until they have started they count for the namespace that it served. */
  readonly #replacing = new Set<EvaluationThread>()
  #isClosed = false

  constructor(options: PromqlThreadsOptions) {
    this.#options = options
    this.#shortRequests = options.shortRequests ?? new ShortRequests()
    this.#entry = options.entry ?? entryFile('promql-thread')
  }

  /**
   * Returns with the body of the result, UTF-8. Rejects with the errors of `runQuery`, with `PromqlTimeout` when
   * the time is up, with the reason of the signal, with `overloaded` when too many wait.
   */
  async run(job: PromqlJob): Promise<Uint8Array> {
    job.signal.throwIfAborted()
    const ofOne = this.#waiting.filter(({ job: { namespace } }) => namespace === job.namespace).length
    if (this.#isClosed || this.#waiting.length >= MAX_WAITING || ofOne >= MAX_WAITING_OF_ONE) {
      throw new GatewayError('overloaded', 'too many queries are queued', { retryAfterS: 1 })
    }
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(new PromqlTimeout()), job.timeoutMs)
    const signal = AbortSignal.any([job.signal, late.signal])
    let onAbort = (): void => undefined
    try {
      return await new Promise((resolve, reject) => {
        const waiting: QueuedQuery = { job, signal, resolve, reject }
        onAbort = () => this.#leave(waiting)
        signal.addEventListener('abort', onAbort)
        this.#waiting.push(waiting)
        this.#turn()
      })
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
    }
  }

  /** Ends all threads; queries in flight are rejected. */
  async close(): Promise<void> {
    this.#isClosed = true
    const ended = new GatewayError('overloaded', 'the service is shutting down', { retryAfterS: 1 })
    for (const { reject } of this.#waiting.splice(0)) reject(ended)
    await Promise.all([...this.#threads].map(thread => thread.close()))
  }

  #leave(waiting: QueuedQuery): void {
    const at = this.#waiting.indexOf(waiting)
    if (at >= 0) this.#waiting.splice(at, 1)
    waiting.reject(waiting.signal.reason)
  }

  #turn(): void {
    for (;;) {
      const at = this.#waiting.findIndex(({ job }) => this.#runningIn(job.namespace) < this.#options.count - 1)
      if (at < 0) return
      const thread = this.#idle.pop() ?? this.#start()
      if (thread === null) return
      const [{ job, signal, resolve }] = this.#waiting.splice(at, 1) as [QueuedQuery]
      this.#running.set(thread, job.namespace)
      resolve(thread.run(job, signal))
    }
  }

  #runningIn(namespace: NamespaceId): number {
    let count = 0
    for (const running of this.#running.values()) if (running === namespace) count++
    return count
  }

  #start(): EvaluationThread | null {
    if (this.#isClosed || this.#threads.size >= this.#options.count) return null
    const thread: EvaluationThread = new EvaluationThread(this.#entry, this.#shortRequests, {
      onReady: () => {
        if (this.#replacing.delete(thread)) this.#rest(thread)
      },
      onIdle: () => this.#rest(thread),
      onEnd: () => this.#ended(thread)
    })
    this.#threads.add(thread)
    return thread
  }

  #rest(thread: EvaluationThread): void {
    this.#running.delete(thread)
    this.#idle.push(thread)
    this.#turn()
  }

  #ended(thread: EvaluationThread): void {
    const namespace = this.#running.get(thread)
    this.#threads.delete(thread)
    this.#running.delete(thread)
    this.#replacing.delete(thread)
    const at = this.#idle.indexOf(thread)
    if (at >= 0) this.#idle.splice(at, 1)
    // Whose query had to be ended with its thread waits for the next one to start: others keep those that run.
    const next = thread.isStarted && namespace !== undefined ? this.#start() : null
    if (next !== null) {
      this.#running.set(next, namespace!)
      this.#replacing.add(next)
    }
    this.#turn()
  }
}
