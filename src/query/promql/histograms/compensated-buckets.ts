import { compactBuckets, type HistogramBuckets } from '../../../domain/native-histogram/native-histogram.js'

/** Counts of buckets while histograms are added up: what rounding lost is kept in addition to them (Neumaier). */
export class CompensatedBuckets {
  #indexes: Int32Array
  #counts: Float64Array
  #lost: Float64Array

  constructor({ indexes, counts }: HistogramBuckets) {
    this.#indexes = indexes
    this.#counts = counts.slice()
    this.#lost = new Float64Array(counts.length)
  }

  /** Adds counts, each times a factor. */
  add({ indexes, counts }: HistogramBuckets, factor: number): void {
    if (indexes.length === 0) return
    if (!this.#hasIndexes(indexes)) this.#makeRoom(indexes)
    let at = 0
    for (let i = 0; i < indexes.length; i++) {
      while (this.#indexes[at] !== indexes[i]) at++
      this.#increase(at, counts[i]! * factor)
    }
  }

  /** Puts buckets together: those that `target` gives the same index, which must not fall. */
  regroup(target: (index: number) => number): void {
    const [indexes, counts, lost] = [this.#indexes, this.#counts, this.#lost]
    this.#indexes = Int32Array.from(new Set(Array.from(indexes, target)))
    this.#counts = new Float64Array(this.#indexes.length)
    this.#lost = new Float64Array(this.#indexes.length)
    let at = 0
    for (let i = 0; i < indexes.length; i++) {
      while (this.#indexes[at] !== target(indexes[i]!)) at++
      this.#increase(at, counts[i]!)
      this.#increase(at, lost[i]!)
    }
  }

  /** Leaves out the buckets before an index. */
  dropBefore(first: number): void {
    const from = this.#indexes.findIndex(index => index >= first)
    const start = from < 0 ? this.#indexes.length : from
    this.#indexes = this.#indexes.slice(start)
    this.#counts = this.#counts.slice(start)
    this.#lost = this.#lost.slice(start)
  }

  /** The counts, with what was lost. */
  finish(): HistogramBuckets {
    const lost = this.#lost
    const counts = this.#counts.map((count, i) => (Number.isFinite(count) ? count + lost[i]! : count))
    return compactBuckets({ indexes: this.#indexes, counts })
  }

  #hasIndexes(indexes: Int32Array): boolean {
    let at = 0
    for (const index of indexes) {
      while (at < this.#indexes.length && this.#indexes[at]! < index) at++
      if (this.#indexes[at] !== index) return false
    }
    return true
  }

  #makeRoom(more: Int32Array): void {
    const [indexes, counts, lost] = [this.#indexes, this.#counts, this.#lost]
    this.#indexes = Int32Array.from(new Set([...indexes, ...more])).sort()
    this.#counts = new Float64Array(this.#indexes.length)
    this.#lost = new Float64Array(this.#indexes.length)
    let at = 0
    for (let i = 0; i < indexes.length; i++) {
      while (this.#indexes[at] !== indexes[i]) at++
      this.#counts[at] = counts[i]!
      this.#lost[at] = lost[i]!
    }
  }

  #increase(at: number, value: number): void {
    const count = this.#counts[at]!
    const total = count + value
    this.#counts[at] = total
    if (!Number.isFinite(total)) this.#lost[at] = 0
    else this.#lost[at]! += Math.abs(count) >= Math.abs(value) ? count - total + value : value - total + count
  }
}
