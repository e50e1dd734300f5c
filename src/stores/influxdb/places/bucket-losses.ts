import { GatewayError } from '../../../domain/errors.js'
import type { NamespaceId } from '../../../domain/ids.js'
import type { JobMonitor } from '../../../ports/background-jobs.js'
import type { Clock } from '../../../ports/clock.js'
import type { Cut } from '../../../domain/warning.js'
import type { GapSignal, ReadGaps } from '../../../ports/read-gaps.js'
import { deletionCut } from '../../shared/cuts.js'
import type { StorePlaces } from '../../../ports/series-catalog.js'
import type { Buckets } from '../client/buckets.js'
import { DROPPED, LOST, MADE, PLACES } from './place-names.js'

/** What the detection of losses works with. */
export interface LossesOptions {
  readonly places: StorePlaces
  readonly buckets: Pick<Buckets, 'exists'>
  readonly clock: Clock
  /** Maximum age of what was read of the shared table, in milliseconds; null when no other process writes to it. */
  readonly refreshMs: number | null
  /** Gets the outcomes of reading the table again. */
  readonly monitor: JobMonitor
}

const NS_PER_MS = 1_000_000n

/** Buckets that were deleted externally: remembered in the shared table, and reported to readers of their namespaces. */
export class BucketLosses implements ReadGaps {
  readonly #options: LossesOptions
  readonly #made = new Set<NamespaceId>()
  #lostAtMs: ReadonlyMap<NamespaceId, number> = new Map()
  #readAtMs = -Infinity
  #reading: Promise<void> | null = null

  constructor(options: LossesOptions) {
    this.#options = options
  }

  /** Namespaces whose bucket was lost, with the time of the last loss in Unix milliseconds. */
  get lost(): ReadonlyMap<NamespaceId, number> {
    return this.#lostAtMs
  }

  /** Whether the bucket of the namespace was ever seen: one that is missing then is a loss. */
  wasMade(ns: NamespaceId): boolean {
    return this.#made.has(ns)
  }

  of(ns: NamespaceId, signal: GapSignal, range: { readonly startNs: bigint }): readonly Cut[] {
    const lostAtMs = this.#lostAtMs.get(ns)
    if (signal !== 'metrics' || lostAtMs === undefined || range.startNs >= BigInt(lostAtMs) * NS_PER_MS) return []
    return [deletionCut('metrics', lostAtMs, 'a bucket')]
  }

  /** Reads the table unless that was done lately. Rejects only when it was never read: what was known goes on being used. */
  async refresh(): Promise<void> {
    const { clock, refreshMs, monitor } = this.#options
    if (this.#readAtMs > -Infinity && clock.monotonicMs() - this.#readAtMs < (refreshMs ?? Infinity)) return
    try {
      await (this.#reading ??= this.read().finally(() => (this.#reading = null)))
      monitor.succeeded()
    } catch (error) {
      monitor.failed(error)
      if (this.#readAtMs === -Infinity) throw error
    }
  }

  /** Reads the table now. */
  async read(): Promise<void> {
    const { places, clock } = this.#options
    const startedMs = clock.monotonicMs()
    const [made, lost] = [await places.all(MADE), await places.all(LOST)]
    for (const ns of made.keys()) this.#made.add(ns)
    this.#lostAtMs = new Map(Array.from(lost, ([ns, at]) => [ns, Number(at)]))
    this.#readAtMs = startedMs
  }

  /** Notes that the bucket of the namespace exists. */
  async noteMade(ns: NamespaceId): Promise<void> {
    await this.refresh()
    if (this.#made.has(ns)) return
    const { places, clock } = this.#options
    await places.setOnce(MADE, ns, String(clock.nowMs()))
    this.#made.add(ns)
  }

  /** Notes that a bucket is gone, for each namespace that had it. Namespaces that are being deleted lose it on purpose. */
  async noteLost(bucket: string): Promise<void> {
    const { places, clock } = this.#options
    const [given, made] = [await places.all(PLACES), await places.all(MADE)]
    // Read last: a namespace is marked as deleted before its bucket goes.
    const dropped = await places.all(DROPPED)
    const lostAt = String(clock.nowMs())
    for (const [ns, place] of given) {
      if (place === bucket && made.has(ns) && !dropped.has(ns)) await places.set(LOST, ns, lostAt)
    }
    await this.read()
  }

  /**
   * Handles a read that found no such bucket. Returns if there is nothing new to report: nothing was ever written, the namespace
   * is deleted, or the loss is known. Else throws `store_unavailable`, after the loss was recorded: an empty result would look
   * complete.
   */
  async meet(ns: NamespaceId, bucket: string): Promise<void> {
    await this.read()
    if (this.#lostAtMs.has(ns)) return
    const { places, buckets } = this.#options
    if ((await places.of(MADE, ns)) === null || (await places.of(DROPPED, ns)) !== null) return
    const isThere = await buckets.exists(bucket)
    // One that is there again was created again by another gateway, which noted the loss first.
    await (isThere ? this.read() : this.noteLost(bucket))
    throw this.#lostAtMs.has(ns) ? lostBucket(bucket) : unfoundBucket(bucket)
  }

  /** Forgets a namespace that is deleted. */
  async forget(ns: NamespaceId): Promise<void> {
    const { places } = this.#options
    await places.remove(MADE, ns)
    await places.remove(LOST, ns)
    this.#made.delete(ns)
    await this.read()
  }
}

/** The error of the read that meets a loss first; later reads return what is left, and report the gap. */
function lostBucket(bucket: string): GatewayError {
  const sentence = 'a bucket of the metric store was deleted and its points are lost; retry to read the remaining ones'
  return new GatewayError('store_unavailable', sentence, { diagnosis: `${bucket} was deleted`, retryAfterS: 1 })
}

/** The result to a read that did not find a bucket which is there. */
function unfoundBucket(bucket: string): GatewayError {
  const diagnosis = `InfluxDB lists ${bucket} but does not find it`
  return new GatewayError('store_unavailable', 'InfluxDB returned status 404', { diagnosis, retryAfterS: 1 })
}
