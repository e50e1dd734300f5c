import type { Signal } from '../api/generated/Usage.js'
import { parseDurationText } from '../format/duration-text.js'
import { toMs } from '../format/instant.js'

/** A signal whose retention can be set. */
export type RetainedSignal = 'logs' | 'traces' | 'metrics' | 'rum' | 'errors'

/** Records that arrived on a UTC day. */
export interface ArrivedDay {
  readonly day: string
  readonly signal: Signal
  readonly items: number
}

/** Represents no limit. */
export const FOREVER = 'forever'
const MIN_MS = 60_000
const MAX_MS = 100 * 365 * 86_400_000
const SIGNALS: Readonly<Record<RetainedSignal, Signal>> = {
  logs: 'LOGS',
  traces: 'SPANS',
  metrics: 'METRICS',
  rum: 'RUM',
  errors: 'ERRORS'
}

/** A retention in milliseconds; Infinity for forever; null when it is neither that nor a duration from 1m to 100y. */
export function retentionMs(text: string): number | null {
  if (text === FOREVER) return Infinity
  const ms = parseDurationText(text)
  return ms === null || ms < MIN_MS || ms > MAX_MS ? null : ms
}

/** What a shorter retention removes. */
export interface Removal {
  /** Records before this time are removed, Unix milliseconds. */
  readonly beforeMs: number
  /** Records that arrived on the affected days: an estimate, because the limit is the event time. */
  readonly records: number
}

/** What a change from `before` to `after` removes; null when it removes nothing, or when a value is not valid. */
export function removalOf(
  signal: RetainedSignal,
  { before, after }: { readonly before: string; readonly after: string },
  usage: readonly ArrivedDay[],
  nowMs: number
): Removal | null {
  const [oldMs, newMs] = [retentionMs(before), retentionMs(after)]
  if (oldMs === null || newMs === null || newMs >= oldMs) return null
  const beforeMs = nowMs - newMs
  const records = usage
    .filter(one => one.signal === SIGNALS[signal] && toMs(one.day) < beforeMs && toMs(one.day) >= nowMs - oldMs)
    .reduce((sum, { items }) => sum + items, 0)
  return { beforeMs, records }
}
