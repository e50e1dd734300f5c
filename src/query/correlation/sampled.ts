import { flatten } from '../../domain/flatten.js'
import type { StoredLog } from '../../domain/records/log.js'

const SAMPLED = 1
const HEX_BYTE = /^[0-9a-f]{2}$/i

/**
 * Whether a log says of its trace that it was not sampled: field `trace_flags` (OpenTelemetry, "Trace Context in non-OTLP Log
 * Formats"; W3C trace context, 3.2.2.5.1) without bit 0. A log without the field says nothing.
 */
export function isUnsampled({ fields, traceId }: Pick<StoredLog, 'fields' | 'traceId'>): boolean {
  if (traceId === null) return false
  const flags = flatten(fields)['trace_flags']
  if (typeof flags === 'string' && HEX_BYTE.test(flags)) return (Number.parseInt(flags, 16) & SAMPLED) === 0
  return typeof flags === 'number' && Number.isInteger(flags) && (flags & SAMPLED) === 0
}
