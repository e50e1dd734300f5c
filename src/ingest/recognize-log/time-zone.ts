import type { ZoneOffset } from './read-time-text.js'

const FIXED = /^([+-])(\d{2}):?(\d{2})$/
/** Longer than every name of the IANA database. */
const MAX_NAME = 64
/** Offsets change at quarters of an hour at the finest. */
const BUCKET_S = 900
const MAX_BUCKETS = 1_000
const PARTS = ['year', 'month', 'day', 'hour', 'minute', 'second'] as const

/** Seconds east of UTC at an instant, by the wall clock that the zone shows then. */
function offsetAt(format: Intl.DateTimeFormat, unixSeconds: number): number {
  const shown = new Map(format.formatToParts(unixSeconds * 1000).map(({ type, value }) => [type as string, Number(value)]))
  const [year, month, day, hour, minute, second] = PARTS.map(part => shown.get(part)!) as [
    number,
    number,
    number,
    number,
    number,
    number
  ]
  return Date.UTC(year, month - 1, day, hour, minute, second) / 1000 - unixSeconds
}

/** The local time names one instant, two (clocks went back) or none (forward): the later offset decides where it is open. */
function localOffset(format: Intl.DateTimeFormat, localSeconds: number): number {
  const guess = offsetAt(format, localSeconds)
  return offsetAt(format, localSeconds - guess)
}

function formatOf(name: string): Intl.DateTimeFormat | null {
  const number = '2-digit'
  try {
    return new Intl.DateTimeFormat('en-US', {
      ...{ timeZone: name, hourCycle: 'h23', calendar: 'gregory', numberingSystem: 'latn' },
      ...{ year: 'numeric', month: number, day: number, hour: number, minute: number, second: number }
    })
  } catch {
    // A RangeError: the database has no such zone.
    return null
  }
}

/** The zone of a name of the IANA database (`Europe/Berlin`) or of a fixed offset (`+01:00`); null for other names. */
export function parseTimeZone(text: string): ZoneOffset | null {
  const [, sign, hours, minutes] = FIXED.exec(text) ?? []
  if (sign !== undefined) {
    const isTime = Number(hours) < 24 && Number(minutes) < 60
    const seconds = Number(hours) * 3600 + Number(minutes) * 60
    return isTime ? () => (sign === '+' ? seconds : -seconds) : null
  }
  const format = text.length > MAX_NAME ? null : formatOf(text)
  if (format === null) return null
  const known = new Map<number, number>()
  return localSeconds => {
    const bucket = Math.floor(localSeconds / BUCKET_S)
    const found = known.get(bucket)
    if (found !== undefined) return found
    const offset = localOffset(format, bucket * BUCKET_S)
    if (known.size < MAX_BUCKETS) known.set(bucket, offset)
    return offset
  }
}
