import { bareObject } from '../domain/bare-object.js'
import type { JsonObject, JsonValue } from '../domain/json.js'
import { type ItemCheck } from './item-check.js'
import { isLonger } from './string-size.js'
import { isRawObject, type RawObject } from './raw-object.js'

const NONE: JsonObject = Object.freeze(bareObject<JsonValue>())
// What a number, a boolean or null counts for in the size of an array.
const SCALAR_BYTES = 8

/** Counts and sizes of one record's free fields while they are walked. */
class Walk {
  readonly #check: ItemCheck
  readonly #root: string
  leaves = 0

  constructor(check: ItemCheck, root: string) {
    this.#check = check
    this.#root = root
  }

  /** Every member of an object at a depth (1 is the outermost). Stops at the first fault, so depth bounds recursion. */
  object(object: RawObject, path: string, depth: number): void {
    const { limits } = this.#check
    if (depth > limits.depth) {
      this.#check.refuse('record_too_large', path, `${this.#root} is nested deeper than ${limits.depth} levels`)
      return
    }
    for (const key in object) {
      this.#name(key)
      this.value(object[key], path, key, depth)
      if (this.#check.fault !== null) return
    }
  }

  value(value: unknown, path: string, key: string, depth: number): void {
    if (typeof value === 'object' && value !== null) {
      this.#nested(value, `${path}.${key}`, depth + 1)
      return
    }
    this.#leaf()
    const limit = this.#check.limits.fieldValueBytes
    if (typeof value === 'string' && isLonger(value, limit)) {
      this.#check.refuse('record_too_large', `${path}.${key}`, `a value must not exceed ${limit} bytes`)
    }
  }

  #nested(value: object, path: string, depth: number): void {
    if (!Array.isArray(value)) {
      this.object(value as RawObject, path, depth)
      return
    }
    this.#leaf()
    const limit = this.#check.limits.fieldValueBytes
    if (this.#arrayBytes(value, path, depth) > limit) {
      this.#check.refuse('record_too_large', path, `the values of an array must not exceed ${limit} bytes in total`)
    }
  }

  #arrayBytes(items: readonly unknown[], path: string, depth: number): number {
    const { limits } = this.#check
    if (depth > limits.depth) {
      this.#check.refuse('record_too_large', path, `${this.#root} is nested deeper than ${limits.depth} levels`)
      return 0
    }
    let bytes = 0
    for (const item of items) {
      bytes += this.#itemBytes(item, path, depth)
      if (bytes > limits.fieldValueBytes || this.#check.fault !== null) break
    }
    return bytes
  }

  #itemBytes(item: unknown, path: string, depth: number): number {
    if (typeof item === 'string') return Buffer.byteLength(item) + 1
    if (Array.isArray(item)) return this.#arrayBytes(item, path, depth + 1)
    if (!isRawObject(item)) return SCALAR_BYTES
    let bytes = 0
    // Members of objects in arrays are bounded by the array's size, not by the number of fields.
    for (const key in item) {
      this.#name(key)
      bytes += key.length + this.#arrayBytes([item[key]], path, depth + 1)
      if (this.#check.fault !== null) break
    }
    return bytes
  }

  #leaf(): void {
    if (++this.leaves <= this.#check.limits.fields) return
    this.#check.refuse('record_too_large', this.#root, `${this.#root} has more than ${this.#check.limits.fields} fields`)
  }

  #name(key: string): void {
    const limit = this.#check.limits.fieldNameBytes
    if (isLonger(key, limit)) this.#check.refuse('record_too_large', this.#root, `a field name must not exceed ${limit} bytes`)
  }
}

function withinLimits(check: ItemCheck, object: RawObject, root: string): JsonObject {
  new Walk(check, root).object(object, root, 1)
  return object as JsonObject
}

/** Objects such as `tags`: nothing, or an object within the limits. */
export function freeObject(check: ItemCheck, value: unknown, field: string): JsonObject {
  if (value === undefined || value === null) return NONE
  if (isRawObject(value)) return withinLimits(check, value, field)
  check.refuse('invalid_field', field, `${field} must be an object`)
  return NONE
}

function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value]
}

/** As `freeObject`, with unknown members of the record merged in; a name in both becomes many-valued. */
export function freeObjectWith(check: ItemCheck, value: unknown, extra: RawObject | null, field: string): JsonObject {
  if (extra === null) return freeObject(check, value, field)
  if (value === undefined || value === null) return withinLimits(check, extra, field)
  if (!isRawObject(value)) return freeObject(check, value, field)
  const merged = bareObject<unknown>()
  for (const key in value) merged[key] = value[key]
  for (const key in extra) merged[key] = key in merged ? [...asArray(merged[key]), ...asArray(extra[key])] : extra[key]
  return withinLimits(check, merged, field)
}
