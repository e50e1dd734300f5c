import { formatInstantNs, parseInstantNs } from '../format/instant.js'
import { one, type SearchValues } from './search-codec.js'

/** A window as the address has it: each bound is RFC 3339 or relative (`now`, `now-15m`). */
export interface WindowChoice {
  readonly from: string
  readonly to: string
}

/** A window of absolute times, RFC 3339 in UTC; `to` is exclusive. */
export interface TimeWindow {
  readonly from: string
  readonly to: string
}

/** The window of an address without `from` and `to`. */
export const DEFAULT_WINDOW: WindowChoice = { from: 'now-1h', to: 'now' }

/** All that is stored: the retention of the namespace shortens it. */
export const ALL_TIME: WindowChoice = { from: '1970-01-01T00:00:00Z', to: 'now' }

const HALF_HOUR_NS = 1_800_000_000_000n
const RELATIVE = /^now(?:([-+])(\d{1,9})(ms|s|m|h|d|w))?$/
const UNIT_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const
const NS_PER_MS = 1_000_000n

/** Unix nanoseconds of a bound; null when it is neither RFC 3339 nor relative. */
export function resolveBound(text: string, nowMs: number): bigint | null {
  const relative = RELATIVE.exec(text)
  if (!relative) return parseInstantNs(text)
  const [, sign, amount = '0', unit = 'ms'] = relative
  const offset = Number(amount) * UNIT_MS[unit as keyof typeof UNIT_MS]
  return BigInt(Math.round(nowMs + (sign === '-' ? -offset : offset))) * NS_PER_MS
}

/** A value of the address that was replaced by its default. */
export interface AddressProblem {
  readonly key: string
  readonly value: string
  readonly instead: string
}

/** The window of an address, and what in it could not be read. */
export interface ReadWindow {
  readonly choice: WindowChoice
  readonly problems: readonly AddressProblem[]
}

/** Reads `from` and `to`. A bound that is not a time, and a window whose end is not after its start, fall back to the default. */
export function readWindow(search: SearchValues, nowMs: number): ReadWindow {
  const problems: AddressProblem[] = []
  const read = (key: 'from' | 'to'): string => {
    const value = one(search, key)
    if (value === null) return DEFAULT_WINDOW[key]
    if (resolveBound(value, nowMs) !== null) return value
    problems.push({ key, value, instead: DEFAULT_WINDOW[key] })
    return DEFAULT_WINDOW[key]
  }
  const choice = { from: read('from'), to: read('to') }
  if (resolveBound(choice.from, nowMs)! < resolveBound(choice.to, nowMs)!) return { choice, problems }
  const instead = `${DEFAULT_WINDOW.from} to ${DEFAULT_WINDOW.to}`
  return {
    choice: DEFAULT_WINDOW,
    problems: [...problems, { key: 'from, to', value: `${choice.from} to ${choice.to}`, instead }]
  }
}

/** The absolute times of a choice at `nowMs`. The choice must be valid, as `readWindow` returns it. */
export function resolveWindow({ from, to }: WindowChoice, nowMs: number): TimeWindow {
  return { from: formatInstantNs(resolveBound(from, nowMs)!), to: formatInstantNs(resolveBound(to, nowMs)!) }
}

/** The changes of an address that select a window; default bounds are left out. */
export function windowChanges({ from, to }: WindowChoice): Readonly<Record<'from' | 'to', string | null>> {
  return { from: from === DEFAULT_WINDOW.from ? null : from, to: to === DEFAULT_WINDOW.to ? null : to }
}

const NAMES: Readonly<Record<string, string>> = { s: 'second', m: 'minute', h: 'hour', d: 'day', w: 'week' }

/** `Last 1 hour`, or null when the window is not "until now". */
export function lastOf({ from, to }: WindowChoice): string | null {
  const match = /^now-(\d+)([smhdw])$/.exec(from)
  if (to !== 'now' || !match) return null
  return `Last ${match[1]} ${NAMES[match[2]!]}${match[1] === '1' ? '' : 's'}`
}

/** A window of twice the length around the middle of this one. */
export function zoomedOut({ from, to }: TimeWindow): TimeWindow {
  const [start, end] = [parseInstantNs(from)!, parseInstantNs(to)!]
  const half = (end - start) / 2n
  return { from: formatInstantNs(start - half), to: formatInstantNs(end + half) }
}

/** A window of an hour around an instant, RFC 3339. */
export function hourAround(instant: string): TimeWindow {
  const ns = parseInstantNs(instant)!
  return { from: formatInstantNs(ns - HALF_HOUR_NS), to: formatInstantNs(ns + HALF_HOUR_NS) }
}

/** The last quarter of a window. */
export function quarterBefore({ from, to }: TimeWindow): TimeWindow {
  const [start, end] = [parseInstantNs(from)!, parseInstantNs(to)!]
  return { from: formatInstantNs(end - (end - start) / 4n), to }
}

/** The window before (`-1n`) or after (`1n`) this one, half of its length away. */
export function shifted({ from, to }: TimeWindow, direction: -1n | 1n): TimeWindow {
  const [start, end] = [parseInstantNs(from)!, parseInstantNs(to)!]
  const half = ((end - start) / 2n) * direction
  return { from: formatInstantNs(start + half), to: formatInstantNs(end + half) }
}
