import { fileURLToPath } from 'node:url'
import { GatewayError } from '../../domain/errors.js'
import type { NamespaceId } from '../../domain/ids.js'
import { PromqlTimeout } from './evaluate/budget.js'
import { EvaluationThread, type ThreadJob } from './thread/evaluation-thread.js'

/** Questions that may wait for a thread. */
const MAX_WAITING = 128

/** What is asked of the threads. */
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
}

interface Waiting {
  readonly job: PromqlJob
  readonly resolve: (json: Uint8Array) => void
  readonly reject: (error: unknown) => void
  thread: EvaluationThread | null
}

/**
 * Threads that evaluate PromQL, started when they are first needed. Questions wait their turn in the order of asking,
 * but a namespace never holds the last thread: what takes long holds up its own namespace only.
 */
export class PromqlThreads {
  readonly #options: PromqlThreadsOptions
  readonly #entry: string
  readonly #threads = new Set<EvaluationThread>()
  readonly #idle: EvaluationThread[] = []
  readonly #waiting: Waiting[] = []
  readonly #running = new Map<NamespaceId, number>()
  #isClosed = false

  constructor(options: PromqlThreadsOptions) {
    this.#options = options
    this.#entry = options.entry ?? fileURLToPath(new URL('thread/main.js', import.meta.url))
  }

  /**
   * Answers with the body of the answer, UTF-8. Rejects with the errors of `answerQuestion`, with `PromqlTimeout` when
   * the time is up, with the reason of the signal, with `overloaded` when too many wait.
   */
  async answer(job: PromqlJob): Promise<Uint8Array> {
    job.signal.throwIfAborted()
    if (this.#isClosed || this.#waiting.length >= MAX_WAITING) {
      throw new GatewayError('overloaded', `${MAX_WAITING} queries are waiting already`, { retryAfterS: 1 })
    }
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(new PromqlTimeout()), job.timeoutMs)
    const signal = AbortSignal.any([job.signal, late.signal])
    let onAbort = (): void => undefined
    try {
      return await new Promise((resolve, reject) => {
        const waiting: Waiting = { job, resolve, reject, thread: null }
        onAbort = () => this.#abort(waiting, late.signal.aborted ? 'late' : 'cancelled', signal.reason)
        signal.addEventListener('abort', onAbort)
        this.#waiting.push(waiting)
        this.#turn()
      })
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
    }
  }

  /** Ends all threads; questions under way are rejected. */
  async close(): Promise<void> {
    this.#isClosed = true
    const ended = new GatewayError('overloaded', 'the service is being closed', { retryAfterS: 1 })
    for (const { reject } of this.#waiting.splice(0)) reject(ended)
    await Promise.all([...this.#threads].map(thread => thread.close()))
  }

  #abort(waiting: Waiting, why: 'cancelled' | 'late', reason: unknown): void {
    const at = this.#waiting.indexOf(waiting)
    if (at >= 0) this.#waiting.splice(at, 1)
    waiting.thread?.stop(why)
    waiting.reject(reason)
  }

  #turn(): void {
    for (;;) {
      const at = this.#waiting.findIndex(({ job }) => (this.#running.get(job.namespace) ?? 0) < this.#options.count - 1)
      if (at < 0) return
      const thread = this.#idle.pop() ?? this.#start()
      if (thread === null) return
      void this.#run(this.#waiting.splice(at, 1)[0]!, thread)
    }
  }

  async #run(waiting: Waiting, thread: EvaluationThread): Promise<void> {
    const { namespace } = waiting.job
    this.#running.set(namespace, (this.#running.get(namespace) ?? 0) + 1)
    waiting.thread = thread
    try {
      waiting.resolve(await thread.run(waiting.job))
    } catch (error) {
      waiting.reject(error)
    }
    const left = this.#running.get(namespace)! - 1
    if (left > 0) this.#running.set(namespace, left)
    else this.#running.delete(namespace)
    this.#turn()
  }

  #start(): EvaluationThread | null {
    if (this.#isClosed || this.#threads.size >= this.#options.count) return null
    const thread: EvaluationThread = new EvaluationThread(this.#entry, {
      onIdle: () => this.#idle.push(thread),
      onEnd: () => this.#ended(thread)
    })
    this.#threads.add(thread)
    return thread
  }

  #ended(thread: EvaluationThread): void {
    this.#threads.delete(thread)
    const at = this.#idle.indexOf(thread)
    if (at >= 0) this.#idle.splice(at, 1)
    this.#turn()
  }
}
