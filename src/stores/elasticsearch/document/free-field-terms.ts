import { exactTerm } from './exact-term.js'

const view = new DataView(new ArrayBuffer(8))
const SIGN = 0x80000000
// Numbers beyond 31 bits are slow to write in hex; every log with numbers passes here.
const HEX: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

function half(bits: number): string {
  return HEX[bits >>> 24]! + HEX[(bits >>> 16) & 0xff]! + HEX[(bits >>> 8) & 0xff]! + HEX[bits & 0xff]!
}

/** 16 hex digits that sort as the numbers do: the IEEE double with the sign bit flipped, of negative ones all bits. */
export function sortableNumber(value: number): string {
  // -0 equals 0.
  view.setFloat64(0, value === 0 ? 0 : value)
  const [high, low] = [view.getUint32(0), view.getUint32(4)]
  return value < 0 ? half(~high) + half(~low) : half(high ^ SIGN) + half(low)
}

// A value of a free field is one term `name US place value` in one of 16 keyword fields, picked by the name: few fields for
// any number of names, and a name whose values are all different burdens one slot only.

/** How many keyword fields hold the values of free fields. */
export const SLOT_COUNT = 16
/** Their names, `k0` to `kf`. */
export const SLOTS: readonly string[] = Array.from({ length: SLOT_COUNT }, (_, i) => `k${i.toString(16)}`)

/**
 * Where a record has a value: in `log_fields`, in `tags`, or the same one in both (one term per record, field and value); of
 * spans also in the attributes of events and of links, with terms of their own.
 */
export const PLACES = { log_fields: 'f', tags: 't', both: 'b', events: 'e', links: 'l' } as const
/** Which object of a record a free field is in. */
export type Place = (typeof PLACES)[keyof typeof PLACES]

const SEPARATOR = '\u001f'
const ESCAPE = '\u001e'

const FNV_OFFSET = 0x811c9dc5
const FNV_PRIME = 0x01000193

/** Number of the slot of a field: FNV-1a over UTF-16 code units. Must never change: stored documents depend on it. */
export function slotOf(name: string): number {
  let hash = FNV_OFFSET
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), FNV_PRIME)
  hash ^= hash >>> 15
  return hash & (SLOT_COUNT - 1)
}

/** Keyword field that holds the values of a free field. */
export function slotField(name: string): string {
  return SLOTS[slotOf(name)]!
}

function escapeName(name: string): string {
  if (!name.includes(SEPARATOR) && !name.includes(ESCAPE)) return name
  return name.replaceAll(ESCAPE, `${ESCAPE}0`).replaceAll(SEPARATOR, `${ESCAPE}1`)
}

/** What the terms of a free field begin with, up to its value; no other field's terms do. Dotted names are of flattened objects. */
export function termPrefix(name: string, place: Place): string {
  return `${escapeName(name)}${SEPARATOR}${place}`
}

/** First text behind all that `termPrefix` begins. */
export function termPrefixEnd(name: string, place: Place): string {
  return `${escapeName(name)}${SEPARATOR}${String.fromCharCode(place.charCodeAt(0) + 1)}`
}

/** The term of a value. Values are strings: `String` of numbers and booleans. */
export function valueTerm(prefix: string, value: string): string {
  return exactTerm(prefix + value)
}

/** The term of a number, or of a text that spells one, in the field `NUMBERS`. Sorts as the numbers do; infinities bound it. */
export function numberTerm(prefix: string, value: number): string {
  return prefix + sortableNumber(value)
}
