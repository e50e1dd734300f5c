import type { JsonValue } from '../domain/json.js'
import { GatewayError } from '../domain/errors.js'
import { jsonBytes } from '../query/json-bytes.js'
import type { EventLoopSlices } from '../threads/event-loop-slices.js'

/** Items of an array that are written in one slice. */
const ITEMS_PER_SLICE = 250
/** The depth to which arrays are written in slices; deeper ones are written with the value that contains them. */
const MAX_DEPTH = 8

function hasLongArray(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null || depth === MAX_DEPTH) return false
  if (Array.isArray(value)) return value.length > ITEMS_PER_SLICE || value.some(item => hasLongArray(item, depth + 1))
  return Object.values(value).some(member => hasLongArray(member, depth + 1))
}

class SlicedJson {
  readonly #slices: EventLoopSlices
  readonly #maxBytes: number
  #bytes = 0

  constructor(slices: EventLoopSlices, maxBytes: number) {
    this.#slices = slices
    this.#maxBytes = maxBytes
  }

  async write(value: unknown, depth: number): Promise<string> {
    if (typeof value !== 'object' || value === null || !hasLongArray(value, depth)) return this.#whole(value)
    if (Array.isArray(value)) return this.#array(value, depth + 1)
    const members: string[] = []
    for (const [name, member] of Object.entries(value) as [string, unknown][]) {
      if (member === undefined) continue
      members.push(`${JSON.stringify(name)}:${await this.write(member, depth + 1)}`)
    }
    return `{${members.join(',')}}`
  }

  async #array(items: readonly unknown[], depth: number): Promise<string> {
    const written: string[] = []
    for (const [i, item] of items.entries()) {
      if (i > 0 && i % ITEMS_PER_SLICE === 0) await this.#slices.next()
      written.push(hasLongArray(item, depth) ? await this.write(item, depth) : this.#whole(item))
    }
    return `[${written.join(',')}]`
  }

  /** Counted before it is written: fields that repeat a long string share its memory only until then. */
  #whole(value: unknown): string {
    this.#bytes += jsonBytes(value as JsonValue)
    if (this.#bytes > this.#maxBytes) {
      const detail = `the response exceeds the limit of ${this.#maxBytes} bytes; select fewer rows or fields`
      throw new GatewayError('query_unsupported', detail)
    }
    return JSON.stringify(value) ?? 'null'
  }
}

/**
 * As `JSON.stringify` for plain data; long arrays are written in slices, and other requests run in between. Throws
 * `query_unsupported` for more than about `maxBytes`.
 */
export async function jsonInSlices(value: unknown, slices: EventLoopSlices, maxBytes: number): Promise<string> {
  return new SlicedJson(slices, maxBytes).write(value, 0)
}
