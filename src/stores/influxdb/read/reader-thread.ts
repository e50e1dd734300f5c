import { GatewayError } from '../../../domain/errors.js'
import { WorkerLink } from '../../../threads/worker-link.js'
import type { PackedSamples } from './packed-samples.js'
import { errorOf, type FromReader, type ReaderOptions, type ReadRequest, type ToReader } from './thread/messages.js'

/** Memory of JavaScript objects; samples are outside of it and are bounded by each read. */
const HEAP_MB = 512

interface PendingRead {
  readonly resolve: (samples: PackedSamples) => void
  readonly reject: (error: unknown) => void
}

function ended({ cause, isOutOfMemory }: WorkerLink<ToReader, FromReader>): GatewayError {
  const why = isOutOfMemory ? `needed more than ${HEAP_MB} MiB of memory` : 'has ended'
  return new GatewayError('store_unavailable', `the thread that reads InfluxDB ${why}`, { cause, retryAfterS: 1 })
}

/** One life of a thread that reads samples from InfluxDB, many reads at once. */
export class ReaderThread {
  readonly #link: WorkerLink<ToReader, FromReader>
  readonly #waiting = new Map<number, PendingRead>()
  #lastId = 0

  /** `entry` is compiled JavaScript. `onEnd` is called when the thread has ended; its reads are rejected then. */
  constructor(entry: string, options: ReaderOptions, onEnd: () => void) {
    this.#link = new WorkerLink(
      entry,
      { data: options, heapMb: HEAP_MB },
      {
        onMessage: message => this.#settle(message),
        onExit: () => {
          onEnd()
          for (const { reject } of this.#waiting.values()) reject(ended(this.#link))
          this.#waiting.clear()
        }
      }
    )
    this.#link.keepProcess(false)
  }

  /** Rejects with what reading threw, with the reason of the signal, with `store_unavailable` when the thread ends. */
  async read(request: ReadRequest, signal: AbortSignal): Promise<PackedSamples> {
    const id = ++this.#lastId
    let onAbort = (): void => undefined
    try {
      return await new Promise((resolve, reject) => {
        onAbort = () => {
          this.#link.send({ kind: 'abort', id })
          reject(signal.reason as Error)
        }
        signal.addEventListener('abort', onAbort)
        this.#waiting.set(id, { resolve, reject })
        this.#link.keepProcess(true)
        this.#link.send({ kind: 'read', id, request }, [request.series.lengths.buffer])
      })
    } finally {
      signal.removeEventListener('abort', onAbort)
      this.#waiting.delete(id)
      // An idle thread does not keep the process alive.
      if (this.#waiting.size === 0) this.#link.keepProcess(false)
    }
  }

  /** Ends the thread; reads in flight are rejected. */
  close(): Promise<void> {
    return this.#link.terminate()
  }

  #settle(message: FromReader): void {
    const waiting = this.#waiting.get(message.id)
    if (message.kind === 'samples') waiting?.resolve(message.samples)
    else waiting?.reject(errorOf(message.fault))
  }
}
