import type { NamespaceId } from '../../../domain/ids.js'
import type { JobMonitor } from '../../../ports/background-jobs.js'
import type { Clock } from '../../../ports/clock.js'
import type { ControlChanges } from '../../../ports/control-changes.js'
import type { SeriesCatalog } from '../../../ports/series-catalog.js'
import { NamespaceSeries } from './namespace-series.js'
import { NEVER_LAST_NS, storedSeriesKey, type Series } from './series.js'

/** What the registry works with. */
export interface RegistryOptions {
  readonly catalog: SeriesCatalog
  readonly clock: Clock
  /** Active series of one namespace. */
  readonly maxSeries: number
  /** Series in memory before idle namespaces are forgotten. */
  readonly maxLoadedSeries: number
  /** How old a read's view of the catalog may be; null when no other process writes to it. */
  readonly refreshMs: number | null
  /** News of series that other gateways added; null when none come. */
  readonly news?: Pick<ControlChanges, 'subscribe'> | null | undefined
  /** Gets the outcomes of reading the catalog again. */
  readonly refresh: JobMonitor
}

/** So many times as long as it takes to read the catalog it is not read again. */
const LOAD_SHARE = 10

interface RegisteredSeries {
  readonly series: NamespaceSeries
  ready: Promise<void>
  isRefreshing: boolean
  loadedAtMs: number
  /** How long reading the catalog took. */
  loadMs: number
  /** Another gateway has added series since. */
  isBehind: boolean
  users: number
}

/** The series of all namespaces in memory, read from the catalog on the first request for a namespace. */
export class SeriesRegistry {
  readonly #options: RegistryOptions
  /** The one used last is last. */
  readonly #entries = new Map<NamespaceId, RegisteredSeries>()

  constructor(options: RegistryOptions) {
    this.#options = options
    options.news?.subscribe(change => {
      if (change.kind === 'series') this.#fallBehind(change.namespaceId)
      if (change.kind === 'anything') for (const ns of this.#entries.keys()) this.#fallBehind(ns)
    })
  }

  /** Whether other gateways write to the catalog. */
  get isShared(): boolean {
    return this.#options.refreshMs !== null
  }

  /** The limit of active series of a namespace. */
  get maxSeries(): number {
    return this.#options.maxSeries
  }

  /** Series in memory. */
  get size(): number {
    let size = 0
    for (const { series } of this.#entries.values()) size += series.size
    return size
  }

  /** Works with the series of a namespace, which stay in memory meanwhile. */
  async write<T>(ns: NamespaceId, work: (series: NamespaceSeries) => Promise<T>): Promise<T> {
    const entry = this.#entry(ns)
    entry.users++
    try {
      await entry.ready
      return await work(entry.series)
    } finally {
      entry.users--
    }
  }

  /** The series as read from the catalog, at most `refreshMs` ago, and as this process has written them. */
  async read(ns: NamespaceId): Promise<NamespaceSeries> {
    const entry = this.#entry(ns)
    this.#refreshWhenOld(ns, entry)
    await entry.ready
    return entry.series
  }

  /** The namespace, when it is in memory. */
  peek(ns: NamespaceId): NamespaceSeries | undefined {
    return this.#entries.get(ns)?.series
  }

  forget(ns: NamespaceId): void {
    this.#entries.delete(ns)
  }

  #entry(ns: NamespaceId): RegisteredSeries {
    const entry = this.#entries.get(ns) ?? this.#open(ns)
    this.#entries.delete(ns)
    this.#entries.set(ns, entry)
    return entry
  }

  #open(ns: NamespaceId): RegisteredSeries {
    this.#makeRoom()
    const series = new NamespaceSeries(this.#options.maxSeries)
    const entry: RegisteredSeries = {
      series,
      ready: Promise.resolve(),
      isRefreshing: false,
      loadedAtMs: 0,
      loadMs: 0,
      isBehind: false,
      users: 0
    }
    this.#load(ns, entry, () => {
      if (this.#entries.get(ns) === entry) this.#entries.delete(ns)
    })
    return entry
  }

  /** Whether a read of this moment would lack series that another gateway added: it is too early to read them all again. */
  lacksSeries(ns: NamespaceId): boolean {
    const entry = this.#entries.get(ns)
    return entry !== undefined && entry.isBehind && this.#isFresh(entry)
  }

  #isFresh({ isBehind, loadMs, loadedAtMs }: RegisteredSeries): boolean {
    const { clock, refreshMs } = this.#options
    if (refreshMs === null) return true
    // Reading many series takes long and is not done again at once for each new one.
    return clock.monotonicMs() - loadedAtMs < (isBehind ? Math.min(refreshMs, loadMs * LOAD_SHARE) : refreshMs)
  }

  #fallBehind(ns: NamespaceId): void {
    const entry = this.#entries.get(ns)
    if (entry) entry.isBehind = true
  }

  #refreshWhenOld(ns: NamespaceId, entry: RegisteredSeries): void {
    if (entry.isRefreshing || this.#isFresh(entry)) return
    // What fails leaves the old state; the next read tries again.
    this.#load(ns, entry, () => {
      entry.ready = Promise.resolve()
    })
  }

  #load(ns: NamespaceId, entry: RegisteredSeries, onFailure: () => void): void {
    entry.isRefreshing = true
    entry.ready = this.#readCatalog(ns, entry).finally(() => {
      entry.isRefreshing = false
    })
    const { refresh } = this.#options
    entry.ready.then(
      () => refresh.succeeded(),
      (error: unknown) => {
        refresh.failed(error, { namespace: ns })
        onFailure()
      }
    )
  }

  async #readCatalog(ns: NamespaceId, entry: RegisteredSeries): Promise<void> {
    const startedAtMs = this.#options.clock.monotonicMs()
    entry.isBehind = false
    const missing = savedSeries(entry.series)
    for await (const rows of this.#options.catalog.load(ns)) {
      entry.series.learn(rows)
      for (const row of rows) missing.delete(storedSeriesKey(row))
    }
    // Rows that another gateway has deleted, unless they were saved again meanwhile.
    for (const { series, savedToNs } of missing.values()) if (series.savedToNs === savedToNs) entry.series.remove(series)
    entry.loadedAtMs = startedAtMs
    entry.loadMs = this.#options.clock.monotonicMs() - startedAtMs
  }

  #makeRoom(): void {
    let size = this.size
    for (const [ns, { series, users, isRefreshing }] of this.#entries) {
      if (size < this.#options.maxLoadedSeries) return
      if (users > 0 || isRefreshing) continue
      size -= series.size
      this.#entries.delete(ns)
    }
  }
}

function savedSeries(series: NamespaceSeries): Map<string, { readonly series: Series; readonly savedToNs: bigint }> {
  const saved = new Map<string, { series: Series; savedToNs: bigint }>()
  for (const each of series.of()) {
    if (each.savedToNs > NEVER_LAST_NS) saved.set(each.key, { series: each, savedToNs: each.savedToNs })
  }
  return saved
}
