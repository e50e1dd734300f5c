import type { LogRecord } from '../../domain/records/log.js'
import { truncateString } from '../string-size.js'
import type { ReadFrom } from './recognize-log.js'
import { LOG_ROWS, type LogRow, NAMED_FIELDS } from './log-members.js'
import type { LogOptions } from './log-options.js'

/** How many records of a request each part of a log was read from which member; `arrival` is not a member. */
export type ReadReply = Readonly<Record<string, Readonly<Record<string, number>>>>

/** Names that are listed for a part; the counts of further ones are under `other`. */
const MAX_NAMES = 8
const MAX_NAME_BYTES = 64
/** The time of a record that has none of its own. */
const ARRIVAL = 'arrival'
/** Members that are looked at for one that looks like a time. */
const MAX_LOOKED_AT = 64
/** Whether a string begins like a date with a time: cheap, and never wrong about what loggers write. */
function looksLikeTime(value: unknown): boolean {
  return (
    typeof value === 'string' &&
    value.length >= 16 &&
    value.length <= 40 &&
    /^\d{4}[-/]\d{2}[-/]\d{2}[Tt ]\d{2}:\d{2}/.test(value)
  )
}

/** Counts what the logs of a request were recognized by, for its response. */
export class LogReadings {
  readonly #foreign = new Map<LogRow, Map<string, number>>()
  readonly #named = new Set<string>()
  readonly #timeLike = new Set<string>()
  readonly #outside = new Set<string>()
  /** Per record of a dry run, by position. */
  readonly #shown = new Map<number, ReadFrom>()
  #recognized = 0
  #assumedUtc = 0
  #untimed = 0
  #outsideCount = 0
  readonly #redact: ((text: string) => string) | null

  /** `redact` removes the secrets of names of members, which the response repeats; null: the namespace has no rules. */
  constructor(redact: ((text: string) => string) | null) {
    this.#redact = redact
  }

  /** A record that was recognized by other names than those of this interface. */
  add(from: ReadFrom, named: readonly string[], show: number | null): void {
    this.#recognized++
    for (const row of LOG_ROWS) {
      const name = from[row]
      if (name !== undefined) this.#count(row, name)
    }
    if (from.time === undefined) this.#count('time', ARRIVAL)
    for (const path of named) this.#named.add(path)
    if (show !== null) this.#shown.set(show, from)
  }

  addAssumedUtc(): void {
    this.#assumedUtc++
  }

  /** A record with the time of arrival: reported when it has a member that should be a time, or looks like one. */
  addUntimed(fields: Readonly<Record<string, unknown>>, unread: string | null): void {
    if (unread !== null) {
      this.#addTimeLike(unread)
      return
    }
    let looked = 0
    for (const key in fields) {
      if (++looked > MAX_LOOKED_AT) return
      if (!looksLikeTime(fields[key])) continue
      this.#addTimeLike(key)
      return
    }
  }

  /** A record with the time of arrival whose member of that name is a date outside of the accepted window. */
  addOutside(name: string): void {
    this.#outsideCount++
    this.#outside.add(name)
  }

  /** What the record at the position was recognized by; null when by the names of this interface. */
  shownOf(index: number): object | null {
    const from = this.#shown.get(index)
    if (from === undefined) return null
    const { stack, ...others } = from
    return Object.fromEntries(Object.entries({ ...others, exception: stack }).filter(([, name]) => name !== undefined))
  }

  /** The member `read` of a response to these records; null when all of them used the names of this interface alone. */
  reply(logs: readonly LogRecord[]): ReadReply | null {
    if (this.#foreign.size === 0 && this.#untimed === 0 && this.#outsideCount === 0) return null
    const out: Record<string, Readonly<Record<string, number>>> = {}
    for (const row of LOG_ROWS) {
      const names = new Map(this.#foreign.get(row))
      if (this.#recognized < logs.length) this.#addPlain(names, row, logs)
      if (names.size > 0) out[row === 'stack' ? 'exception' : row] = listed(names)
    }
    return out
  }

  warnings(options: LogOptions): readonly string[] {
    const missing = options.named.filter(({ path }) => !this.#named.has(path))
    return [
      ...(this.#untimed > 0 ? [untimedSentence(this.#untimed, [...this.#timeLike])] : []),
      ...(this.#outsideCount > 0 ? [outsideSentence(this.#outsideCount, [...this.#outside])] : []),
      ...(this.#assumedUtc > 0 ? [assumedUtcSentence(this.#assumedUtc)] : []),
      ...missing.map(({ override, path }) => `no record has the member ${JSON.stringify(path)} named by ${override}`)
    ]
  }

  /** Records that were not recognized have names of this interface: their count is what the others leave of all. */
  #addPlain(names: Map<string, number>, row: LogRow, logs: readonly LogRecord[]): void {
    const isArrival = (log: LogRecord): boolean => row === 'time' && log.isServerTime
    const add = (name: string, of: (log: LogRecord) => boolean): void => {
      const counted =
        name === ARRIVAL ? (names.get(name) ?? 0) : [...names].reduce((sum, [one, n]) => (one === ARRIVAL ? sum : sum + n), 0)
      const count = logs.filter(of).length - counted
      if (count > 0) names.set(name, (names.get(name) ?? 0) + count)
    }
    const has = OWN_ROWS[row]
    if (has !== undefined) add(row === 'time' ? 'timestamp' : row, has)
    if (row === 'time') add(ARRIVAL, isArrival)
  }

  #addTimeLike(name: string): void {
    this.#untimed++
    if (this.#timeLike.size < MAX_NAMES) this.#timeLike.add(truncateString(this.#redact?.(name) ?? name, MAX_NAME_BYTES))
  }

  #count(row: LogRow, name: string): void {
    let names = this.#foreign.get(row)
    if (names === undefined) this.#foreign.set(row, (names = new Map()))
    names.set(name, (names.get(name) ?? 0) + 1)
  }
}

/** Which records have a part, by its row. */
const OWN_ROWS: Readonly<Partial<Record<LogRow, (log: LogRecord) => boolean>>> = {
  message: () => true,
  time: log => !log.isServerTime,
  level: log => log.level !== null,
  ...Object.fromEntries(NAMED_FIELDS.map(({ name, key }) => [name, (log: LogRecord) => log[key as keyof LogRecord] !== null])),
  trace_id: log => log.traceId !== null,
  span_id: log => log.spanId !== null
}

function untimedSentence(count: number, names: readonly string[]): string {
  const quoted = names.map(name => JSON.stringify(name)).join(', ')
  return (
    `${count} records got the time of arrival, because the time in ${quoted} cannot be parsed; ` +
    `correct the format, or set time_field to the member with the time (time_field=${names[0] ?? ''})`
  )
}

function outsideSentence(count: number, names: readonly string[]): string {
  const quoted = names.map(name => JSON.stringify(name)).join(', ')
  return (
    `${count} records got the time of arrival, because the time in ${quoted} is outside the accepted window; it is kept as a field; ` +
    `to use it as the time, set time_field (time_field=${names[0] ?? ''})`
  )
}

function assumedUtcSentence(count: number): string {
  return `${count} records have a time without a zone, which was parsed as UTC; set timezone (timezone=Europe/Berlin)`
}

function listed(names: ReadonlyMap<string, number>): Readonly<Record<string, number>> {
  const byCount = [...names].sort(([, a], [, b]) => b - a)
  const shown = byCount.slice(0, MAX_NAMES)
  const other = byCount.slice(MAX_NAMES).reduce((sum, [, count]) => sum + count, 0)
  return Object.fromEntries([...shown, ...(other > 0 ? [['other', other] as const] : [])])
}
