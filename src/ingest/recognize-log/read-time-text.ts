import { type CivilTime, civilToNs, digits, fraction, parseEpochNs, parseRfc3339Ns } from '../../domain/timestamp.js'
import type { EpochUnit } from '../../domain/timestamp.js'

/** Seconds east of UTC that a zone has at a local time (seconds since 1970 as if it were UTC). */
export type ZoneOffset = (localSeconds: number) => number

/** A time as it was read. */
export interface ReadTime {
  readonly ns: bigint
  /** It names no zone, and neither did the request: UTC was taken. */
  readonly isAssumedUtc: boolean
}

/** How strings are read that leave something open. */
export interface TimeReading {
  /** Zone of times that name none; if absent, UTC, which is noted. */
  readonly zone?: ZoneOffset | undefined
  /** Unit of numbers; by magnitude when absent. */
  readonly unit?: EpochUnit | undefined
}

const NS_PER_S = 1_000_000_000n
const SPACE = 32
const COMMA = 44
const DOT = 46
const SLASH = 47
const COLON = 58
/** The longest form is that of mail with its decimals. */
const MAX_LENGTH = 64
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const UTC_NAMES: ReadonlySet<string> = new Set(['Z', 'z', 'UTC', 'GMT', 'UT'])

/** What was read of a string, and where its zone begins. */
interface Scanned {
  readonly civil: CivilTime
  readonly nanos: number
  readonly zoneAt: number
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code >= 48 && code <= 57
}

/** `HH:MM:SS` at a position, with decimals behind a dot or a comma. */
function scanTimeOfDay(text: string, at: number, date: Pick<CivilTime, 'year' | 'month' | 'day'>): Scanned | null {
  if (text.charCodeAt(at + 2) !== COLON || text.charCodeAt(at + 5) !== COLON) return null
  const civil = {
    ...date,
    hour: digits(text, at, at + 2),
    minute: digits(text, at + 3, at + 5),
    second: digits(text, at + 6, at + 8)
  }
  let end = at + 8
  const mark = text.charCodeAt(end)
  if (mark !== DOT && mark !== COMMA) return { civil, nanos: 0, zoneAt: end }
  const from = ++end
  while (isDigit(text, end)) end++
  const nanos = fraction(text, from, end)
  return nanos < 0 ? null : { civil, nanos, zoneAt: end }
}

/** `2026-11-23 02:46:20,896` and `2026/11/23 02:46:20`: year first. */
function scanYearFirst(text: string): Scanned | null {
  const mark = text.charCodeAt(4)
  const between = text.charCodeAt(10)
  if ((mark !== 45 && mark !== SLASH) || text.charCodeAt(7) !== mark) return null
  if (between !== SPACE && between !== 84 && between !== 116) return null
  return scanTimeOfDay(text, 11, { year: digits(text, 0, 4), month: digits(text, 5, 7), day: digits(text, 8, 10) })
}

/** `23/Nov/2026:02:29:20 +0000`: access logs. */
function scanAccessLog(text: string): Scanned | null {
  if (text.charCodeAt(2) !== SLASH || text.charCodeAt(6) !== SLASH || text.charCodeAt(11) !== COLON) return null
  const month = MONTHS.indexOf(text.slice(3, 6)) + 1
  return scanTimeOfDay(text, 12, { year: digits(text, 7, 11), month, day: digits(text, 0, 2) })
}

/** `Mon, 23 Nov 2026 02:29:20 +0000`: RFC 2822, the day of the week left out or not. */
function scanMail(text: string): Scanned | null {
  const at = text.charCodeAt(3) === COMMA && text.charCodeAt(4) === SPACE ? 5 : 0
  const dayEnd = isDigit(text, at + 1) ? at + 2 : at + 1
  if (text.charCodeAt(dayEnd) !== SPACE || text.charCodeAt(dayEnd + 4) !== SPACE || text.charCodeAt(dayEnd + 9) !== SPACE)
    return null
  const month = MONTHS.indexOf(text.slice(dayEnd + 1, dayEnd + 4)) + 1
  const date = { year: digits(text, dayEnd + 5, dayEnd + 9), month, day: digits(text, at, dayEnd) }
  return scanTimeOfDay(text, dayEnd + 10, date)
}

/** Seconds east of UTC of the zone at the end of the string; null without a zone, undefined for an unknown one. */
function scanZone(text: string, from: number): number | null | undefined {
  const at = text.charCodeAt(from) === SPACE ? from + 1 : from
  const zone = text.slice(at)
  if (zone === '') return at === from ? null : undefined
  if (UTC_NAMES.has(zone)) return 0
  const sign = zone.charAt(0)
  if (sign !== '+' && sign !== '-') return undefined
  const minutesAt = zone.charAt(3) === ':' ? 4 : 3
  const hours = digits(zone, 1, 3)
  const minutes = zone.length === 3 ? 0 : digits(zone, minutesAt, minutesAt + 2)
  const isWhole = zone.length === 3 || zone.length === minutesAt + 2
  if (!isWhole || hours < 0 || hours > 23 || minutes < 0 || minutes > 59) return undefined
  const seconds = hours * 3600 + minutes * 60
  return sign === '+' ? seconds : -seconds
}

function withZone({ civil, nanos, zoneAt }: Scanned, text: string, zone: ZoneOffset | undefined): ReadTime | null {
  const offset = scanZone(text, zoneAt)
  if (offset === undefined) return null
  const ns = civilToNs(civil, nanos, offset ?? 0)
  if (ns === null || offset !== null) return ns === null ? null : { ns, isAssumedUtc: false }
  if (zone === undefined) return { ns, isAssumedUtc: true }
  return { ns: ns - BigInt(zone(Number(ns / NS_PER_S))) * NS_PER_S, isAssumedUtc: false }
}

/**
 * A time in one of the forms that loggers write: RFC 3339, also with an offset without its colon, a comma before the
 * decimals, a space for the T, no zone; access logs, mail, and epoch digits. Null for everything else: also for a date alone.
 */
export function readTimeText(text: string, { zone, unit }: TimeReading): ReadTime | null {
  if (text.length > MAX_LENGTH) return null
  const rfc = parseRfc3339Ns(text)
  if (rfc !== null) return { ns: rfc, isAssumedUtc: false }
  const scanned = scanYearFirst(text) ?? scanAccessLog(text) ?? scanMail(text)
  if (scanned !== null) return withZone(scanned, text, zone)
  const epoch = parseEpochNs(text, unit)
  return epoch === null ? null : { ns: epoch.ns, isAssumedUtc: false }
}
