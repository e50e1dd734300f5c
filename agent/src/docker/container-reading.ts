import type { ContainerLine } from './container-lines.js'
import { bytesOfLine, type ContainerPlace, isLongAfter, PlaceCounter, sinceOf, sumOfLine } from './container-place.js'

/** A line behind the place from which a log is read. */
export interface ReadLine {
  readonly line: ContainerLine
  /** Behind the line. */
  readonly place: ContainerPlace
}

const SECOND_NS = 1_000_000_000n

/**
 * Finds the place in what Docker returns from a time on. Lines before the place are left out; the place is that of a line,
 * since lines share times and clocks are set back.
 */
export class ContainerReading {
  readonly #from: ContainerPlace
  readonly #counter = new PlaceCounter()
  #isFound: boolean
  #at: number
  /** The latest time of a line up to here. */
  #latest: string

  /** @param isLost the line of the place is not in the log any more. */
  constructor(from: ContainerPlace, isLost = false) {
    this.#from = from
    this.#isFound = isLost || from.sum === ''
    this.#at = from.at
    this.#latest = from.time === '' ? '' : (from.notAfter ?? from.time)
    const isTime = isLost ? from.time !== '' : from.sum === ''
    this.since = sinceOf(from.time, isTime ? (isLost ? 1n : 0n) : -SECOND_NS)
  }

  /** From when the log is to be read, in seconds. */
  readonly since: string

  get isFound(): boolean {
    return this.#isFound
  }

  /** The line behind the place; null for one before it, `lost` when the line of the place can not come any more. */
  take(line: ContainerLine): ReadLine | 'lost' | null {
    const sum = sumOfLine(line)
    const nth = this.#counter.next(line, sum)
    if (line.time > this.#latest) this.#latest = line.time
    if (!this.#isFound) {
      const { time, notAfter = time } = this.#from
      if (sum === this.#from.sum && nth === this.#from.nth) this.#isFound = true
      else if (notAfter !== '' && isLongAfter(line.time, notAfter)) return 'lost'
      return null
    }
    this.#at += bytesOfLine(line)
    const place = { time: line.time, sum, nth, at: this.#at }
    return { line, place: this.#latest > line.time ? { ...place, notAfter: this.#latest } : place }
  }
}
