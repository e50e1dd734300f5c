import { parseDurationMs } from './duration.js'
import { GatewayError } from './errors.js'
import { type EpochUnit, formatNs, parseEpochNs, parseWrittenTimeNs } from './timestamp.js'

/** A window of event time: `startNs` inclusive, `endNs` exclusive, Unix nanoseconds. */
export interface TimeRange {
  readonly startNs: bigint
  readonly endNs: bigint
}

/** A window that holds every event time. */
export const ALL_TIME: TimeRange = { startNs: -(2n ** 63n), endNs: 2n ** 63n - 1n }

/** A window as the caller gave it, and how its numbers were read (`rfc3339` and `relative` for strings). */
export interface ResolvedWindow extends TimeRange {
  readonly unitDetected: EpochUnit | 'rfc3339' | 'relative' | 'default'
}

const NS_PER_MS = 1_000_000n
const EXAMPLES = ['2026-11-20T11:40:00Z', '2026-11-20', 'now-15m']
const RELATIVE = /^now(?:([-+])(.+))?$/

interface Instant {
  readonly ns: bigint
  readonly unit: ResolvedWindow['unitDetected']
}

function readInstant(text: string, nowNs: bigint): Instant | null {
  const epoch = parseEpochNs(text)
  if (epoch) return epoch
  const rfc = parseWrittenTimeNs(text)
  if (rfc !== null) return { ns: rfc, unit: 'rfc3339' }
  const relative = RELATIVE.exec(text)
  const offsetMs = relative?.[2] === undefined ? 0 : parseDurationMs(relative[2])
  if (!relative || offsetMs === null) return null
  const offsetNs = BigInt(offsetMs) * NS_PER_MS
  return { ns: relative[1] === '-' ? nowNs - offsetNs : nowNs + offsetNs, unit: 'relative' }
}

/** Whether a string names a time, in any of the ways that `resolveInstant` and `resolveWindow` read. */
export function isInstant(text: string): boolean {
  return readInstant(text, 0n) !== null
}

function parseInstant(value: unknown, nowNs: bigint, field: string): Instant {
  const text = typeof value === 'number' ? String(value) : value
  const instant = typeof text === 'string' ? readInstant(text, nowNs) : null
  if (instant) return instant
  throw new GatewayError(
    'invalid_time_range',
    `${field} is not a time: use RFC 3339, a date (UTC), Unix seconds (or ms, us, ns), or a relative time such as now-15m`,
    { field, suggestions: EXAMPLES }
  )
}

/** One time, in any way in which a window is named; now when it is absent. Throws `invalid_time_range`, about `field`. */
export function resolveInstant(value: unknown, nowNs: bigint, field: string): bigint {
  return value === undefined || value === null || value === '' ? nowNs : parseInstant(value, nowNs, field).ns
}

/**
 * The window that `start` and `end` name: numbers or digit strings (unit by magnitude), RFC 3339
 * (`parseWrittenTimeNs`), or `now-15m`.
 * A missing end is now, a missing start is `defaultMs` before the end. Throws `invalid_time_range`.
 */
export function resolveWindow(start: unknown, end: unknown, nowNs: bigint, defaultMs: number): ResolvedWindow {
  const to = end === undefined || end === null || end === '' ? null : parseInstant(end, nowNs, 'end')
  // The end is exclusive and a record written in this nanosecond belongs to "until now".
  const endNs = to?.ns ?? nowNs + 1n
  const from = start === undefined || start === null || start === '' ? null : parseInstant(start, nowNs, 'start')
  const startNs = from?.ns ?? endNs - BigInt(defaultMs) * NS_PER_MS
  if (startNs >= endNs) throw new GatewayError('invalid_time_range', 'start must be before end', { field: 'start' })
  return { startNs, endNs, unitDetected: from?.unit ?? to?.unit ?? 'default' }
}

/** The first whole millisecond at or after a time. */
export function firstMsFrom(ns: bigint): number {
  const ms = ns / NS_PER_MS
  return Number(ms * NS_PER_MS < ns ? ms + 1n : ms)
}

/** The `window` member of every list response. */
export function windowReply(window: ResolvedWindow): {
  start: string
  end: string
  unit_detected: ResolvedWindow['unitDetected']
} {
  return { start: formatNs(window.startNs), end: formatNs(window.endNs), unit_detected: window.unitDetected }
}
