// RFC 3339 with up to 9 decimals, and epoch numbers whose unit follows from their magnitude (conventions, section 5).

/** Which unit an epoch number was taken for. */
export type EpochUnit = 's' | 'ms' | 'us' | 'ns'

const DAYS_IN_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
const NS_PER_S = 1_000_000_000n
const ZERO = 48

function digits(text: string, from: number, to: number): number {
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

/** Nanoseconds of the decimals in `[from, to)`; -1 when they are not 1 to 9 digits. */
function fraction(text: string, from: number, to: number): number {
  const length = to - from
  if (length < 1 || length > 9) return -1
  const value = digits(text, from, to)
  return value < 0 ? -1 : value * 10 ** (9 - length)
}

/**
 * Unix nanoseconds of an RFC 3339 instant (up to 9 decimals, lower-case t and z allowed, a space for the T too);
 * null when the text is not one. 31 February is not; a leap second (`:60`) is taken as the next second.
 */
export function parseRfc3339Ns(text: string): bigint | null {
  if (text.length < 20 || text.length > 35) return null
  if (text.charCodeAt(4) !== 45 || text.charCodeAt(7) !== 45 || text.charCodeAt(13) !== 58 || text.charCodeAt(16) !== 58)
    return null
  const separator = text.charCodeAt(10)
  if (separator !== 84 && separator !== 116 && separator !== 32) return null
  const year = digits(text, 0, 4)
  const month = digits(text, 5, 7)
  const day = digits(text, 8, 10)
  const hour = digits(text, 11, 13)
  const minute = digits(text, 14, 16)
  const second = digits(text, 17, 19)
  if (year < 0 || month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return null
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 60) return null
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
  if (offset === null) return null
  const seconds = daysFromCivil(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second - offset
  return BigInt(seconds) * NS_PER_S + BigInt(nanos)
}

const DATE = /^\d{4}-\d{2}-\d{2}$/
const MINUTE = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}$/
const SECOND = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?$/
// A plus that nobody escaped in a URL arrives as a space.
const LOST_PLUS = /^(.{19,29}) (\d{2}:\d{2})$/

/**
 * As `parseRfc3339Ns`, for a time as a person writes it into a question: a date alone is its midnight, seconds may be left
 * out, and what names no zone is UTC.
 */
export function parseWrittenTimeNs(text: string): bigint | null {
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

const EPOCH_TEXT = /^-?\d{1,19}(?:\.\d{1,9})?$/

/** As `epochToNs` for decimal text; a fraction counts in the unit of the whole part (`1700000000.5` is seconds). */
export function parseEpochNs(text: string): { ns: bigint; unit: EpochUnit } | null {
  if (!EPOCH_TEXT.test(text)) return null
  const [whole = '0', decimals = ''] = text.split('.')
  const base = epochToNs(BigInt(whole))
  if (!base || decimals === '') return base
  const unitNs = UNITS.find(({ unit }) => unit === base.unit)!.toNs
  const part = (BigInt(decimals) * unitNs) / 10n ** BigInt(decimals.length)
  return { ns: text.startsWith('-') ? base.ns - part : base.ns + part, unit: base.unit }
}
