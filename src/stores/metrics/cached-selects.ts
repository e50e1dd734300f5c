import { LRUCache } from 'lru-cache'
import type { NamespaceId } from '../../domain/ids.js'
import type { MetricPoint, SeriesSamples } from '../../domain/metric-point.js'
import type { TimeRange } from '../../domain/time-range.js'
import type { AppendResult, Batch } from '../../ports/append.js'
import type { Clock } from '../../ports/clock.js'
import type { MetricStore, SelectRequest } from '../../ports/metric-store.js'
import { forwardingMetrics } from '../shared/forwarding-stores.js'
import { joinSamples, leastBytes, ownSamples, samplesBytes, sliceSamples } from './sample-slices.js'
import { windowGridOf, type WindowGrid } from './window-grid.js'
import { WriteLog } from './write-log.js'

/** What one selector read: complete in its range as of `version`. */
interface CachedSelect {
  readonly ns: NamespaceId
  readonly version: number
  readonly range: TimeRange
  /** The longest requested range; samples older than twice that are dropped. */
  readonly spanNs: bigint
  readonly series: readonly SeriesSamples[]
  readonly bytes: number
}

/** Part of the memory that one selector may take. */
const MAX_SHARE = 4
/** Approximate bytes of an entry without its samples and its selector. */
const ENTRY_BYTES = 512
/** Longer than any engine works on a write whose outcome is not known here. */
const UNCERTAIN_MS = 120_000

/**
 * `store` with a bounded cache of what selectors read last, so that a dashboard that repeats a query reads only new samples.
 * Exact for stores that are written through the returned store alone: every write reports the earliest time that it
 * changed, and what was read before it counts only up to there.
 */
export function cachedSelects(store: MetricStore, maxBytes: number, clock: Pick<Clock, 'monotonicMs'>): MetricStore {
  const cache = new SelectCache(store, maxBytes, clock)
  return {
    ...forwardingMetrics(store),
    append: (ns, batch) => cache.append(ns, batch),
    select: (ns, request, signal) => cache.select(ns, request, signal),
    deleteBefore: (ns, timeNs) => store.deleteBefore(ns, timeNs).finally(() => cache.forget(ns)),
    dropNamespace: ns => store.dropNamespace(ns).finally(() => cache.forget(ns))
  }
}

/**
 * Whether what was read can be joined with later reads. A read of windows leaves nothing out of series with histograms, but it
 * may leave samples out of the same series in a range that has none: the two do not go together.
 */
function canBeJoined({ windows }: SelectRequest, series: readonly SeriesSamples[]): boolean {
  return windows === undefined || series.every(({ histograms }) => histograms === undefined)
}

class SelectCache {
  readonly #store: MetricStore
  readonly #maxEntryBytes: number
  readonly #entries: LRUCache<string, CachedSelect>
  readonly #writes = new Map<NamespaceId, WriteLog>()
  readonly #uncertainUntilMs = new Map<NamespaceId, number>()
  readonly #clock: Pick<Clock, 'monotonicMs'>

  constructor(store: MetricStore, maxBytes: number, clock: Pick<Clock, 'monotonicMs'>) {
    this.#store = store
    this.#clock = clock
    this.#maxEntryBytes = maxBytes / MAX_SHARE
    this.#entries = new LRUCache({ maxSize: maxBytes, sizeCalculation: ({ bytes }) => bytes })
  }

  async append(ns: NamespaceId, batch: Batch<MetricPoint>): Promise<AppendResult> {
    try {
      const result = await this.#store.append(ns, batch)
      // Noted once it is visible: later reads have it.
      const log = this.#writes.get(ns)
      if (log === undefined) return result
      let lowNs: bigint | null = null
      for (const { timestampNs } of batch.items) if (lowNs === null || timestampNs < lowNs) lowNs = timestampNs
      const overflowNs = result.overflow?.fromNs
      if (overflowNs !== undefined && (lowNs === null || overflowNs < lowNs)) lowNs = overflowNs
      if (lowNs !== null) log.wrote(lowNs)
      return result
    } catch (error) {
      // It may become visible yet: an engine may go on with what was given up here.
      this.#uncertainUntilMs.set(ns, this.#clock.monotonicMs() + UNCERTAIN_MS)
      this.forget(ns)
      throw error
    }
  }

  async select(ns: NamespaceId, request: SelectRequest, signal: AbortSignal): Promise<readonly SeriesSamples[]> {
    signal.throwIfAborted()
    const isUncertain = (this.#uncertainUntilMs.get(ns) ?? 0) > this.#clock.monotonicMs()
    const grid = windowGridOf(request)
    if (isUncertain || grid === null) return this.#store.select(ns, request, signal)
    // What is read for some windows is of no use to others.
    const key = JSON.stringify([ns, request.matchers, grid.name])
    const known = this.#entries.peek(key)
    const goodUntilNs = known === undefined ? null : this.#goodUntil(known, grid)
    const { range } = request
    if (known === undefined || goodUntilNs === null || range.startNs < known.range.startNs || goodUntilNs <= range.startNs) {
      return this.#load(key, ns, request, signal)
    }
    const entry = range.endNs <= goodUntilNs ? known : await this.#extended(known, goodUntilNs, request, signal)
    if (entry === null) return this.#load(key, ns, request, signal)
    if (entry === known) this.#entries.get(key)
    else this.#keep(key, entry)
    const found = sliceSamples(entry.series, range)
    const samples = found.reduce((sum, { values }) => sum + values.length, 0)
    // The store names its own limit in the error.
    if (found.length > request.maxSeries || samples > request.maxSamples) return this.#store.select(ns, request, signal)
    return found
  }

  forget(ns: NamespaceId): void {
    this.#writes.get(ns)?.forget()
    for (const [key, entry] of [...this.#entries]) if (entry.ns === ns) this.#entries.delete(key)
  }

  #goodUntil({ ns, version, range }: CachedSelect, { endBefore }: WindowGrid): bigint | null {
    const changedNs = this.#log(ns).earliestSince(version)
    if (changedNs === 'unknown') return null
    return endBefore(changedNs === null || changedNs > range.endNs ? range.endNs : changedNs)
  }

  async #load(key: string, ns: NamespaceId, request: SelectRequest, signal: AbortSignal): Promise<readonly SeriesSamples[]> {
    const { version } = this.#log(ns)
    const series = await this.#store.select(ns, request, signal)
    const { range } = request
    if (canBeJoined(request, series)) this.#keep(key, { ns, version, range, spanNs: range.endNs - range.startNs, series })
    return series
  }

  /** What is known and what is new of a range, read up to now; null when they cannot be joined. */
  async #extended(
    known: CachedSelect,
    fromNs: bigint,
    request: SelectRequest,
    signal: AbortSignal
  ): Promise<Omit<CachedSelect, 'bytes'> | null> {
    const { ns } = known
    const { version } = this.#log(ns)
    const { endNs, startNs } = request.range
    const spanNs = endNs - startNs > known.spanNs ? endNs - startNs : known.spanNs
    const oldestNs = endNs - 2n * spanNs
    const range = { startNs: oldestNs > known.range.startNs ? oldestNs : known.range.startNs, endNs }
    const news = await this.#store.select(ns, { ...request, range: { startNs: fromNs, endNs } }, signal)
    if (!canBeJoined(request, news)) return null
    const series = joinSamples(sliceSamples(known.series, { startNs: range.startNs, endNs: fromNs }), news)
    return { ns, version, range, spanNs, series }
  }

  #keep(key: string, read: Omit<CachedSelect, 'bytes'>): void {
    // What is too large by its samples alone is not looked at any closer.
    if (leastBytes(read.series) > this.#maxEntryBytes) {
      this.#entries.delete(key)
      return
    }
    const series = ownSamples(read.series)
    // Results without series take memory too.
    const entry = { ...read, series, bytes: ENTRY_BYTES + 2 * key.length + samplesBytes(series) }
    const isOutdated = this.#log(entry.ns).earliestSince(entry.version) === 'unknown'
    if (isOutdated || entry.bytes > this.#maxEntryBytes) this.#entries.delete(key)
    else this.#entries.set(key, entry)
  }

  /** Made when a namespace is first read: writes before that change nothing that is remembered. */
  #log(ns: NamespaceId): WriteLog {
    const log = this.#writes.get(ns) ?? new WriteLog()
    this.#writes.set(ns, log)
    return log
  }
}
