import { type Namespace, type RetainedSignal, retentionStartNs } from '../domain/namespace.js'
import { type ResolvedWindow, resolveWindow, type TimeRange } from '../domain/time-range.js'
import { formatNs } from '../domain/timestamp.js'
import type { WindowBounds } from './result.js'
import { type Cut, type Warning } from '../domain/warning.js'

/** An hour in milliseconds. */
export const HOUR_MS = 3_600_000
/** A day in milliseconds. */
export const DAY_MS = 24 * HOUR_MS

/** A window as requested, and the part of it that the retention lets a reader see. */
export interface ReadWindow {
  readonly requested: ResolvedWindow
  /** Empty (start = end) when all of the window is past the retention. */
  readonly range: TimeRange
  /** A sentence when the retention cut a window that the caller had named; the result is then not complete. */
  readonly warnings: readonly Warning[]
}

/** The namespace, the signal whose retention holds, and the time it is. */
export interface ReadPlace {
  readonly namespace: Namespace
  readonly signal: RetainedSignal
  readonly nowNs: bigint
}

/** Clips a window to the retention, which moves on between the pages of one list. */
export function clipToRetention(requested: ResolvedWindow, place: ReadPlace): ReadWindow {
  const oldestNs = retentionStartNs(place.namespace.retention, place.signal, place.nowNs)
  if (requested.startNs >= oldestNs)
    return { requested, range: { startNs: requested.startNs, endNs: requested.endNs }, warnings: [] }
  const startNs = oldestNs < requested.endNs ? oldestNs : requested.endNs
  // Nothing is older than 1970, and a default window was not the caller's choice.
  const isCut = oldestNs > 0n && requested.unitDetected !== 'default'
  return { requested, range: { startNs, endNs: requested.endNs }, warnings: isCut ? [pastRetention(place.signal, oldestNs)] : [] }
}

/** States that the retention cuts a window. */
export function pastRetention(signal: RetainedSignal, oldestNs: bigint): Cut {
  return {
    kind: 'retention',
    detail: `${signal} before ${formatNs(oldestNs)} are past this namespace's retention`,
    remedy: 'Start the window later, or extend the retention in the settings of the namespace.',
    range: { endNs: oldestNs }
  }
}

/** The part of a range that the retention keeps; empty where it keeps nothing of it. */
export function keptRange({ startNs, endNs }: TimeRange, { namespace, signal, nowNs }: ReadPlace): TimeRange {
  const oldestNs = retentionStartNs(namespace.retention, signal, nowNs)
  return { startNs: startNs > oldestNs ? startNs : oldestNs, endNs }
}

/** The window that the bounds name, `defaultMs` long when they are absent, clipped to the retention. Throws `invalid_time_range`. */
export function readWindow(bounds: WindowBounds, place: ReadPlace, defaultMs: number): ReadWindow {
  return clipToRetention(resolveWindow(bounds.start, bounds.end, place.nowNs, defaultMs), place)
}

/** All that the retention keeps, and the hour ahead that clocks may run fast ("Limits" in docs/conventions.md). */
export function wholeRetention(place: ReadPlace): ReadWindow {
  const startNs = retentionStartNs(place.namespace.retention, place.signal, place.nowNs)
  const endNs = place.nowNs + BigInt(HOUR_MS) * 1_000_000n
  return { requested: { startNs, endNs, unitDetected: 'default' }, range: { startNs, endNs }, warnings: [] }
}
