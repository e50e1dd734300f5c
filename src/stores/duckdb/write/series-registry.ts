import type { DuckDBConnection } from '@duckdb/node-api'
import type { NamespaceId } from '../../../domain/ids.js'
import type { MetricType } from '../../../domain/metric-point.js'
import { isOverflow, MAX_OVERFLOW_SERIES } from '../../../domain/overflow.js'
import { parseSeriesKey } from '../../../domain/series-key.js'
import { queryRows } from '../process/sql.js'
import type { NumberedSeries, SeriesLookup } from '../read/series-lookup.js'
import type { NamedSeries, SentSeries } from '../wire/calls.js'
import { UnknownSeries } from '../wire/errors.js'
import { isNamed } from '../wire/packed-append.js'
import { storedLabels, storedSeriesKey } from '../wire/points.js'
import { HeldSeries, isOverflowKey } from './held-series.js'
import type { UniqueNumbers } from './unique-numbers.js'

/** A series in memory; its times move with every point. */
export interface Series extends NumberedSeries {
  readonly key: string
  readonly labelsJson: string
  firstSeenNs: bigint
  lastSeenNs: bigint
  /** Its row survives a power cut: its id may replace its labels. */
  isNumbered: boolean
  /** Requests on their way to it. */
  pins: number
}

/** The series of a request by position: those that are numbered, null for all others. They stay until they are let go. */
export type PinnedSeries = readonly (Series | null)[]

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
  readonly pinned: PinnedSeries
}

interface NamespaceSeries {
  readonly byKey: Map<string, Series>
  readonly byId: Map<bigint, Series>
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

const NUMBERED = { isNumbered: true, pins: 0 }
const LATEST = (1n << 63n) - 1n
const EARLIEST = -(1n << 63n)

/** All series of all namespaces, in memory and in the `series` table. New ones count once their transaction is committed. */
export class SeriesRegistry implements SeriesLookup {
  readonly #numbers: UniqueNumbers
  readonly #maxSeries: number
  readonly #namespaces = new Map<NamespaceId, NamespaceSeries>()
  readonly #held = new Map<NamespaceId, HeldSeries>()
  #staged: StagedSeries[] = []
  /** Committed, and not numbered yet. */
  #settled: Series[] = []

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
      const series = { id: row.id, key, name: row.name, type: row.type, labels, labelsJson: row.labels, ...seen, ...NUMBERED }
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

  *ofNamespace(ns: NamespaceId, name?: string): Iterable<NumberedSeries> {
    const known = this.#namespaces.get(ns)
    if (!known) return
    if (name === undefined) yield* known.byKey.values()
    else yield* known.byName.get(name) ?? []
  }

  /**
   * Decides which series of a request are beyond the namespace's limit, holds places for the new ones and keeps the others
   * from going. Throws `UnknownSeries` when one is named by an id that is not known.
   */
  admit(ns: NamespaceId, sent: readonly SentSeries[]): Admission {
    const pinned = this.#numbered(ns, sent)
    if (sent.some((each, position) => !isNamed(each) && pinned[position] === null)) throw new UnknownSeries()
    const known = this.#namespaces.get(ns)
    const held = this.#held.get(ns) ?? new HeldSeries()
    const refused: number[] = []
    const keys: string[] = []
    for (const [position, each] of sent.entries()) {
      if (pinned[position] || !isNamed(each) || known?.byKey.has(each.key)) continue
      if (!held.has(each.key) && !this.#hasPlace(known, held, each.key)) {
        refused.push(position)
        continue
      }
      held.hold(each.key)
      keys.push(each.key)
    }
    if (held.size > 0) this.#held.set(ns, held)
    pin(pinned)
    return { refused, held: keys, pinned }
  }

  /** The series of a request of an earlier start: what it names by ids that are not known can never be stored. */
  recall(ns: NamespaceId, sent: readonly SentSeries[]): PinnedSeries {
    // A number of this start is of another series there: the hot file that knew the start which gave it out is lost.
    const isOwn = (each: SentSeries): boolean => !isNamed(each) && this.#numbers.isOwn(each.id)
    const pinned = this.#numbered(ns, sent).map((series, position) => (isOwn(sent[position]!) ? null : series))
    pin(pinned)
    return pinned
  }

  #numbered(ns: NamespaceId, sent: readonly SentSeries[]): PinnedSeries {
    const known = this.#namespaces.get(ns)
    return sent.map(each => {
      const series = isNamed(each) ? known?.byKey.get(each.key) : known?.byId.get(each.id)
      return series?.isNumbered ? series : null
    })
  }

  /** Overflow series have places of their own: what is beyond the budget goes there. Neither kind takes those of the other. */
  #hasPlace(known: NamespaceSeries | undefined, held: HeldSeries, key: string): boolean {
    const overflow = (known?.overflow ?? 0) + held.overflow
    if (isOverflowKey(key)) return overflow < MAX_OVERFLOW_SERIES
    return (known?.byKey.size ?? 0) + held.size - overflow < this.#maxSeries
  }

  /** The places that a request holds are not needed: it will not be stored. */
  release(ns: NamespaceId, { held: keys }: Admission): void {
    const held = this.#held.get(ns)
    for (const key of keys) held?.release(key)
    if (held?.size === 0) this.#held.delete(ns)
  }

  /** The series of an admitted request, new ones staged; null for those that were refused. */
  stage(ns: NamespaceId, sent: readonly SentSeries[], { refused, pinned }: Omit<Admission, 'held'>): (Series | null)[] {
    const isRefused = new Set(refused)
    const known = this.#of(ns)
    return sent.map((each, position) => {
      if (isRefused.has(position)) return null
      if (pinned[position]) return pinned[position]
      if (!isNamed(each)) throw new Error(`unknown series ${each.id}`)
      return known.byKey.get(each.key) ?? this.#stageNew(ns, each)
    })
  }

  #stageNew(ns: NamespaceId, sent: NamedSeries): Series {
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
    for (const { series } of this.#staged) this.#settled.push(series)
    this.#staged = []
  }

  /** Whether `number` has something to do. */
  get hasUnnumbered(): boolean {
    return this.#settled.length > 0
  }

  /** What was settled before survives a power cut: from now on ids may replace it. */
  number(): void {
    for (const series of this.#settled) series.isNumbered = true
    this.#settled = []
  }

  /** The id of a series that is numbered; 0 for others. */
  idOf(ns: NamespaceId, { key }: NamedSeries): bigint {
    const series = this.#namespaces.get(ns)?.byKey.get(key)
    return series?.isNumbered ? series.id : 0n
  }

  /** The transaction is rolled back. */
  forget(): void {
    for (const { ns, series } of this.#staged) this.#remove(ns, series)
    this.#staged = []
  }

  /** Forgets the series of a namespace without samples since `beforeNs` and without requests on their way; returns their ids. */
  prune(ns: NamespaceId, beforeNs: bigint = LATEST): bigint[] {
    if (beforeNs === LATEST) this.#held.delete(ns)
    const known = this.#namespaces.get(ns)
    if (!known) return []
    const old = [...known.byKey.values()].filter(
      series => beforeNs === LATEST || (series.pins === 0 && series.lastSeenNs < beforeNs)
    )
    for (const series of old) this.#remove(ns, series)
    return old.map(({ id }) => id)
  }

  #create({ key, type }: NamedSeries): Series {
    const { name, labels } = parseSeriesKey(key)
    const seen = { firstSeenNs: LATEST, lastSeenNs: EARLIEST }
    const state = { isNumbered: false, pins: 0 }
    return { id: this.#numbers.next(), key, name, type, labels, labelsJson: storedLabels(labels), ...seen, ...state }
  }

  #of(ns: NamespaceId): NamespaceSeries {
    const known = this.#namespaces.get(ns) ?? { byKey: new Map(), byId: new Map(), byName: new Map(), overflow: 0 }
    this.#namespaces.set(ns, known)
    return known
  }

  #add({ ns, series }: StagedSeries): void {
    const known = this.#of(ns)
    known.byKey.set(series.key, series)
    known.byId.set(series.id, series)
    if (isOverflow(series.labels)) known.overflow++
    const named = known.byName.get(series.name) ?? new Set()
    named.add(series)
    known.byName.set(series.name, named)
  }

  #remove(ns: NamespaceId, series: Series): void {
    const known = this.#of(ns)
    if (known.byKey.delete(series.key) && isOverflow(series.labels)) known.overflow--
    known.byId.delete(series.id)
    const named = known.byName.get(series.name)
    named?.delete(series)
    if (named?.size === 0) known.byName.delete(series.name)
    if (known.byKey.size === 0) this.#namespaces.delete(ns)
  }
}

function pin(pinned: PinnedSeries): void {
  for (const series of pinned) if (series) series.pins++
}

/** Nothing is on its way to them any more from one request. */
export function unpin(pinned: PinnedSeries): void {
  for (const series of pinned) if (series) series.pins--
}

/** Widens the times of a series. */
export function touch(series: Series, lowNs: bigint, highNs: bigint): void {
  if (lowNs < series.firstSeenNs) series.firstSeenNs = lowNs
  if (highNs > series.lastSeenNs) series.lastSeenNs = highNs
}
