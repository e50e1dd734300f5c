import { bareObject } from '../../domain/bare-object.js'
import { isRawObject, type RawObject, gather } from '../raw-object.js'

/** A copy of an object without the member at the keys; undefined when nothing else was in it. */
function without(object: RawObject, keys: readonly string[]): RawObject | undefined {
  const [first = '', ...rest] = keys
  const copy = bareObject<unknown>()
  let count = 0
  for (const key in object) {
    let value = object[key]
    if (key === first) {
      if (rest.length === 0 || !isRawObject(value)) continue
      value = without(value, rest)
      if (value === undefined) continue
    }
    copy[key] = value
    count++
  }
  return count === 0 ? undefined : copy
}

/** Adds a field; where there is one of the name, it becomes many-valued. */
export function gatherAlso(fields: Record<string, unknown> | null, key: string, value: unknown): Record<string, unknown> {
  const hasOther = fields !== null && Object.hasOwn(fields, key)
  return gather(fields, key, hasOther ? [fields[key], value].flat(1) : value)
}

/** An object whose members are recognized, and what is left of them: the record, or the JSON that its message holds. */
export class LogPart {
  readonly raw: RawObject
  readonly #left = new Map<string, unknown>()

  constructor(raw: RawObject) {
    this.raw = raw
  }

  /** Takes out the member at the keys; the others of an object that it is in stay. */
  take(keys: readonly string[]): void {
    const [first = '', ...rest] = keys
    const value = this.#left.has(first) ? this.#left.get(first) : this.raw[first]
    this.#left.set(first, rest.length > 0 && isRawObject(value) ? without(value, rest) : undefined)
  }

  /** Adds what is left to the free fields, except the members that the record itself is made of. */
  addRest(
    fields: Record<string, unknown> | null,
    isRecordMember: (key: string, value: unknown) => boolean
  ): Record<string, unknown> | null {
    let out = fields
    for (const key in this.raw) {
      const value = this.#left.has(key) ? this.#left.get(key) : this.raw[key]
      if (value === undefined || isRecordMember(key, value)) continue
      out = gatherAlso(out, key, value)
    }
    return out
  }
}
