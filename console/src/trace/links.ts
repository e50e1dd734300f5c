import { formatInstantNs, parseInstantNs } from '../format/instant.js'
import { quoted } from '../query/quoted.js'
import { writtenName } from '../query/written-name.js'
import type { SearchValues } from '../url/search-codec.js'

const NS_PER_MS = 1e6
/** As far around a trace as its logs are counted. */
const MARGIN_NS = 3_600_000_000_000n

/** When a trace ran; RFC 3339 and milliseconds. */
export interface TraceTime {
  readonly startTime: string
  readonly durationMs: number
}

/** The address window of an hour before a trace to an hour after it, in the zone of the page. */
export function windowAround({ startTime, durationMs }: TraceTime, tz: string | null): SearchValues {
  const startNs = parseInstantNs(startTime) ?? 0n
  const endNs = startNs + BigInt(Math.ceil(durationMs * NS_PER_MS))
  const window = { from: formatInstantNs(startNs - MARGIN_NS), to: formatInstantNs(endNs + MARGIN_NS) }
  return tz === null ? window : { ...window, tz }
}

/** The query for the logs of a trace, or of one of its spans. */
export function logQuery(traceId: string, spanId?: string): string {
  return spanId === undefined ? `trace_id:${traceId}` : `trace_id:${traceId} span_id:${spanId}`
}

/** The query for spans with a value of an attribute; `prefix` is `attributes` or `resource`. */
export function attributeQuery(prefix: 'attributes' | 'resource', key: string, value: string): string {
  return `${writtenName(`${prefix}.${key}`)}:${quoted(value)}`
}
