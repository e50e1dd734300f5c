import type { LogRecord } from '../../domain/records/log.js'

const RANGE = 2 ** 32
/** Characters of a message that decide. */
const MAX_CHARS = 1_024
// FNV-1a, and the finalizer of MurmurHash3, which spreads its last characters over all bits.
const FNV_OFFSET = 0x811c9dc5
const FNV_PRIME = 0x01000193

function hash(text: string): number {
  let h = FNV_OFFSET
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), FNV_PRIME)
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}

/**
 * Whether a log is in the share that is kept. Logs of one trace are kept or dropped together; a log that is sent again
 * has the same fate, on any gateway: where it has no time of its own, its place in the request counts instead.
 */
export function isKept({ traceId, timestampNs, isServerTime, index, message }: LogRecord, share: number): boolean {
  if (share <= 0) return false
  return hash(traceId ?? `${isServerTime ? index : timestampNs} ${message.slice(0, MAX_CHARS)}`) < share * RANGE
}
