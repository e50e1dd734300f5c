import type { DuckDBConnection } from '@duckdb/node-api'
import type { NamespaceId } from '../../../domain/ids.js'
import type { MetricType } from '../../../domain/metric-point.js'
import { isOverflow, MAX_OVERFLOW_SERIES } from '../../../domain/overflow.js'
import { queryRows } from '../process/sql.js'
import type { KnownSeries, SeriesLookup } from '../read/series-lookup.js'
import type { SentSeries } from '../wire/calls.js'
import { labelsJson, parseSeriesKey, storedSeriesKey } from '../wire/points.js'
import { HeldSeries, isOverflowKey } from './held-series.js'
import type { UniqueNumbers } from './unique-numbers.js'

/** A series in memory; its times move with every point. */
export interface Series extends KnownSeries {
  readonly key: string
  readonly labelsJson: string
  firstSeenNs: bigint
  lastSeenNs: bigint
}

/** A series that the running transaction makes. */
export interface StagedSeries {
  readonly ns: NamespaceId
  readonly series: Series
}

/** What was decided about the series of a request. */
export interface Admission {
  /** Positions of the series that are beyond the limit. */
  readonly refused: readonly number[]
  /** Keys of new series that have a place. */
  readonly held: readonly string[]
}

interface NamespaceSeries {
  readonly byKey: Map<string, Series>
  readonly byName: Map<string, Set<Series>>
  /** Overflow series among them. */
  overflow: number
}

interface SeriesRow {
  readonly ns: NamespaceId
  readonly id: bigint
  readonly name: string
  readonly type: MetricType
  readonly labels: string
  readonly first_ns: bigint
  readonly last_ns: bigint
}

const LATEST = (1n << 63n) - 1n
const EARLIEST = -(1n << 63n)

/** All series of all namespaces, in memory and in the `series` table. New ones count once their transaction is committed. */
export class SeriesRegistry implements SeriesLookup {
  readonly #numbers: UniqueNumbers
  readonly #maxSeries: number
  readonly #namespaces = new Map<NamespaceId, NamespaceSeries>()
  readonly #held = new Map<NamespaceId, HeldSeries>()
  #staged: StagedSeries[] = []

  constructor(numbers: UniqueNumbers, maxSeries: number) {
    this.#numbers = numbers
    this.#maxSeries = maxSeries
  }

  /** Reads the table, and the points of `hotTables` for what the table does not know yet. */
  async load(connection: DuckDBConnection, hotTables: readonly string[]): Promise<void> {
    const byId = new Map<bigint, Series>()
    for (const row of await queryRows<SeriesRow>(connection, 'SELECT * FROM hot.main.series')) {
      const { key, labels } = storedSeriesKey(row.name, row.labels)
      const seen = { firstSeenNs: row.first_ns, lastSeenNs: row.last_ns }
      const series = { id: row.id, key, name: row.name, type: row.type, labels, labelsJson: row.labels, ...seen }
      this.#add({ ns: row.ns, series })
      byId.set(row.id, series)
    }
    for (const table of hotTables) {
      const sql = `SELECT series, min(ts) AS low, max(ts) AS high FROM ${table} GROUP BY series`
      for (const { series, low, high } of await queryRows<{ series: bigint; low: bigint; high: bigint }>(connection, sql)) {
        const known = byId.get(series)
        if (known) touch(known, low, high)
      }
    }
  }

  /** Series of all namespaces. */
  get size(): number {
    let size = 0
    for (const { byKey } of this.#namespaces.values()) size += byKey.size
    return size
  }

  sizeOf(ns: NamespaceId): number {
    return this.#namespaces.get(ns)?.byKey.size ?? 0
  }

  *ofNamespace(ns: NamespaceId, name?: string): Iterable<KnownSeries> {
    const known = this.#namespaces.get(ns)
    if (!known) return
    if (name === undefined) yield* known.byKey.values()
    else yield* known.byName.get(name) ?? []
  }

  /** Decides which series of a request are beyond the namespace's limit, and holds places for the new ones. */
  admit(ns: NamespaceId, sent: readonly SentSeries[]): Admission {
    const known = this.#namespaces.get(ns)
    const held = this.#held.get(ns) ?? new HeldSeries()
    const refused: number[] = []
    const keys: string[] = []
    for (const [position, { key }] of sent.entries()) {
      if (known?.byKey.has(key)) continue
      if (!held.has(key) && !this.#hasPlace(known, held, key)) {
        refused.push(position)
        continue
      }
      held.hold(key)
      keys.push(key)
    }
    if (held.size > 0) this.#held.set(ns, held)
    return { refused, held: keys }
  }

  /** Overflow series have places of their own: what is beyond the budget goes there. Neither kind takes those of the other. */
  #hasPlace(known: NamespaceSeries | undefined, held: HeldSeries, key: string): boolean {
    const overflow = (known?.overflow ?? 0) + held.overflow
    if (isOverflowKey(key)) return overflow < MAX_OVERFLOW_SERIES
    return (known?.byKey.size ?? 0) + held.size - overflow < this.#maxSeries
  }

  /** A request that was admitted will not be stored. */
  release(ns: NamespaceId, { held: keys }: Admission): void {
    const held = this.#held.get(ns)
    for (const key of keys) held?.release(key)
    if (held?.size === 0) this.#held.delete(ns)
  }

  /** The series of an admitted request, new ones staged; null for those that were refused. */
  stage(ns: NamespaceId, sent: readonly SentSeries[], refused: readonly number[]): (Series | null)[] {
    const isRefused = new Set(refused)
    const known = this.#of(ns)
    return sent.map((each, position) =>
      isRefused.has(position) ? null : (known.byKey.get(each.key) ?? this.#stageNew(ns, each))
    )
  }

  #stageNew(ns: NamespaceId, sent: SentSeries): Series {
    const staged = { ns, series: this.#create(sent) }
    this.#staged.push(staged)
    this.#add(staged)
    // From here on it is counted among the known ones.
    const held = this.#held.get(ns)
    held?.delete(sent.key)
    if (held?.size === 0) this.#held.delete(ns)
    return staged.series
  }

  get maxSeries(): number {
    return this.#maxSeries
  }

  get limitReason(): string {
    return `the namespace has reached its limit of ${this.#maxSeries} active series`
  }

  /** What `stage` made since the last `settle` or `forget`. */
  get staged(): readonly StagedSeries[] {
    return this.#staged
  }

  /** The transaction is committed. */
  settle(): void {
    this.#staged = []
  }

  /** The transaction is rolled back. */
  forget(): void {
    for (const { ns, series } of this.#staged) this.#remove(ns, series)
    this.#staged = []
  }

  /** Forgets the series of a namespace whose last sample is before `beforeNs`; answers their ids. */
  prune(ns: NamespaceId, beforeNs: bigint = LATEST): bigint[] {
    if (beforeNs === LATEST) this.#held.delete(ns)
    const known = this.#namespaces.get(ns)
    if (!known) return []
    const old = [...known.byKey.values()].filter(series => series.lastSeenNs < beforeNs)
    for (const series of old) this.#remove(ns, series)
    return old.map(({ id }) => id)
  }

  #create({ key, type }: SentSeries): Series {
    const { name, labels } = parseSeriesKey(key)
    const seen = { firstSeenNs: LATEST, lastSeenNs: EARLIEST }
    return { id: this.#numbers.next(), key, name, type, labels, labelsJson: labelsJson(labels), ...seen }
  }

  #of(ns: NamespaceId): NamespaceSeries {
    const known = this.#namespaces.get(ns) ?? { byKey: new Map(), byName: new Map(), overflow: 0 }
    this.#namespaces.set(ns, known)
    return known
  }

  #add({ ns, series }: StagedSeries): void {
    const known = this.#of(ns)
    known.byKey.set(series.key, series)
    if (isOverflow(series.labels)) known.overflow++
    const named = known.byName.get(series.name) ?? new Set()
    named.add(series)
    known.byName.set(series.name, named)
  }

  #remove(ns: NamespaceId, series: Series): void {
    const known = this.#of(ns)
    if (known.byKey.delete(series.key) && isOverflow(series.labels)) known.overflow--
    const named = known.byName.get(series.name)
    named?.delete(series)
    if (named?.size === 0) known.byName.delete(series.name)
    if (known.byKey.size === 0) this.#namespaces.delete(ns)
  }
}

/** Widens the times of a series. */
export function touch(series: Series, lowNs: bigint, highNs: bigint): void {
  if (lowNs < series.firstSeenNs) series.firstSeenNs = lowNs
  if (highNs > series.lastSeenNs) series.lastSeenNs = highNs
}
