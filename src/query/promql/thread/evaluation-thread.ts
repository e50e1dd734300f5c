import { setImmediate } from 'node:timers/promises'
import type { SeriesSamples } from '../../../domain/metric-point.js'
import { PromqlCancelled, PromqlTimeout } from '../evaluate/budget.js'
import type { Read } from '../evaluate/samples-source.js'
import { PromqlBadQuery, PromqlExecutionError } from '../promql-error.js'
import type { PromqlBounds, PromqlRequest } from '../promql-request.js'
import { packSeries } from '../series-message.js'
import { untilAborted } from '../../../threads/until-aborted.js'
import type { ShortRequests } from '../../../threads/short-requests.js'
import { WorkerLink } from '../../../threads/worker-link.js'
import { CANCELLED, type FromThread, LATE, RUNNING, type ThreadFault, type ToThread } from './messages.js'
import type { Warning } from '../../../domain/warning.js'

/** Time in which a stopped thread may end by itself. */
const GRACE_MS = 300
/** Samples that are copied between two yields to the event loop. */
const SAMPLES_AT_ONCE = 20_000
/** Memory of JavaScript objects; samples and values are bounded in addition to it. */
const HEAP_MB = 512
const WORD_BYTES = 4

/** What a thread is to evaluate. */
export interface ThreadJob {
  readonly request: PromqlRequest
  readonly bounds: PromqlBounds
  readonly reads: readonly Read[]
  readonly select: (read: Read, signal: AbortSignal) => Promise<readonly SeriesSamples[]>
  /** The gaps of the samples, read after all samples. */
  readonly gaps?: () => readonly Warning[]
}

/** What happens in the life of a thread. */
export interface ThreadEvents {
  /** It has come to life. */
  onReady(): void
  /** It has responded and can take the next query. */
  onIdle(): void
  /** It is gone. */
  onEnd(): void
}

type Settle = (how: (resolve: (json: Uint8Array) => void, reject: (error: unknown) => void) => void) => void

function errorOf({ kind, message }: ThreadFault): Error {
  switch (kind) {
    case 'bad_query':
      return new PromqlBadQuery(message)
    case 'execution':
      return new PromqlExecutionError(message)
    case 'timeout':
      return new PromqlTimeout()
    case 'cancelled':
      return new PromqlCancelled()
    default:
      return new Error(`evaluation of PromQL failed: ${message}`)
  }
}

function endOf({ cause, isOutOfMemory }: WorkerLink<ToThread, FromThread>): Error {
  if (isOutOfMemory) return new PromqlExecutionError(`the query needs more than ${HEAP_MB} MiB of memory`)
  return new Error('the thread that evaluated PromQL has ended', { cause })
}

/** Series in parts of about `SAMPLES_AT_ONCE`. */
function* partsOf(series: readonly SeriesSamples[]): Generator<readonly SeriesSamples[]> {
  let from = 0
  let samples = 0
  for (const [i, { values }] of series.entries()) {
    samples += values.length
    if (samples < SAMPLES_AT_ONCE) continue
    yield series.slice(from, i + 1)
    from = i + 1
    samples = 0
  }
  if (from < series.length) yield series.slice(from)
}

/** One life of a thread that evaluates PromQL, one query at a time. */
export class EvaluationThread {
  readonly #link: WorkerLink<ToThread, FromThread>
  #settle: Settle | null = null
  #grace: NodeJS.Timeout | undefined
  readonly #events: ThreadEvents
  #isStarted = false
  /** It is being ended: its messages are still read, but it takes no further query. */
  #isEnding = false
  #hasEnded = false

  /**
   * `entry` is compiled JavaScript; it yields to `shortRequests`. A query may be sent before the thread has started.
   */
  constructor(entry: string, shortRequests: ShortRequests, events: ThreadEvents) {
    this.#events = events
    this.#link = new WorkerLink(
      entry,
      { data: shortRequests.word, heapMb: HEAP_MB },
      {
        onMessage: message => this.#receive(message),
        onExit: () => {
          this.#hasEnded = true
          this.#settle?.((_, reject) => reject(endOf(this.#link)))
          events.onEnd()
        }
      }
    )
    this.#link.keepProcess(false)
  }

  /** Whether it ever came to life. */
  get isStarted(): boolean {
    return this.#isStarted
  }

  /**
   * Reads and evaluates; only while it is idle. Rejects with the errors of `runQuery`, with what `select` throws,
   * with the reason of the signal. A thread that does not stop soon after its signal is ended.
   */
  async run(job: ThreadJob, signal: AbortSignal): Promise<Uint8Array> {
    this.#link.keepProcess(true)
    try {
      await untilAborted(this.#read(job, signal), signal)
      if (this.#hasEnded) throw endOf(this.#link)
    } catch (error) {
      this.#link.send({ kind: 'forget' })
      this.#rest()
      throw error
    }
    return this.#evaluate(job, signal)
  }

  close(): Promise<void> {
    return this.#link.terminate()
  }

  async #read({ bounds, reads, select }: ThreadJob, signal: AbortSignal): Promise<void> {
    let samples = 0
    for (const [read, requested] of reads.entries()) {
      const found = await select(requested, signal)
      samples += found.reduce((sum, { values }) => sum + values.length, 0)
      if (samples > bounds.maxSamples) {
        throw new PromqlExecutionError('query processing would load too many samples into memory in query execution')
      }
      for (const part of partsOf(found)) {
        signal.throwIfAborted()
        const series = packSeries(part)
        this.#link.send({ kind: 'series', read, series }, [series.timestampsNs.buffer, series.values.buffer])
        if (samples > SAMPLES_AT_ONCE) await setImmediate()
      }
    }
    signal.throwIfAborted()
  }

  #evaluate({ request, bounds, gaps }: ThreadJob, signal: AbortSignal): Promise<Uint8Array> {
    const state = new Int32Array(new SharedArrayBuffer(WORD_BYTES))
    Atomics.store(state, 0, RUNNING)
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        Atomics.store(state, 0, signal.reason instanceof PromqlTimeout ? LATE : CANCELLED)
        this.#grace = setTimeout(() => this.#end(), GRACE_MS)
        reject(signal.reason as Error)
      }
      signal.addEventListener('abort', onAbort, { once: true })
      this.#settle = settle => {
        signal.removeEventListener('abort', onAbort)
        clearTimeout(this.#grace)
        this.#settle = null
        settle(resolve, reject)
      }
      const known = gaps?.() ?? []
      this.#link.send({ kind: 'query', request: known.length === 0 ? request : { ...request, gaps: known }, bounds, state })
    })
  }

  #receive(message: FromThread): void {
    if (message.kind === 'ready') {
      this.#isStarted = true
      return this.#events.onReady()
    }
    this.#settle?.((resolve, reject) => (message.kind === 'result' ? resolve(message.json) : reject(errorOf(message.fault))))
    this.#rest()
  }

  #rest(): void {
    this.#link.keepProcess(false)
    if (!this.#isEnding && !this.#hasEnded) this.#events.onIdle()
  }

  #end(): void {
    this.#isEnding = true
    void this.#link.terminate()
  }
}
