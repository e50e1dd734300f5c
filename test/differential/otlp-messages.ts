import type { Field, Type } from 'protobufjs'
import protobuf from 'protobufjs'
import type { Random } from '../../bench/generate/random.js'

const MAX_REPEATED = 4
const MAX_DEPTH = 12
const STRINGS = [
  '',
  'a',
  'service.name',
  'http.status_code',
  '__proto__',
  'constructor',
  'ÉCLAIR 🍰',
  'x'.repeat(70),
  'k'.repeat(64)
]
const LONGS = [0n, 1n, -1n, 127n, 128n, 2n ** 31n, 2n ** 32n, 2n ** 53n - 1n, 2n ** 53n, 2n ** 63n - 1n, -(2n ** 63n)]
const DOUBLES = [0, -0, 1.5, Number.NaN, Number.POSITIVE_INFINITY, -1e308, 5e-324]

/** Random messages of any type, by its own description. */
export class MessageMaker {
  readonly #random: Random

  constructor(random: Random) {
    this.#random = random
  }

  /** An object that the type can encode. Fields are left out now and then; of a `oneof` one is set. */
  make(type: Type, depth = 0): Record<string, unknown> {
    const made: Record<string, unknown> = {}
    const chosen = new Set(type.oneofsArray.map(({ fieldsArray }) => this.#random.pick(fieldsArray)))
    for (const field of type.fieldsArray) {
      field.resolve()
      if (field.partOf !== null && !chosen.has(field)) continue
      if (field.partOf === null && this.#random.next() < 0.3) continue
      const value = this.#value(field, depth)
      if (value !== undefined) made[field.name] = value
    }
    return made
  }

  #value(field: Field, depth: number): unknown {
    if (field.resolvedType instanceof protobuf.Type && depth >= MAX_DEPTH) return undefined
    if (!field.repeated) return this.#one(field, depth)
    return Array.from({ length: this.#random.below(MAX_REPEATED) }, () => this.#one(field, depth))
  }

  #one({ type, resolvedType }: Field, depth: number): unknown {
    if (resolvedType instanceof protobuf.Type) return this.make(resolvedType, depth + 1)
    if (resolvedType instanceof protobuf.Enum) return this.#random.below(8)
    switch (type) {
      case 'string':
        return this.#random.next() < 0.7 ? this.#random.pick(STRINGS) : String(this.#random.next())
      case 'bytes':
        return Buffer.from(Array.from({ length: this.#random.pick([0, 8, 16, 3]) }, () => this.#random.below(256)))
      case 'bool':
        return this.#random.next() < 0.5
      case 'double':
        return this.#random.next() < 0.5 ? this.#random.pick(DOUBLES) : this.#random.next() * 1e6
      case 'int32':
      case 'sint32':
        return this.#random.below(81) - 40
      case 'uint32':
      case 'fixed32':
        return this.#random.below(2 ** 32)
      default:
        return this.#long(type.includes('u') || type === 'fixed64')
    }
  }

  /** A 64-bit integer as protobufjs takes it. */
  #long(isUnsigned: boolean): { low: number; high: number; unsigned: boolean } {
    const any = BigInt(this.#random.below(2 ** 32)) * BigInt(this.#random.below(2 ** 31))
    const value = BigInt.asUintN(64, this.#random.next() < 0.5 ? this.#random.pick(LONGS) : any)
    return { low: Number(BigInt.asIntN(32, value)), high: Number(BigInt.asIntN(32, value >> 32n)), unsigned: isUnsigned }
  }
}
