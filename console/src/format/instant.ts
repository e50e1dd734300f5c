/** Instants as text: RFC 3339 in UTC with nanoseconds, as the API sends them, and what a person reads. */

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const RFC_3339 = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/

/** Unix nanoseconds of an RFC 3339 string; null for any other string. */
export function parseInstantNs(text: string): bigint | null {
  const match = RFC_3339.exec(text)
  const ms = match ? Date.parse(match[1]! + match[3]!) : NaN
  if (Number.isNaN(ms)) return null
  return BigInt(ms) * 1_000_000n + BigInt((match![2] ?? '').padEnd(9, '0'))
}

/** RFC 3339 in UTC, with as many decimals as the value needs. */
export function formatInstantNs(ns: bigint): string {
  const fraction = ((ns % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n
  const seconds = new Date(Number((ns - fraction) / 1_000_000n)).toISOString().slice(0, 19)
  const decimals = fraction.toString().padStart(9, '0').replace(/0+$/, '')
  return decimals === '' ? `${seconds}Z` : `${seconds}.${decimals}Z`
}

/** Milliseconds since 1970 of an API time, for axes; sub-millisecond digits are cut. */
export function toMs(instant: string): number {
  const ns = parseInstantNs(instant)
  return ns === null ? NaN : Number(ns / 1_000_000n)
}

/** Formats instants in one time zone. */
export interface InstantFormat {
  /** As column headers and axes name the zone: `UTC`, `Europe/Berlin`. */
  readonly zoneName: string
  /** `12:31:07.482`, with the date in front when it is not today's in this zone. */
  time(instant: string): string
  /** Whether the instant is of the present day in this zone. */
  isToday(instant: string): boolean
  /** `2026-11-23 12:31:07.482391120`. */
  full(instant: string): string
  /**
   * Labels of an axis: `12:31`, with seconds when `stepMs` is below a minute, the date alone from a day on. The first label
   * that is not of today and each first one of another day have their date.
   */
  axis(timesMs: readonly number[], stepMs: number): string[]
}

/** The zone of the URL key `tz`: `utc`, `local` or an IANA name. Null when the runtime does not know it. */
export function resolveZone(tz: string): string | null {
  if (tz === 'utc') return 'UTC'
  if (tz === 'local') return Intl.DateTimeFormat().resolvedOptions().timeZone
  try {
    return new Intl.DateTimeFormat('en', { timeZone: tz }).resolvedOptions().timeZone
  } catch {
    // RangeError is how Intl reports an unknown zone.
    return null
  }
}

const DATE_TIME = {
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit'
} as const

/** @param zone an IANA name, from `resolveZone` */
export function createInstantFormat(zone: string, nowMs: () => number): InstantFormat {
  // `sv-SE` writes ISO 8601 order with a space.
  const format = new Intl.DateTimeFormat('sv-SE', { ...DATE_TIME, timeZone: zone, hourCycle: 'h23' })
  const parts = (ms: number): readonly [date: string, time: string] => {
    const [date, time] = format.format(ms).split(' ')
    return [date!, time!]
  }
  const decimals = (instant: string, digits: number): string => {
    const ns = parseInstantNs(instant) ?? 0n
    return (((ns % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n).toString().padStart(9, '0').slice(0, digits)
  }
  const isToday = (date: string): boolean => date === parts(nowMs())[0]
  return {
    zoneName: zone,
    time(instant) {
      const [date, time] = parts(toMs(instant))
      const clock = `${time}.${decimals(instant, 3)}`
      return isToday(date) ? clock : `${date} ${clock}`
    },
    isToday: instant => isToday(parts(toMs(instant))[0]),
    full(instant) {
      const [date, time] = parts(toMs(instant))
      return `${date} ${time}.${decimals(instant, 9)}`
    },
    axis(timesMs, stepMs) {
      let [dateBefore] = parts(nowMs())
      return timesMs.map(ms => {
        const [date, time] = parts(ms)
        if (stepMs >= DAY_MS) return date.slice(5)
        const clock = stepMs < MINUTE_MS ? time : time.slice(0, 5)
        const isOtherDay = date !== dateBefore
        dateBefore = date
        return isOtherDay ? `${date.slice(5)} ${clock}` : clock
      })
    }
  }
}
