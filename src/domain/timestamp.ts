// RFC 3339 instants, and epoch numbers whose unit follows from their magnitude ("Time" in docs/conventions.md).

/** Which unit an epoch number was taken for. */
export type EpochUnit = 's' | 'ms' | 'us' | 'ns'

const DAYS_IN_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
const NS_PER_S = 1_000_000_000n
const ZERO = 48
const SECONDS_PER_DAY = 86_400
const FRACTION_DIGITS = 9
/** Far above any clock's decimals; longer strings are not times. */
const MAX_LENGTH = 64
const FIRST_LEAP_YEAR_MS = Date.UTC(1972, 0, 1)

/** The number that the digits in `[from, to)` write; -1 if a character is not a digit. */
export function digits(text: string, from: number, to: number): number {
  let value = 0
  for (let i = from; i < to; i++) {
    const digit = text.charCodeAt(i) - ZERO
    if (digit < 0 || digit > 9) return -1
    value = value * 10 + digit
  }
  return value
}

function daysInMonth(year: number, month: number): number {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  return month === 2 && isLeap ? 29 : DAYS_IN_MONTH[month - 1]!
}

/** Days since 1970-01-01 of a proleptic Gregorian date. */
function daysFromCivil(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year
  const era = Math.floor(y / 400)
  const yearOfEra = y - era * 400
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return era * 146_097 + dayOfEra - 719_468
}

/** Seconds east of UTC of the zone at `at`, which must end the text; null when it is not a zone. */
function offsetSeconds(text: string, at: number): number | null {
  const sign = text.charCodeAt(at)
  if ((sign === 90 || sign === 122) && text.length === at + 1) return 0
  if ((sign !== 43 && sign !== 45) || text.length !== at + 6 || text.charCodeAt(at + 3) !== 58) return null
  const hours = digits(text, at + 1, at + 3)
  const minutes = digits(text, at + 4, at + 6)
  if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59) return null
  const seconds = hours * 3600 + minutes * 60
  return sign === 43 ? seconds : -seconds
}

/** Nanoseconds of the decimals in `[from, to)`, digits beyond the ninth cut off; -1 without valid decimals. */
export function fraction(text: string, from: number, to: number): number {
  if (to === from) return -1
  const end = Math.min(to, from + FRACTION_DIGITS)
  return digits(text, from, end) * 10 ** (FRACTION_DIGITS - (end - from))
}

/**
 * Whether a leap second can follow this second: the last one in UTC of 30 June or 31 December, since 1972 (ITU-R TF.460-6).
 * Which of them had one is not looked up: a list of them would refuse the next one that is announced.
 */
function isLeapSecondNext(unixSeconds: number): boolean {
  if ((unixSeconds + 1) % SECONDS_PER_DAY !== 0) return false
  const next = new Date((unixSeconds + 1) * 1000)
  const isHalfYear = next.getUTCDate() === 1 && (next.getUTCMonth() === 0 || next.getUTCMonth() === 6)
  return isHalfYear && next.getTime() > FIRST_LEAP_YEAR_MS
}

/**
 * Unix nanoseconds of an RFC 3339 instant (lower-case t and z allowed, a space for the T too; decimals beyond the ninth are
 * cut off); null when the text is not one. 31 February is not; `:60` is one only where a leap second can be
 * (`isLeapSecondNext`) and is taken as the next second.
 */
export function parseRfc3339Ns(text: string): bigint | null {
  if (text.length < 20 || text.length > MAX_LENGTH) return null
  if (text.charCodeAt(4) !== 45 || text.charCodeAt(7) !== 45 || text.charCodeAt(13) !== 58 || text.charCodeAt(16) !== 58)
    return null
  const separator = text.charCodeAt(10)
  if (separator !== 84 && separator !== 116 && separator !== 32) return null
  const parts = {
    year: digits(text, 0, 4),
    month: digits(text, 5, 7),
    day: digits(text, 8, 10),
    hour: digits(text, 11, 13),
    minute: digits(text, 14, 16),
    second: digits(text, 17, 19)
  }
  let at = 19
  let nanos = 0
  if (text.charCodeAt(at) === 46) {
    let end = at + 1
    while (end < text.length && text.charCodeAt(end) >= ZERO && text.charCodeAt(end) <= 57) end++
    nanos = fraction(text, at + 1, end)
    if (nanos < 0) return null
    at = end
  }
  const offset = offsetSeconds(text, at)
  return offset === null ? null : civilToNs(parts, nanos, offset)
}

/** A date and a time of day as they are written; a part that could not be read is negative. */
export interface CivilTime {
  readonly year: number
  readonly month: number
  readonly day: number
  readonly hour: number
  readonly minute: number
  readonly second: number
}

/** Unix nanoseconds of a time in a zone that is `offset` seconds east of UTC; null when there is no such time. */
export function civilToNs({ year, month, day, hour, minute, second }: CivilTime, nanos: number, offset: number): bigint | null {
  if (year < 0 || month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return null
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 60) return null
  const seconds = daysFromCivil(year, month, day) * SECONDS_PER_DAY + hour * 3600 + minute * 60 + second - offset
  if (second === 60 && !isLeapSecondNext(seconds - 1)) return null
  return BigInt(seconds) * NS_PER_S + BigInt(nanos)
}

const DATE = /^\d{4}-\d{2}-\d{2}$/
const MINUTE = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}$/
const SECOND = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(?:\.\d+)?$/
// An unescaped plus in a URL arrives as a space.
const LOST_PLUS = /^([^ ]{10}.[^ ]{8,48}) (\d{2}:\d{2})$/

/**
 * As `parseRfc3339Ns`, for a time as a person writes it into a query: a date alone is its midnight, seconds may be left
 * out, and what names no zone is UTC.
 */
export function parseWrittenTimeNs(text: string): bigint | null {
  if (text.length > MAX_LENGTH) return null
  if (DATE.test(text)) return parseRfc3339Ns(`${text}T00:00:00Z`)
  if (MINUTE.test(text)) return parseRfc3339Ns(`${text}:00Z`)
  if (SECOND.test(text)) return parseRfc3339Ns(`${text}Z`)
  return parseRfc3339Ns(text.replace(LOST_PLUS, '$1+$2'))
}

/** RFC 3339 in UTC with all nine decimals, e.g. `2026-11-20T11:40:00.123456789Z`. */
export function formatNs(ns: bigint): string {
  const remainder = ((ns % NS_PER_S) + NS_PER_S) % NS_PER_S
  const ms = Number((ns - remainder) / 1_000_000n)
  return `${new Date(ms).toISOString().slice(0, 19)}.${String(remainder).padStart(9, '0')}Z`
}

// Magnitudes: seconds stay below 1e11 (year 5138), milliseconds below 1e14, microseconds below 1e17.
const UNITS: ReadonlyArray<{ unit: EpochUnit; below: bigint; toNs: bigint }> = [
  { unit: 's', below: 100_000_000_000n, toNs: 1_000_000_000n },
  { unit: 'ms', below: 100_000_000_000_000n, toNs: 1_000_000n },
  { unit: 'us', below: 100_000_000_000_000_000n, toNs: 1_000n },
  { unit: 'ns', below: 1n << 63n, toNs: 1n }
]

/** Unix nanoseconds of a whole epoch number, its unit by magnitude; null when it does not fit 64 bits. */
export function epochToNs(value: bigint): { ns: bigint; unit: EpochUnit } | null {
  const size = value < 0n ? -value : value
  const found = UNITS.find(({ below }) => size < below)
  return found ? { ns: value * found.toNs, unit: found.unit } : null
}

const EPOCH_TEXT = /^-?\d{1,19}(?:\.\d{1,40})?$/

function inUnit(value: bigint, unit: EpochUnit): { ns: bigint; unit: EpochUnit } | null {
  const ns = value * UNITS.find(one => one.unit === unit)!.toNs
  return ns < 1n << 63n && ns >= -(1n << 63n) ? { ns, unit } : null
}

/**
 * As `epochToNs` for decimal text, or in a unit that is given; a fraction counts in the unit of the whole part
 * (`1700000000.5` is seconds).
 */
export function parseEpochNs(text: string, given?: EpochUnit): { ns: bigint; unit: EpochUnit } | null {
  if (!EPOCH_TEXT.test(text)) return null
  const [whole = '0', decimals = ''] = text.split('.')
  const base = given === undefined ? epochToNs(BigInt(whole)) : inUnit(BigInt(whole), given)
  if (!base || decimals === '') return base
  const unitNs = UNITS.find(({ unit }) => unit === base.unit)!.toNs
  const part = (BigInt(decimals) * unitNs) / 10n ** BigInt(decimals.length)
  return { ns: text.startsWith('-') ? base.ns - part : base.ns + part, unit: base.unit }
}
