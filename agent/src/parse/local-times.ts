const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const DAY_MS = 86_400_000

/**
 * Times of lines without year and zone: of this host's zone, in the year that is not more than a day after the line was read.
 * Many lines are of one second, which is inferred once.
 */
export class LocalTimes {
  readonly #readMs: number
  #second = ''
  /** RFC 3339 up to the fraction; null for a day that does not exist. */
  #prefix: string | null = null

  /** @param readMs when the lines were read, Unix milliseconds. */
  constructor(readMs: number) {
    this.#readMs = readMs
  }

  /** RFC 3339 with nanoseconds of `Jan  2 03:04:05`; null for a time that does not exist. @param fraction up to nine digits. */
  timeOf(second: string, fraction = ''): string | null {
    if (second !== this.#second) {
      this.#second = second
      this.#prefix = this.#prefixOf(second)
    }
    return this.#prefix === null ? null : `${this.#prefix}${fraction.padEnd(9, '0')}Z`
  }

  #prefixOf(second: string): string | null {
    const month = MONTHS.indexOf(second.slice(0, 3))
    if (month < 0) return null
    const [day = 0, hour, minute, seconds] = [4, 7, 10, 13].map(at => Number(second.slice(at, at + 2)))
    const at = (year: number): Date => new Date(year, month, day, hour, minute, seconds)
    const year = new Date(this.#readMs).getFullYear()
    const date = [at(year + 1), at(year)].find(one => one.getTime() <= this.#readMs + DAY_MS) ?? at(year - 1)
    return date.getMonth() === month && date.getDate() === day ? date.toISOString().slice(0, -'000Z'.length) : null
  }
}
