import { GatewayError } from '../../../domain/errors.js'

/** Intervals of one mute time. */
export const MAX_INTERVALS = 50
/** Ranges of one member of an interval. */
const MAX_RANGES = 50

/** From and to, both inclusive. */
type Range = readonly [from: number, to: number]

/**
 * Times at which notifications are muted: every member that is present must contain the time. Source: Alertmanager,
 * configuration, `<time_interval_spec>`.
 */
export interface MuteInterval {
  /** Minutes of the day; the end is exclusive, up to 1,440. */
  readonly times: readonly Range[] | null
  /** 0 is Sunday. */
  readonly weekdays: readonly Range[] | null
  /** 1 to 31, or from the end of the month: -1 is its last day. */
  readonly daysOfMonth: readonly Range[] | null
  /** 1 is January. */
  readonly months: readonly Range[] | null
  /** IANA time zone. */
  readonly timeZone: string
}

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december'
]
const MEMBERS = ['times', 'weekdays', 'days_of_month', 'months', 'location']
const CLOCK = /^([01]\d|2[0-3]|24):([0-5]\d)$/
const MINUTES_OF_DAY = 1_440
const DAYS = 31

function invalid(field: string, detail: string): GatewayError {
  return new GatewayError('invalid_field', `${field} ${detail}`, { field })
}

function listOf(value: unknown, field: string): readonly unknown[] | null {
  if (value === undefined || value === null) return null
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_RANGES) {
    throw invalid(field, `must be a list of 1 to ${MAX_RANGES} elements`)
  }
  return value
}

function minuteOf(value: unknown, field: string): number {
  const match = typeof value === 'string' ? CLOCK.exec(value) : null
  const minute = match ? Number(match[1]) * 60 + Number(match[2]) : MINUTES_OF_DAY + 1
  if (minute > MINUTES_OF_DAY) throw invalid(field, 'must be a time from 00:00 to 24:00')
  return minute
}

function readTime(value: unknown, field: string): Range {
  const { start_time: start, end_time: end } = (typeof value === 'object' && value !== null ? value : {}) as Record<
    string,
    unknown
  >
  const from = minuteOf(start, `${field}.start_time`)
  const to = minuteOf(end, `${field}.end_time`)
  if (from >= to) throw invalid(field, 'must start before it ends; split a range over midnight in two')
  return [from, to]
}

/** A reader of `value` or `from:to`, each of which `read` knows; the bounds must ascend. */
function rangeReader(words: string, read: (text: string) => number | null): (value: unknown, field: string) => Range {
  return (value, field) => {
    const parts = typeof value === 'string' ? value.trim().toLowerCase().split(':') : []
    const [from, to = from] = parts.map(part => read(part.trim()))
    if (parts.length > 2 || from === undefined || from === null || to === undefined || to === null) {
      throw invalid(field, `must be ${words}, or a range of two such as a:b`)
    }
    if (from > to && Math.sign(from) === Math.sign(to)) throw invalid(field, 'must start before it ends')
    return [from, to]
  }
}

function named(names: readonly string[], first: number): (text: string) => number | null {
  return text => {
    const at = names.indexOf(text)
    return at < 0 ? null : at + first
  }
}

function wholeNumber(text: string, min: number, max: number): number | null {
  const value = /^-?\d{1,2}$/.test(text) ? Number(text) : Number.NaN
  return value >= min && value <= max && value !== 0 ? value : null
}

const readWeekday = rangeReader('a day of the week such as monday', named(WEEKDAYS, 0))
const readMonth = rangeReader(
  'a month such as january or 1',
  text => named(MONTHS, 1)(text) ?? wholeNumber(text, 1, MONTHS.length)
)
const readDay = rangeReader('a day of the month from 1 to 31 or -31 to -1', text => wholeNumber(text, -DAYS, DAYS))

function readZone(value: unknown, field: string): string {
  if (value === undefined || value === null) return 'UTC'
  try {
    if (typeof value !== 'string' || value.length > 64) throw new RangeError('no zone')
    return new Intl.DateTimeFormat('en-US', { timeZone: value }).resolvedOptions().timeZone
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause
    throw new GatewayError('invalid_field', `${field} must be an IANA time zone such as Europe/Berlin`, { field, cause })
  }
}

function parseInterval(value: unknown, field: string): MuteInterval {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalid(field, 'must be an object')
  const members = value as Record<string, unknown>
  const unknown = Object.keys(members).find(name => !MEMBERS.includes(name))
  if (unknown !== undefined) throw invalid(`${field}.${unknown}`, `is not known; members are ${MEMBERS.join(', ')}`)
  const ranges = (name: string, read: (value: unknown, field: string) => Range): readonly Range[] | null =>
    listOf(members[name], `${field}.${name}`)?.map((range, at) => read(range, `${field}.${name}.${at}`)) ?? null
  return {
    times: ranges('times', readTime),
    weekdays: ranges('weekdays', readWeekday),
    daysOfMonth: ranges('days_of_month', readDay),
    months: ranges('months', readMonth),
    timeZone: readZone(members['location'], `${field}.location`)
  }
}

/** Checks the intervals of a mute time. `invalid_field` names the faulty member by its path from `field`. */
export function parseIntervals(value: unknown, field: string): readonly MuteInterval[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_INTERVALS) {
    throw invalid(field, `must be a list of 1 to ${MAX_INTERVALS} intervals`)
  }
  return value.map((interval, at) => parseInterval(interval, `${field}.${at}`))
}

/** A time as clocks of a zone show it. */
interface LocalTime {
  readonly year: number
  readonly month: number
  readonly day: number
  readonly weekday: number
  readonly minute: number
}

const SHORT_WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

function localTime(atMs: number, timeZone: string): LocalTime {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    weekday: 'short',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric'
  })
  const parts = new Map(format.formatToParts(atMs).map(({ type, value }) => [type, value]))
  const number = (type: Intl.DateTimeFormatPartTypes): number => Number(parts.get(type))
  return {
    year: number('year'),
    month: number('month'),
    day: number('day'),
    weekday: SHORT_WEEKDAYS.indexOf(parts.get('weekday') ?? ''),
    minute: number('hour') * 60 + number('minute')
  }
}

function containsDay(ranges: readonly Range[], { year, month, day }: LocalTime): boolean {
  const last = new Date(Date.UTC(year, month, 0)).getUTCDate()
  const fromStart = (bound: number): number => (bound < 0 ? last + 1 + bound : bound)
  return ranges.some(([from, to]) => day >= Math.max(fromStart(from), 1) && day <= Math.min(fromStart(to), last))
}

function contains(ranges: readonly Range[] | null, value: number): boolean {
  return ranges === null || ranges.some(([from, to]) => value >= from && value <= to)
}

function isInInterval(interval: MuteInterval, local: LocalTime): boolean {
  return (
    (interval.times === null || interval.times.some(([from, to]) => local.minute >= from && local.minute < to)) &&
    contains(interval.weekdays, local.weekday) &&
    contains(interval.months, local.month) &&
    (interval.daysOfMonth === null || containsDay(interval.daysOfMonth, local))
  )
}

/** Whether a time, in Unix milliseconds, is in one of the intervals. */
export function isInIntervals(intervals: readonly MuteInterval[], atMs: number): boolean {
  const zones = new Set(intervals.map(({ timeZone }) => timeZone))
  const locals = new Map([...zones].map(timeZone => [timeZone, localTime(atMs, timeZone)]))
  return intervals.some(interval => isInInterval(interval, locals.get(interval.timeZone)!))
}
