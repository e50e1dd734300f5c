import { GatewayError } from '../../../domain/errors.js'
import type { NamespaceId } from '../../../domain/ids.js'
import type { PackedSamples } from './packed-samples.js'
import { ReaderThread } from './reader-thread.js'
import type { ReaderOptions, ReadRequest } from './thread/messages.js'
import { entryFile } from '../../../threads/entry-file.js'

/** One thread per namespace is enough; the other is for concurrent namespaces. */
const MAX_THREADS = 2

/** How many threads read, and for how long. */
export interface ReaderThreadsOptions extends ReaderOptions {
  /** Reads that may be in flight; one namespace may contain half of them. */
  readonly maxReads: number
  /** Compiled entry of the threads; default: the one next to this file. */
  readonly entry?: string
}

/**
 * Threads that read samples from InfluxDB, started when they are first needed. All that a namespace reads at one time is
 * read by one thread, so that its large reads delay others only where a third namespace reads too.
 */
export class ReaderThreads {
  readonly #options: ReaderOptions
  readonly #maxReads: number
  readonly #entry: string
  /** The namespaces of the reads that each has in flight. */
  readonly #threads = new Map<ReaderThread, NamespaceId[]>()
  #isClosed = false
  #refused = 0

  constructor({ maxReads, entry, ...options }: ReaderThreadsOptions) {
    this.#options = options
    this.#maxReads = maxReads
    this.#entry = entry ?? entryFile('influxdb-thread')
  }

  /** Reads in flight. */
  get reads(): number {
    let reads = 0
    for (const namespaces of this.#threads.values()) reads += namespaces.length
    return reads
  }

  /** Reads that were refused because too many were in flight. */
  get refused(): number {
    return this.#refused
  }

  /** As `ReaderThread.read`; `overloaded` when too many reads are in flight. */
  async read(ns: NamespaceId, request: ReadRequest, signal: AbortSignal): Promise<PackedSamples> {
    signal.throwIfAborted()
    this.#admit(ns)
    const [thread, namespaces] = this.#threadFor(ns)
    namespaces.push(ns)
    try {
      return await thread.read(request, signal)
    } finally {
      namespaces.splice(namespaces.indexOf(ns), 1)
    }
  }

  /** Ends all threads; reads in flight are rejected. The second call does nothing. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([...this.#threads.keys()].map(thread => thread.close()))
  }

  #admit(ns: NamespaceId): void {
    if (this.#isClosed) throw new GatewayError('store_unavailable', 'the metric store is closed', { retryAfterS: 1 })
    let ofOne = 0
    for (const namespaces of this.#threads.values()) for (const each of namespaces) if (each === ns) ofOne++
    if (this.reads < this.#maxReads && ofOne < this.#maxReads / 2) return
    this.#refused++
    throw new GatewayError('overloaded', 'too many reads of metrics are in flight', { retryAfterS: 1 })
  }

  #threadFor(ns: NamespaceId): readonly [ReaderThread, NamespaceId[]] {
    let best: readonly [ReaderThread, NamespaceId[]] | null = null
    for (const each of this.#threads) {
      if (each[1].includes(ns)) return each
      if (best === null || each[1].length < best[1].length) best = each
    }
    if (best !== null && (best[1].length === 0 || this.#threads.size >= MAX_THREADS)) return best
    const thread: ReaderThread = new ReaderThread(this.#entry, this.#options, () => this.#threads.delete(thread))
    const namespaces: NamespaceId[] = []
    this.#threads.set(thread, namespaces)
    return [thread, namespaces]
  }
}
