import { Worker } from 'node:worker_threads'
import { GatewayError } from '../../../domain/errors.js'
import type { PackedSamples } from './packed-samples.js'
import { errorOf } from './thread/fault.js'
import type { FromReader, ReaderOptions, ReadRequest, ToReader } from './thread/messages.js'

/** Memory of JavaScript objects; samples are outside of it and are bounded by each read. */
const HEAP_MB = 512

interface PendingRead {
  readonly resolve: (samples: PackedSamples) => void
  readonly reject: (error: unknown) => void
}

function ended(cause: Error | null): GatewayError {
  const isFull = cause !== null && 'code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY'
  const why = isFull ? `needed more than ${HEAP_MB} MiB of memory` : 'has ended'
  return new GatewayError('store_unavailable', `the thread that reads InfluxDB ${why}`, { cause, retryAfterS: 1 })
}

/** One life of a thread that reads samples from InfluxDB, many reads at once. */
export class ReaderThread {
  readonly #worker: Worker
  readonly #waiting = new Map<number, PendingRead>()
  readonly #exited: Promise<void>
  #lastId = 0
  #cause: Error | null = null

  /** `entry` is compiled JavaScript. `onEnd` is told when the thread is gone; its reads are rejected then. */
  constructor(entry: string, options: ReaderOptions, onEnd: () => void) {
    this.#worker = new Worker(entry, { workerData: options, execArgv: [], resourceLimits: { maxOldGenerationSizeMb: HEAP_MB } })
    this.#worker.unref()
    this.#worker.on('message', (message: FromReader) => this.#settle(message))
    this.#worker.on('error', (error: Error) => (this.#cause = error))
    this.#exited = new Promise(resolve => {
      this.#worker.once('exit', () => {
        onEnd()
        for (const { reject } of this.#waiting.values()) reject(ended(this.#cause))
        this.#waiting.clear()
        resolve()
      })
    })
  }

  /** Rejects with what reading threw, with the reason of the signal, with `store_unavailable` when the thread ends. */
  async read(request: ReadRequest, signal: AbortSignal): Promise<PackedSamples> {
    const id = ++this.#lastId
    let onAbort = (): void => undefined
    try {
      return await new Promise((resolve, reject) => {
        onAbort = () => {
          this.#send({ kind: 'abort', id })
          reject(signal.reason as Error)
        }
        signal.addEventListener('abort', onAbort)
        this.#waiting.set(id, { resolve, reject })
        this.#worker.ref()
        this.#send({ kind: 'read', id, request }, [request.series.lengths.buffer as ArrayBuffer])
      })
    } finally {
      signal.removeEventListener('abort', onAbort)
      this.#waiting.delete(id)
      // An idle thread does not keep the process alive.
      if (this.#waiting.size === 0) this.#worker.unref()
    }
  }

  /** Ends the thread; reads in flight are rejected. */
  async close(): Promise<void> {
    await this.#worker.terminate()
    await this.#exited
  }

  #settle(message: FromReader): void {
    const waiting = this.#waiting.get(message.id)
    if (message.kind === 'samples') waiting?.resolve(message.samples)
    else waiting?.reject(errorOf(message.fault))
  }

  #send(message: ToReader, handedOver: readonly ArrayBuffer[] = []): void {
    this.#worker.postMessage(message, handedOver)
  }
}
