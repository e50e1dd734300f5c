import { Worker } from 'node:worker_threads'

/** What a thread is started with. */
export interface WorkerOptions {
  readonly data: unknown
  /** Memory of its JavaScript objects, MiB; by default that of the process. */
  readonly heapMb?: number
}

/** What happens in one life of a thread. */
export interface WorkerEvents<FromWorker> {
  readonly onMessage: (message: FromWorker) => void
  /** It has ended; `cause` states why, if it was an error. */
  readonly onExit: () => void
}

/** One life of a worker thread: messages to it and from it, and why it ended. */
export class WorkerLink<ToWorker, FromWorker> {
  readonly #worker: Worker
  readonly #exited: Promise<void>
  #cause: Error | null = null

  /** `entry` is compiled JavaScript. Messages may be sent before the thread has started. */
  constructor(entry: string, { data, heapMb }: WorkerOptions, { onMessage, onExit }: WorkerEvents<FromWorker>) {
    const limits = heapMb === undefined ? {} : { resourceLimits: { maxOldGenerationSizeMb: heapMb } }
    this.#worker = new Worker(entry, { workerData: data, execArgv: [], ...limits })
    this.#worker.on('message', onMessage)
    this.#worker.on('error', (error: Error) => (this.#cause = error))
    this.#exited = new Promise(resolve => {
      this.#worker.once('exit', () => {
        onExit()
        resolve()
      })
    })
  }

  /** The error that ended the thread; null while it runs and after an orderly end. */
  get cause(): Error | null {
    return this.#cause
  }

  /** Whether the thread ended because it needed more than `heapMb`. */
  get isOutOfMemory(): boolean {
    return this.#cause !== null && 'code' in this.#cause && this.#cause.code === 'ERR_WORKER_OUT_OF_MEMORY'
  }

  /** Resolves when the thread has ended. */
  get exited(): Promise<void> {
    return this.#exited
  }

  /** Copies the message, except for the buffers that are handed over. */
  send(message: ToWorker, handedOver: readonly ArrayBufferLike[] = []): void {
    this.#worker.postMessage(message, handedOver as readonly ArrayBuffer[])
  }

  /** Whether the thread keeps the process alive: while it has work. */
  keepProcess(isBusy: boolean): void {
    if (isBusy) this.#worker.ref()
    else this.#worker.unref()
  }

  /** Ends the thread at once; resolves when it has ended. */
  async terminate(): Promise<void> {
    await this.#worker.terminate()
    await this.#exited
  }
}
