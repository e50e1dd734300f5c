import { BIGINT, DOUBLE, INTEGER, VARCHAR, type DuckDBType } from '@duckdb/node-api'

/** What may be bound: a whole number beyond 32 bits goes as bigint. */
export type ParamValue = string | number | bigint

const MAX_INT32 = 2 ** 31 - 1

function typeOf(value: ParamValue): DuckDBType {
  if (typeof value === 'string') return VARCHAR
  // The binding would take a bigint for 128 bits, which keeps comparisons from being pushed into files.
  if (typeof value === 'bigint') return BIGINT
  return Number.isInteger(value) && Math.abs(value) <= MAX_INT32 ? INTEGER : DOUBLE
}

/** Bound parameters of one statement: every value that a caller sent goes through here, never into SQL text. */
export class Params {
  readonly values: Record<string, ParamValue> = {}
  readonly types: Record<string, DuckDBType> = {}
  #count = 0

  /** Binds the value and returns its placeholder, e.g. `$p3`. */
  add(value: ParamValue): string {
    const name = `p${++this.#count}`
    this.values[name] = value
    this.types[name] = typeOf(value)
    return `$${name}`
  }
}
