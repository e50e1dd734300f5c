import type { MetricPoint } from '../../../domain/metric-point.js'
import { isOverflow, MAX_OVERFLOW_SERIES } from '../../../domain/overflow.js'
import type { CatalogSeries } from '../../../ports/series-catalog.js'
import { resetSeries, learn, newSeries, storedSeriesKey, type Series } from './series.js'
import type { SeriesIdentity } from '../../metrics/label-matching.js'

/** The label with the most distinct values, of several the first in the alphabet; null when no series has labels. */
export function mostVaried(series: Iterable<SeriesIdentity>): { readonly label: string; readonly values: number } | null {
  const values = new Map<string, Set<string>>()
  for (const { labels } of series) {
    for (const { name, value } of labels) {
      const known = values.get(name)
      if (known) known.add(value)
      else values.set(name, new Set([value]))
    }
  }
  let worst: { label: string; values: number } | null = null
  for (const [label, { size }] of values) {
    if (!worst || size > worst.values || (size === worst.values && label < worst.label)) worst = { label, values: size }
  }
  return worst
}

/** The series of one namespace, by identity and by metric. */
export class NamespaceSeries {
  readonly #maxSeries: number
  readonly #byKey = new Map<string, Series>()
  readonly #byName = new Map<string, Set<Series>>()
  #overflow = 0
  #refusal: string | null = null

  constructor(maxSeries: number) {
    this.#maxSeries = maxSeries
  }

  get size(): number {
    return this.#byKey.size
  }

  /** All series; with `name` only those of that metric. */
  of(name?: string): Iterable<Series> {
    return name === undefined ? this.#byKey.values() : (this.#byName.get(name) ?? [])
  }

  find(key: string): Series | undefined {
    return this.#byKey.get(key)
  }

  /** The series of a point, made when it is new; null if the namespace has reached its limit. */
  admit(point: MetricPoint): Series | null {
    const key = storedSeriesKey(point)
    const known = this.#byKey.get(key)
    if (known?.isEmptied) resetSeries(known, point.type)
    if (known) return known
    if (!this.#hasPlace(point)) return null
    return this.#add(newSeries(point, key))
  }

  /** Why a new series has no place. It is worked out once, for all points that meet the limit until a series leaves. */
  refusal(point: MetricPoint): string {
    this.#refusal ??= this.#limitReason(point)
    return this.#refusal
  }

  /** Takes in rows of the catalog. */
  learn(rows: readonly CatalogSeries[]): void {
    for (const row of rows) {
      const key = storedSeriesKey(row)
      learn(this.#byKey.get(key) ?? this.#add(newSeries(row, key)), row)
    }
  }

  remove(series: Series): void {
    this.#refusal = null
    if (this.#byKey.delete(series.key) && isOverflow(series.labels)) this.#overflow--
    const named = this.#byName.get(series.name)
    named?.delete(series)
    if (named?.size === 0) this.#byName.delete(series.name)
  }

  /** Overflow series have places of their own: what is beyond the budget goes there. Neither kind takes those of the other. */
  #hasPlace({ labels }: MetricPoint): boolean {
    if (isOverflow(labels)) return this.#overflow < MAX_OVERFLOW_SERIES
    return this.#byKey.size - this.#overflow < this.#maxSeries
  }

  #add(series: Series): Series {
    this.#byKey.set(series.key, series)
    if (isOverflow(series.labels)) this.#overflow++
    const named = this.#byName.get(series.name) ?? new Set()
    named.add(series)
    this.#byName.set(series.name, named)
    return series
  }

  #limitReason(point: MetricPoint): string {
    const limit = `the namespace has reached its limit of ${this.#maxSeries} active series`
    const varied = mostVaried([...this.#byKey.values(), point])
    if (varied === null) return limit
    return `${limit}; the label ${JSON.stringify(varied.label)} has the most values, ${varied.values}`
  }
}
