const HEX = /^[0-9a-f]{1,32}$/
const ZEROS = /^0*$/
const DECIMAL = /^\d{1,20}$/
const MAX_UINT64 = (1n << 64n) - 1n
const TRACEPARENT_LENGTH = 55
const DASH = 45

/** The decimal digits of 64 bits as 16 hex digits, never through a double. */
function hexOfDecimal(text: string): string | null {
  const value = BigInt(text)
  return value <= MAX_UINT64 ? value.toString(16).padStart(16, '0') : null
}

/** The trace or span id of W3C's `traceparent`. */
function ofTraceparent(text: string, isTrace: boolean): string | null {
  const isShape = text.length >= TRACEPARENT_LENGTH && [2, 35, 52].every(at => text.charCodeAt(at) === DASH)
  if (!isShape) return null
  return isTrace ? text.slice(3, 35) : text.slice(36, 52)
}

function idText(path: string, value: unknown, isTrace: boolean): string | null {
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value
  if (typeof text !== 'string') return null
  if (path.endsWith('traceparent')) return ofTraceparent(text, isTrace)
  if (path === 'logging.googleapis.com/trace') return text.slice(text.lastIndexOf('/') + 1)
  if (/(?:^|\.)dd\.(?:trace|span)_id$/.test(path) && DECIMAL.test(text)) return hexOfDecimal(text)
  return typeof value === 'string' ? text : null
}

/** The id of a trace or a span at a member: lower-case hex; null for another value, or zeros, which mean no id. */
export function readId(path: string, value: unknown, isTrace: boolean): string | null {
  const text = idText(path, value, isTrace)?.toLowerCase()
  return text !== undefined && HEX.test(text) && !ZEROS.test(text) ? text : null
}

/** Whether the member has more than the id, so that it stays among the fields. */
export function hasMoreThanId(path: string): boolean {
  return path.endsWith('traceparent') || path === 'logging.googleapis.com/trace'
}
