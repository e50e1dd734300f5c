import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { lowerThreadPriority } from '../../../../threads/lower-thread-priority.js'
import { InfluxQueries } from '../../client/influx-queries.js'
import { buffersOf, packSamples, type PackedSamples } from '../packed-samples.js'
import { readSamples } from '../read-samples.js'
import { readWindows } from '../read-windows.js'
import { unpackRequestedSeries } from '../requested-series.js'
import { faultOf, type FromReader, type ReaderOptions, type ReadRequest, type ToReader } from './messages.js'

// Entry of a thread that reads samples from InfluxDB, many reads at once: it may be ended at any moment.

class Thread {
  readonly #port: MessagePort
  readonly #queries: InfluxQueries
  readonly #reads = new Map<number, AbortController>()

  constructor(port: MessagePort, { queryTimeoutMs, ...connection }: ReaderOptions) {
    this.#port = port
    this.#queries = new InfluxQueries(connection, queryTimeoutMs)
  }

  receive(message: ToReader): void {
    if (message.kind === 'abort') this.#reads.get(message.id)?.abort()
    else void this.#response(message.id, message.request)
  }

  async #response(id: number, request: ReadRequest): Promise<void> {
    const aborting = new AbortController()
    this.#reads.set(id, aborting)
    try {
      const samples = await this.#read(request, aborting.signal)
      this.#send({ kind: 'samples', id, samples }, buffersOf(samples))
    } catch (error) {
      if (!aborting.signal.aborted) this.#send({ kind: 'failed', id, fault: faultOf(error) })
    } finally {
      this.#reads.delete(id)
    }
  }

  async #read({ series, labels, windows, ...requested }: ReadRequest, signal: AbortSignal): Promise<PackedSamples> {
    const required = { ...requested, series: unpackRequestedSeries(series), labels: new Set(labels) }
    const found =
      windows === undefined
        ? await readSamples(this.#queries, required, signal)
        : await readWindows(this.#queries, { ...required, windows }, signal)
    return packSamples(
      required.series.map(({ key }) => found.get(key)),
      signal
    )
  }

  #send(message: FromReader, handedOver: readonly ArrayBuffer[] = []): void {
    this.#port.postMessage(message, handedOver)
  }
}

if (!parentPort) throw new Error('this is the entry of a thread')
lowerThreadPriority()
const thread = new Thread(parentPort, workerData as ReaderOptions)
parentPort.on('message', (message: ToReader) => thread.receive(message))
