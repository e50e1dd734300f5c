import { GatewayError } from '../../../domain/errors.js'

/** The value in `lengths` for a missing string. */
export const NULL_LENGTH = 0xffffffff

/**
 * Strings of one column: their UTF-8 bytes without separators, and the byte length of each. Cheaper to send than single strings.
 */
export interface StringColumn {
  readonly bytes: Uint8Array
  readonly lengths: Uint32Array
}

/** One string that every row has: what the records of a resource have in common is sent and journaled once. */
export interface SharedString {
  readonly shared: Uint8Array
}

/** Numbers of which some are missing (NaN). */
export interface NullableNumbers {
  readonly orNaN: Float64Array
}

/** A column on the wire; null: no row has a value. */
export type WireColumn =
  | StringColumn
  | SharedString
  | NullableNumbers
  | BigInt64Array
  | Int32Array
  | Uint8Array
  | Float64Array
  | null

/** Columns by name; absent ones are null throughout. */
export type NamedColumns = Readonly<Record<string, WireColumn>>

// UTF-8 needs at most three bytes for a UTF-16 code unit.
const MAX_BYTES_PER_UNIT = 3

function encodeEach(values: readonly (string | null)[], units: number): StringColumn {
  const lengths = new Uint32Array(values.length)
  const bytes = Buffer.allocUnsafe(units * MAX_BYTES_PER_UNIT)
  let at = 0
  values.forEach((value, i) => {
    const written = value === null ? 0 : bytes.write(value, at, 'utf8')
    lengths[i] = value === null ? NULL_LENGTH : written
    at += written
  })
  return { bytes: bytes.subarray(0, at), lengths }
}

/** Strings of one column, in UTF-16 code units; the default of `maxAppendBytes` refuses what is longer. */
const MAX_UNITS = 128 * 1024 * 1024

/**
 * The column of `pick`'s strings; null if all are missing. `payload_too_large` if they are longer than `maxUnits`: records that
 * share a string in memory must not fill it when each gets its own.
 */
export function encodeStrings<Item>(
  items: readonly Item[],
  pick: (item: Item) => string | null,
  maxUnits = MAX_UNITS
): StringColumn | null {
  const lengths = new Uint32Array(items.length)
  let joined = ''
  let hasAny = false
  for (let i = 0; i < items.length; i++) {
    const value = pick(items[i]!)
    if (value === null) {
      lengths[i] = NULL_LENGTH
      continue
    }
    hasAny = true
    lengths[i] = value.length
    joined += value
    if (joined.length > maxUnits) throw new GatewayError('payload_too_large', `a column is longer than ${maxUnits} characters`)
  }
  if (!hasAny) return null
  const bytes = Buffer.from(joined, 'utf8')
  // Only ASCII has as many bytes as code units; a lone surrogate at a seam must not join its neighbor.
  return bytes.length === joined.length ? { bytes, lengths } : encodeEach(items.map(pick), joined.length)
}

/** As `encodeStrings`; a string that several rows share is written once. */
export function encodeStringColumn<Item>(
  items: readonly Item[],
  pick: (item: Item) => string | null
): StringColumn | SharedString | null {
  const first = items.length > 1 ? pick(items[0]!) : null
  if (first !== null && items.every(item => pick(item) === first)) return { shared: Buffer.from(first) }
  return encodeStrings(items, pick)
}

/** The strings of a column in which none is missing. */
export function decodeStrings({ bytes, lengths }: StringColumn): string[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = 0
  return Array.from(lengths, length => buffer.toString('utf8', at, (at += length)))
}

/** The strings of a column; null where one is missing. */
export function decodeNullableStrings({ bytes, lengths }: StringColumn): (string | null)[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = 0
  return Array.from(lengths, length => (length === NULL_LENGTH ? null : buffer.toString('utf8', at, (at += length))))
}

/** The column of `pick`'s numbers, missing ones as null; null when all are missing. */
export function encodeNullableNumbers<Item>(items: readonly Item[], pick: (item: Item) => number | null): NullableNumbers | null {
  const orNaN = Float64Array.from(items, item => pick(item) ?? Number.NaN)
  return orNaN.every(Number.isNaN) ? null : { orNaN }
}

/** The column of `pick`'s 64-bit integers. */
export function encodeBigints<Item>(items: readonly Item[], pick: (item: Item) => bigint): BigInt64Array {
  const column = new BigInt64Array(items.length)
  for (let i = 0; i < items.length; i++) column[i] = pick(items[i]!)
  return column
}

/** The column of `pick`'s small integers. */
export function encodeIntegers<Item>(items: readonly Item[], pick: (item: Item) => number): Int32Array {
  const column = new Int32Array(items.length)
  for (let i = 0; i < items.length; i++) column[i] = pick(items[i]!)
  return column
}

/** The column of `pick`'s numbers from 0 to 255. */
export function encodeBytes<Item>(items: readonly Item[], pick: (item: Item) => number): Uint8Array {
  const column = new Uint8Array(items.length)
  for (let i = 0; i < items.length; i++) column[i] = pick(items[i]!)
  return column
}
