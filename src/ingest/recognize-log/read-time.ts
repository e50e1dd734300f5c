import { type ReadTime, readTimeText, type TimeReading } from './read-time-text.js'
import { isRawObject, type RawObject } from '../raw-object.js'

/** Nanoseconds since 1970 are less until March 1973: what comes before is a duration, a port or a count, and no time. */
const FIRST_PLAUSIBLE_NS = 100_000_000_000_000_000n
const MICROSECONDS: ReadonlySet<string> = new Set(['__REALTIME_TIMESTAMP', '_SOURCE_REALTIME_TIMESTAMP'])
const NS_PER_S = 1_000_000_000n

function isWhole(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

/** Seconds and nanoseconds in two members (log4j2's `instant`, `timestampSeconds` and `timestampNanos`). */
function readPair(seconds: unknown, nanos: unknown): ReadTime | null {
  if (!isWhole(seconds) || !isWhole(nanos ?? 0)) return null
  return { ns: BigInt(seconds) * NS_PER_S + BigInt((nanos ?? 0) as number), isAssumedUtc: false }
}

function read(path: string, value: unknown, reading: TimeReading, record: RawObject): ReadTime | null {
  if (path === 'instant') return isRawObject(value) ? readPair(value['epochSecond'], value['nanoOfSecond']) : null
  if (path === 'timestampSeconds') return readPair(value, record['timestampNanos'])
  // A whole number beyond 2^53 that is still a double was written with an exponent: its digits are lost.
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) return null
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text !== 'string') return null
  return readTimeText(text, MICROSECONDS.has(path) ? { unit: 'us' } : reading)
}

/** The time at a member that is not of this interface; null when it is not a time, or none that a log can have. */
export function readTime(path: string, value: unknown, reading: TimeReading, record: RawObject): ReadTime | null {
  const time = read(path, value, reading, record)
  return time !== null && time.ns >= FIRST_PLAUSIBLE_NS ? time : null
}
