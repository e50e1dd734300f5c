import { setImmediate } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { SeriesSamples } from '../../../domain/metric-point.js'
import type { TimeRange } from '../../../domain/time-range.js'
import type { LabelMatcher } from '../../../ports/metric-store.js'
import { PromqlCancelled, PromqlTimeout } from '../evaluate/budget.js'
import { PromqlBadQuery, PromqlExecutionError } from '../promql-error.js'
import type { PromqlBounds, PromqlQuestion } from '../promql-question.js'
import { packSeries } from '../series-message.js'
import { CANCELLED, type FromThread, LATE, RUNNING, type ThreadFault, type ToThread } from './messages.js'

/** Time in which a thread that was told to stop may do so by itself. */
const GRACE_MS = 300
/** Samples that are copied before other work of this thread has its turn. */
const SAMPLES_AT_ONCE = 100_000
/** Memory of JavaScript objects; samples and values are bounded beside it. */
const HEAP_MB = 512
const WORD_BYTES = 4

/** What a thread is to evaluate. */
export interface ThreadJob {
  readonly question: PromqlQuestion
  readonly bounds: PromqlBounds
  readonly select: (matchers: readonly LabelMatcher[], range: TimeRange) => Promise<readonly SeriesSamples[]>
}

interface Running {
  readonly job: ThreadJob
  readonly state: Int32Array
  readonly resolve: (json: Uint8Array) => void
  readonly reject: (error: unknown) => void
}

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

function endOf(cause: Error | null): Error {
  const code = cause !== null && 'code' in cause ? cause.code : null
  if (code === 'ERR_WORKER_OUT_OF_MEMORY') return new PromqlExecutionError(`the query needs more than ${HEAP_MB} MiB of memory`)
  return new Error('the thread that evaluated PromQL has ended', { cause })
}

/** Series in parts of about `SAMPLES_AT_ONCE`; the last one is empty when there is nothing. */
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
  yield series.slice(from)
}

/** One life of a thread that evaluates PromQL, one question at a time. */
export class EvaluationThread {
  readonly #worker: Worker
  readonly #exited: Promise<void>
  #running: Running | null = null
  #grace: NodeJS.Timeout | undefined
  #cause: Error | null = null

  /** `entry` is compiled JavaScript. `onIdle` is told when the thread can take a question, `onEnd` when it is gone. */
  constructor(entry: string, events: { readonly onIdle: () => void; readonly onEnd: () => void }) {
    this.#worker = new Worker(entry, { execArgv: [], resourceLimits: { maxOldGenerationSizeMb: HEAP_MB } })
    this.#worker.unref()
    this.#worker.on('message', (message: FromThread) => this.#receive(message, events.onIdle))
    this.#worker.on('error', (error: Error) => (this.#cause = error))
    this.#exited = new Promise(resolve => {
      this.#worker.once('exit', () => {
        clearTimeout(this.#grace)
        this.#settle(({ reject }) => reject(endOf(this.#cause)))
        events.onEnd()
        resolve()
      })
    })
  }

  /** Evaluates; only while nothing else is. Rejects with the errors of `answerQuestion` and what `select` throws. */
  run(job: ThreadJob): Promise<Uint8Array> {
    const state = new Int32Array(new SharedArrayBuffer(WORD_BYTES))
    Atomics.store(state, 0, RUNNING)
    return new Promise((resolve, reject) => {
      this.#running = { job, state, resolve, reject }
      this.#worker.ref()
      this.#send({ kind: 'question', question: job.question, bounds: job.bounds, state })
    })
  }

  /** Tells the thread to give up what it does; if it does not soon, it is ended. */
  stop(why: 'cancelled' | 'late'): void {
    if (this.#running === null) return
    Atomics.store(this.#running.state, 0, why === 'late' ? LATE : CANCELLED)
    this.#grace ??= setTimeout(() => void this.#worker.terminate(), GRACE_MS)
  }

  async close(): Promise<void> {
    await this.#worker.terminate()
    await this.#exited
  }

  #receive(message: FromThread, onIdle: () => void): void {
    if (message.kind === 'select') return void this.#select(message)
    clearTimeout(this.#grace)
    this.#grace = undefined
    this.#settle(({ resolve, reject }) => (message.kind === 'answer' ? resolve(message.json) : reject(errorOf(message.fault))))
    onIdle()
  }

  async #select({ matchers, range }: Extract<FromThread, { kind: 'select' }>): Promise<void> {
    const running = this.#running!
    try {
      const parts = [...partsOf(await running.job.select(matchers, range))]
      for (const [i, part] of parts.entries()) {
        if (this.#running !== running) return
        const series = packSeries(part)
        this.#send({ kind: 'series', series, isLast: i === parts.length - 1 }, [series.times.buffer, series.values.buffer])
        if (i < parts.length - 1) await setImmediate()
      }
    } catch (error) {
      running.reject(error)
      this.#send({ kind: 'refused' })
    }
  }

  #settle(how: (running: Running) => void): void {
    const running = this.#running
    this.#running = null
    this.#worker.unref()
    if (running !== null) how(running)
  }

  #send(message: ToThread, handedOver: readonly ArrayBufferLike[] = []): void {
    this.#worker.postMessage(message, handedOver as readonly ArrayBuffer[])
  }
}
