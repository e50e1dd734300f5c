import type { NumberSummary } from '../../domain/search.js'

/** Parts of equal size into which the quantiles split the numbers. */
const PARTS = 16
/** Share of different numbers, and of steps in the direction of time, from which numbers count up. */
const NEARLY_ALL = 0.9

/** The numbers of one field, in the order of rows. */
export class NumberTally {
  readonly #values: number[] = []
  /** Steps from a row to an older one. */
  #falls = 0
  #rises = 0
  #areWhole = true

  add(value: number): void {
    const newer = this.#values.at(-1)
    if (newer !== undefined && value < newer) this.#falls++
    if (newer !== undefined && value > newer) this.#rises++
    this.#areWhole &&= Number.isInteger(value)
    this.#values.push(value)
  }

  /** `different`: how many of them differ; `rows`: how many rows they are of. */
  summary(different: number, rows: number): NumberSummary {
    const sorted = Float64Array.from(this.#values).sort()
    const last = sorted.length - 1
    const quantiles = Array.from({ length: PARTS + 1 }, (_, i) => sorted[Math.round((i * last) / PARTS)]!)
    return { quantiles, countsUp: this.#countsUp(different), areSeveral: this.#values.length > rows }
  }

  #countsUp(different: number): boolean {
    const isUnique = different >= this.#values.length * NEARLY_ALL
    return this.#areWhole && isUnique && this.#falls > PARTS && this.#falls >= (this.#falls + this.#rises) * NEARLY_ALL
  }
}
