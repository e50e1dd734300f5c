import { formatDurationMs, parseDurationMs } from '../domain/duration.js'
import type { ErrorItem } from '../domain/errors.js'
import { GatewayError } from '../domain/errors.js'
import type { RetainedSignal, Retention } from '../domain/namespace.js'
import { RETAINED_SIGNALS } from '../domain/namespace.js'

/** Durations such as `14d`, or `forever`, per signal; signals left out keep theirs. */
export type RetentionInput = Readonly<Partial<Record<RetainedSignal, string>>>

const MIN_MS = 60_000
const MAX_MS = 100 * 365 * 86_400_000

/** Overrides parts of a retention with the given strings. `invalid_field` names every invalid string. */
export function changeRetention(retention: Retention, input: RetentionInput): Retention {
  const changed: Record<RetainedSignal, number | null> = { ...retention }
  const errors: ErrorItem[] = []
  for (const signal of RETAINED_SIGNALS) {
    const text = input[signal]
    if (text === undefined) continue
    const ms = text === 'forever' ? null : parseDurationMs(text)
    if (text !== 'forever' && (ms === null || ms < MIN_MS || ms > MAX_MS)) errors.push(wrong(signal))
    else changed[signal] = ms
  }
  if (errors.length > 0) throw new GatewayError('invalid_field', errors[0]!.detail, { errors, field: errors[0]!.field! })
  return changed
}

function wrong(signal: RetainedSignal): ErrorItem {
  const field = `retention.${signal}`
  return { code: 'invalid_field', field, detail: `${field} must be forever or a duration from 1m to 100y, e.g. 14d` }
}

/** A retention as strings. */
export function formatRetention(retention: Retention): Record<RetainedSignal, string> {
  const strings = {} as Record<RetainedSignal, string>
  for (const signal of RETAINED_SIGNALS) {
    const ms = retention[signal]
    strings[signal] = ms === null ? 'forever' : formatDurationMs(ms)
  }
  return strings
}
