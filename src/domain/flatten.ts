import { bareObject } from './bare-object.js'
import type { FlatObject, FlatValue, JsonObject, JsonValue } from './json.js'

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isFlat(object: JsonObject): boolean {
  for (const key in object) {
    const value = object[key]!
    if (typeof value === 'object' && value !== null) return false
  }
  return true
}

function addValue(out: Record<string, FlatValue>, path: string, value: FlatValue): void {
  const present = out[path]
  if (present === undefined) {
    out[path] = value
    return
  }
  // `{"a.b":1,"a":{"b":2}}`: both values are under one path, as in an array.
  out[path] = [...(Array.isArray(present) ? present : [present]), ...(Array.isArray(value) ? value : [value])]
}

function addArray(out: Record<string, FlatValue>, path: string, items: readonly JsonValue[]): void {
  const scalars: FlatValue[] = []
  for (const item of items) {
    if (isObject(item)) addObject(out, `${path}.`, item)
    else if (Array.isArray(item)) addArray(out, path, item)
    else scalars.push(item as FlatValue)
  }
  if (scalars.length > 0 || items.length === 0) addValue(out, path, scalars)
}

function addObject(out: Record<string, FlatValue>, prefix: string, object: JsonObject): void {
  for (const key of Object.keys(object)) {
    const value = object[key]!
    const path = prefix + key
    if (isObject(value)) addObject(out, `${path}.`, value)
    else if (Array.isArray(value)) addArray(out, path, value)
    else addValue(out, path, value as FlatValue)
  }
}

/**
 * Dotted keys of a nested object: `{a:{b:1}}` gives `{"a.b":1}`; arrays are many-valued, objects in arrays give many
 * values per path ("Queries" in docs/conventions.md). An object that holds only scalars is returned as it is.
 */
export function flatten(object: JsonObject): FlatObject {
  if (isFlat(object)) return object as FlatObject
  const out = bareObject<FlatValue>()
  addObject(out, '', object)
  return out
}
