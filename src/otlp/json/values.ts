import { bareObject } from '../../domain/bare-object.js'
import type { JsonObject, JsonValue } from '../../domain/json.js'
import { jsonDouble, jsonInteger } from '../json-number.js'
import { MalformedOtlp } from '../model.js'

// Values of proto3's JSON mapping as OTLP bends it (specification 1.11, JSON Protobuf Encoding): names in lowerCamelCase,
// ids in hex, enums as integers, 64-bit integers as strings or numbers, unknown members ignored, null as not sent.

/** A message: an object as JSON.parse gives it. */
export type Message = Readonly<Record<string, unknown>>

const HEX = /^(?:[0-9a-fA-F]{2})*$/
const INTEGER = /^-?\d{1,20}$/
const SPECIAL: ReadonlyMap<string, number> = new Map([
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY]
])

function malformed(name: string, requested: string): MalformedOtlp {
  return new MalformedOtlp(`${name} must be ${requested}`)
}

function isMessage(value: unknown): value is Message {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The member, undefined when it was not sent: a name like `constructor` must not reach the prototype. */
export function member(message: Message, name: string): unknown {
  const value = Object.hasOwn(message, name) ? message[name] : undefined
  return value === null ? undefined : value
}

/** A message that must be one. */
export function asMessage(value: unknown, name: string): Message {
  if (isMessage(value)) return value
  throw malformed(name, 'an object')
}

/** A message or none. */
export function messageIn(message: Message, name: string): Message | undefined {
  const value = member(message, name)
  return value === undefined ? undefined : asMessage(value, name)
}

/** The messages of a repeated member. */
export function messagesIn(message: Message, name: string): readonly Message[] {
  return listIn(message, name).map(item => asMessage(item, name))
}

/** The values of a repeated member. */
export function listIn(message: Message, name: string): readonly unknown[] {
  const value = member(message, name)
  if (value === undefined) return []
  if (Array.isArray(value)) return value
  throw malformed(name, 'an array')
}

export function stringIn(message: Message, name: string): string {
  const value = member(message, name)
  if (value === undefined) return ''
  if (typeof value === 'string') return value
  throw malformed(name, 'a string')
}

/** An id: hex, in lower case. */
export function idIn(message: Message, name: string): string {
  const text = stringIn(message, name)
  if (HEX.test(text)) return text.toLowerCase()
  throw malformed(name, 'hex')
}

/** A 64-bit integer, as a string or a number. */
function toInteger(value: unknown, name: string): bigint {
  if (typeof value === 'string' && INTEGER.test(value)) return BigInt(value)
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value)
  throw malformed(name, 'an integer')
}

/** Unix nanoseconds; 0 when not sent. */
export function timeIn(message: Message, name: string): bigint {
  const value = member(message, name)
  return value === undefined ? 0n : BigInt.asUintN(64, toInteger(value, name))
}

/** A number of 32 bits, a count, an enum. */
export function integerIn(message: Message, name: string): number {
  const value = member(message, name)
  return value === undefined ? 0 : Number(toInteger(value, name))
}

/** A double; strings hold what JSON has no number for. */
export function toDouble(value: unknown, name: string): number {
  if (typeof value === 'number') return value
  if (typeof value === 'string') {
    const special = SPECIAL.get(value)
    if (special !== undefined) return special
    const number = Number(value)
    if (value.trim() !== '' && !Number.isNaN(number)) return number
  }
  throw malformed(name, 'a number')
}

export function doubleIn(message: Message, name: string): number {
  return optionalDoubleIn(message, name) ?? 0
}

/** A double, or null when it was not sent. */
export function optionalDoubleIn(message: Message, name: string): number | null {
  const value = member(message, name)
  return value === undefined ? null : toDouble(value, name)
}

/** The integers of a repeated member, each exact up to 2^53. */
export function integersIn(message: Message, name: string): readonly number[] {
  return listIn(message, name).map(value => Number(toInteger(value, name)))
}

export function flagIn(message: Message, name: string): boolean {
  const value = member(message, name)
  if (value === undefined || typeof value === 'boolean') return value === true
  throw malformed(name, 'true or false')
}

/** What an `AnyValue` may be nested: deeper than any configured depth of a record's fields. */
const MAX_DEPTH = 80

/** An `AnyValue`: bytes stay base64, an unset value is null. */
export function anyValue(message: Message | undefined, depth = 0): JsonValue {
  if (message === undefined || depth > MAX_DEPTH) return null
  for (const name in message) {
    const value = member(message, name)
    const read = VARIANTS.get(name)
    if (read !== undefined && value !== undefined) return read(message, name, depth)
  }
  return null
}

type ReadVariant = (message: Message, name: string, depth: number) => JsonValue

const VARIANTS: ReadonlyMap<string, ReadVariant> = new Map<string, ReadVariant>([
  ['stringValue', stringIn],
  ['boolValue', flagIn],
  ['intValue', (message, name) => jsonInteger(toInteger(member(message, name), name))],
  ['doubleValue', (message, name) => jsonDouble(doubleIn(message, name))],
  ['bytesValue', stringIn],
  [
    'arrayValue',
    (message, name, depth) => messagesIn(messageIn(message, name)!, 'values').map(value => anyValue(value, depth + 1))
  ],
  ['kvlistValue', (message, name, depth) => attributesIn(messageIn(message, name)!, 'values', depth + 1)]
])

/** A repeated `KeyValue`; of two equal keys the last counts. */
export function attributesIn(message: Message, name: string, depth = 0): JsonObject {
  const attributes = bareObject<JsonValue>()
  for (const pair of messagesIn(message, name)) attributes[stringIn(pair, 'key')] = anyValue(messageIn(pair, 'value'), depth)
  return attributes
}
