import type { JsonValue } from '../domain/json.js'

const SCALAR_BYTES = 8
const PUNCTUATION_BYTES = 4
/** The members of a row besides its strings: names, times, ids. */
const ROW_BYTES = 400

/** About how many bytes the value takes as JSON; cheap, and never much too low for text. */
export function jsonBytes(value: JsonValue): number {
  if (typeof value === 'string') return Buffer.byteLength(value) + PUNCTUATION_BYTES
  if (typeof value !== 'object' || value === null) return SCALAR_BYTES
  if (Array.isArray(value)) {
    const items = value as readonly JsonValue[]
    return items.reduce<number>((sum, item) => sum + jsonBytes(item) + 1, PUNCTUATION_BYTES)
  }
  let bytes = PUNCTUATION_BYTES
  for (const [key, item] of Object.entries(value)) bytes += jsonBytes(item) + key.length + PUNCTUATION_BYTES
  return bytes
}

/** About how many bytes a row with these large parts takes. */
export function rowBytes(...parts: readonly JsonValue[]): number {
  return parts.reduce<number>((sum, part) => sum + jsonBytes(part), ROW_BYTES)
}
