import { GatewayError } from '../../../domain/errors.js'
import type { NamespaceId } from '../../../domain/ids.js'
import type { MetricPoint } from '../../../domain/metric-point.js'
import type { AppendResult, Batch } from '../../../ports/append.js'
import type { Clock } from '../../../ports/clock.js'
import type { QueueBudget } from '../../shared/queue-budget.js'
import type { InfluxClient } from '../client/influx-client.js'
import { statusOf, storeError } from '../client/influx-errors.js'
import type { InfluxLimits } from '../limits.js'
import { type BucketPlace, type BucketPlaces, deleted } from '../places/bucket-places.js'
import type { NamespaceSeries } from '../series/namespace-series.js'
import type { SeriesRegistry } from '../series/series-registry.js'
import type { SeriesSaver } from '../series/series-saver.js'
import { touch } from '../series/series.js'
import { BucketQueue } from './bucket-queue.js'
import { type LineChunk, planLines, type WritePlan } from './plan-lines.js'
import { RecentBatches } from './recent-batches.js'
import { type Refusal, sendLines } from './send-lines.js'

/** As `Promise.all`, but rejects only when none is in progress any more: what they hold may then be let go. */
async function allDone<const T extends readonly Promise<unknown>[]>(
  promises: T
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(promises)
  return Promise.all(promises)
}

/** Dependencies of `MetricWriter`. */
export interface MetricWriterDeps {
  readonly client: InfluxClient
  readonly places: BucketPlaces
  readonly registry: SeriesRegistry
  readonly saver: SeriesSaver
  readonly budget: QueueBudget
  readonly clock: Clock
  readonly retentionOf: (ns: NamespaceId) => number | null
  readonly limits: InfluxLimits
}

const NS_PER_MS = 1_000_000n
const NO_LIMIT_NS = -(1n << 63n)

/** The writing half of `MetricStore` on InfluxDB. */
export class MetricWriter {
  readonly #parts: MetricWriterDeps
  readonly #recent: RecentBatches
  readonly #queues = new Map<string, BucketQueue>()
  readonly #running = new Map<NamespaceId, Set<Promise<unknown>>>()
  #isClosed = false

  constructor(parts: MetricWriterDeps) {
    this.#parts = parts
    this.#recent = new RecentBatches(parts.limits.maxRecentBatches)
  }

  /** Write requests in flight. */
  get requests(): number {
    let running = 0
    for (const queue of this.#queues.values()) running += queue.running
    return running
  }

  /** As `MetricStore.append`. */
  async append(ns: NamespaceId, { ingestId, items }: Batch<MetricPoint>): Promise<AppendResult> {
    if (this.#isClosed) throw new GatewayError('store_unavailable', 'the metric store is closed')
    if (this.#parts.places.isDropped(ns)) throw deleted()
    return this.#recent.once(ns, ingestId, () => this.#tracked(ns, this.#append(ns, items)))
  }

  /** Refuses what waits for the namespace and resolves when nothing of it is in progress. */
  async discard(ns: NamespaceId): Promise<void> {
    for (const queue of this.#queues.values()) queue.discard(ns, deleted())
    await Promise.allSettled([...(this.#running.get(ns) ?? [])])
    for (const [bucket, queue] of this.#queues) if (queue.isIdle) this.#queues.delete(bucket)
  }

  /** Takes no more, and resolves when what was taken has its result. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.allSettled([...this.#running.values()].flatMap(running => [...running]))
  }

  async #tracked<T>(ns: NamespaceId, work: Promise<T>): Promise<T> {
    const running = this.#running.get(ns) ?? new Set()
    this.#running.set(ns, running)
    running.add(work)
    try {
      return await work
    } finally {
      running.delete(work)
      if (running.size === 0) this.#running.delete(ns)
    }
  }

  async #append(ns: NamespaceId, items: readonly MetricPoint[]): Promise<AppendResult> {
    try {
      const place = await this.#parts.places.take(ns)
      return await this.#parts.registry.write(ns, known => this.#write(ns, place, known, items))
    } catch (error) {
      throw storeError(error, 'writing points')
    }
  }

  async #write(
    ns: NamespaceId,
    place: BucketPlace,
    known: NamespaceSeries,
    items: readonly MetricPoint[]
  ): Promise<AppendResult> {
    const { limits, saver, budget } = this.#parts
    const plan = planLines(known, items, {
      pooledNs: place.pooledNs,
      oldestNs: this.#oldestNs(ns),
      maxChunkPoints: limits.requestPoints
    })
    const sizeBytes = plan.chunks.reduce((sum, chunk) => sum + chunk.sizeBytes, 0)
    budget.take(ns, sizeBytes)
    let refused: ReadonlyMap<number, string>
    try {
      const saved = plan.unsaved.size > 0 ? saver.save(ns, plan.unsaved) : Promise.resolve()
      if (plan.renewed.size > 0) saver.renew(ns, plan.renewed)
      ;[refused] = await allDone([this.#send(ns, place, plan), saved])
    } finally {
      budget.give(ns, sizeBytes)
    }
    for (const [at, reason] of refused) plan.failures.push({ index: items[at]!.index, reason })
    items.forEach((point, at) => {
      const series = plan.series[at]
      if (series && !refused.has(at)) touch(series, point.timestampNs)
    })
    return { accepted: items.length - plan.failures.length, deduplicated: 0, failures: plan.failures }
  }

  /** Why points were refused, by their place in the batch. */
  async #send(ns: NamespaceId, place: BucketPlace, { chunks }: WritePlan): Promise<ReadonlyMap<number, string>> {
    const refused = new Map<number, string>()
    const sent = await allDone(chunks.map(chunk => this.#sendChunk(ns, place, chunk)))
    sent.forEach((refusals, i) => {
      for (const { line, reason } of refusals) refused.set(chunks[i]!.places[line]!, reason)
    })
    return refused
  }

  async #sendChunk(ns: NamespaceId, { bucket }: BucketPlace, chunk: LineChunk): Promise<readonly Refusal[]> {
    try {
      return await this.#queueOf(bucket).write(ns, chunk)
    } catch (error) {
      if (statusOf(error) !== 404) throw error
    }
    // The bucket is gone: with its namespace, or by someone's hand.
    const { places } = this.#parts
    places.forget(ns)
    await places.take(ns)
    return this.#queueOf(bucket).write(ns, chunk)
  }

  #queueOf(bucket: string): BucketQueue {
    const known = this.#queues.get(bucket)
    if (known) return known
    const { client, limits } = this.#parts
    const queue = new BucketQueue({
      send: text => sendLines(client, bucket, text),
      requestPoints: limits.requestPoints,
      requestBytes: limits.requestBytes,
      maxRequests: limits.requestsPerBucket
    })
    this.#queues.set(bucket, queue)
    return queue
  }

  #oldestNs(ns: NamespaceId): bigint {
    const keptMs = this.#parts.retentionOf(ns)
    return keptMs === null ? NO_LIMIT_NS : this.#parts.clock.nowNs() - BigInt(keptMs) * NS_PER_MS
  }
}
