import { bareObject } from '../../domain/bare-object.js'
import type { JsonObject, JsonValue } from '../../domain/json.js'
import { markOf } from './mark.js'
import type { SecretScanner } from './secret-scanner.js'

/** Name of what was replaced because of the name of its member. */
const KEY = 'key'

/** Ids of traces and spans in hexadecimal, which no secret looks like. */
function isHexId(text: string): boolean {
  return (text.length === 32 || text.length === 16) && /^[0-9a-f]+$/.test(text)
}

/** Redacts the records of one request, and counts what it replaced. Values without secrets stay the same objects. */
export class Redaction {
  readonly #scanner: SecretScanner
  readonly #found = new Map<string, number>()
  /** Objects that records share, such as the resource of OTLP. */
  readonly #shared = new WeakMap<JsonObject, JsonObject>()
  readonly #onFound = (name: string): void => void this.#found.set(name, (this.#found.get(name) ?? 0) + 1)

  constructor(scanner: SecretScanner) {
    this.#scanner = scanner
  }

  /** Replacements by the name of what was found. */
  get found(): ReadonlyMap<string, number> {
    return this.#found
  }

  text(text: string): string {
    return this.#scanner.redact(text, this.#onFound)
  }

  textOrNull(text: string | null): string | null {
    return text === null ? null : this.text(text)
  }

  /** A trace or span id: any string where it is not hexadecimal. */
  id(id: string | null): string | null {
    return id === null || isHexId(id) ? id : this.text(id)
  }

  /** Free fields; names of members, too. */
  object(object: JsonObject): JsonObject {
    return this.#object(object, '')
  }

  /** As `object`, of one that several records have: it is looked at once, and they have one again. */
  shared(object: JsonObject): JsonObject {
    const known = this.#shared.get(object)
    if (known !== undefined) return known
    const redacted = this.#object(object, '')
    this.#shared.set(object, redacted)
    return redacted
  }

  #object(object: JsonObject, prefix: string): JsonObject {
    let changed: Record<string, JsonValue> | null = null
    for (const key in object) {
      const value = object[key]!
      const name = this.text(key)
      const redacted = this.#member(value, prefix + key)
      if (changed === null && name === key && redacted === value) continue
      changed ??= before(object, key)
      // Two names that are redacted alike: both values are kept, as of equal dotted paths.
      changed[name] = Object.hasOwn(changed, name) ? [changed[name]!, redacted].flat(1) : redacted
    }
    return changed ?? object
  }

  #member(value: JsonValue, path: string): JsonValue {
    if (value === null || this.#scanner.keys.isEmpty || !this.#scanner.keys.has(path)) return this.#value(value, path)
    this.#onFound(KEY)
    return markOf(KEY)
  }

  #value(value: JsonValue, path: string): JsonValue {
    if (typeof value === 'string') return this.text(value)
    if (typeof value === 'number') return this.#number(value)
    if (typeof value !== 'object' || value === null) return value
    if (!Array.isArray(value)) return this.#object(value as JsonObject, `${path}.`)
    const items = (value as readonly JsonValue[]).map(item => this.#value(item, path))
    return items.some((item, i) => item !== (value as readonly JsonValue[])[i]) ? items : value
  }

  /** A number may be a card's. */
  #number(value: number): JsonValue {
    if (!Number.isSafeInteger(value) || value < FIRST_CARD) return value
    const text = this.text(String(value))
    return text === String(value) ? value : text
  }
}

const FIRST_CARD = 1e12

/** The members before `key`, in a new object. */
function before(object: JsonObject, key: string): Record<string, JsonValue> {
  const copy = bareObject<JsonValue>()
  for (const name in object) {
    if (name === key) break
    copy[name] = object[name]!
  }
  return copy
}
