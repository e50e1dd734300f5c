import { isOverflow, OVERFLOW_LABEL } from '../../../domain/overflow.js'
import { parseSeriesKey } from '../../../domain/series-key.js'

/** As the label's name is in a key. */
const MARK = `${OVERFLOW_LABEL.length}:${OVERFLOW_LABEL}`

/** Whether the series of this key is an overflow series. */
export function isOverflowKey(key: string): boolean {
  // A value may contain the mark as well; few keys have it at all.
  return key.includes(MARK) && isOverflow(parseSeriesKey(key).labels)
}

/** New series of one namespace that have a place and are not stored yet, with the requests that hold them. */
export class HeldSeries {
  readonly #holders = new Map<string, number>()
  #overflow = 0

  get size(): number {
    return this.#holders.size
  }

  /** Overflow series among them. */
  get overflow(): number {
    return this.#overflow
  }

  has(key: string): boolean {
    return this.#holders.has(key)
  }

  /** One request more holds the place. */
  hold(key: string): void {
    const holders = this.#holders.get(key) ?? 0
    if (holders === 0 && isOverflowKey(key)) this.#overflow++
    this.#holders.set(key, holders + 1)
  }

  /** A request that held it will not be stored. */
  release(key: string): void {
    const holders = this.#holders.get(key)
    if (holders === undefined) return
    if (holders > 1) this.#holders.set(key, holders - 1)
    else this.delete(key)
  }

  /** The series is stored, or held no more. */
  delete(key: string): void {
    if (this.#holders.delete(key) && isOverflowKey(key)) this.#overflow--
  }
}
