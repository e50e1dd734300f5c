import type { JsonValue } from '../domain/json.js'

/** An integer as the product's JSON holds it: beyond 2^53 as its digits. */
export function jsonInteger(value: number | bigint): JsonValue {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value.toString()
}

/** A double as the product's JSON holds it: what JSON has no number for is named as in the JSON mapping of protobuf. */
export function jsonDouble(value: number): JsonValue {
  return Number.isFinite(value) ? value : String(value)
}
