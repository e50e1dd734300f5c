import { BIGINT, DOUBLE, INTEGER, LIST, listValue, VARCHAR, type DuckDBListValue, type DuckDBType } from '@duckdb/node-api'

/** What may be bound: a whole number beyond 32 bits goes as bigint. */
export type ParamValue = string | number | bigint

const MAX_INT32 = 2 ** 31 - 1

function typeOf(value: ParamValue): DuckDBType {
  if (typeof value === 'string') return VARCHAR
  // The binding would take a bigint for 128 bits, which keeps comparisons from being pushed into files.
  if (typeof value === 'bigint') return BIGINT
  return Number.isInteger(value) && Math.abs(value) <= MAX_INT32 ? INTEGER : DOUBLE
}

function itemTypeOf(value: ParamValue | undefined): DuckDBType {
  return typeof value === 'number' ? DOUBLE : typeOf(value ?? '')
}

/**
 * Bound parameters of one statement: every value that a caller sent goes through here, never into SQL text. Binding
 * costs the square of their number on the only thread, so strings are bound once and many values as one list.
 */
export class Params {
  readonly values: Record<string, ParamValue | DuckDBListValue> = {}
  readonly types: Record<string, DuckDBType> = {}
  readonly #placeholders = new Map<string | bigint, string>()
  readonly #listPlaceholders = new Map<string, string>()
  #count = 0

  /** Binds the value and returns its placeholder, e.g. `$p3`: the same one for the same text or 64-bit number. */
  add(value: ParamValue): string {
    // The engine gives a parameter one type, and small numbers are used where different types are needed.
    if (typeof value === 'number') return this.#bind(value, typeOf(value))
    let placeholder = this.#placeholders.get(value)
    if (placeholder === undefined) this.#placeholders.set(value, (placeholder = this.#bind(value, typeOf(value))))
    return placeholder
  }

  /** Binds values of one kind as one list and returns its placeholder: the same one for the same list. */
  addList(values: readonly string[] | readonly number[] | readonly bigint[]): string {
    const items = [...new Set<ParamValue>(values)]
    const key = `${typeof items[0]} ${JSON.stringify(items.map(String))}`
    let placeholder = this.#listPlaceholders.get(key)
    if (placeholder === undefined) {
      this.#listPlaceholders.set(key, (placeholder = this.#bind(listValue(items), LIST(itemTypeOf(items[0])))))
    }
    return placeholder
  }

  /** Binds values of one kind as a list with each as often as it is there. */
  addColumn(values: readonly ParamValue[]): string {
    return this.#bind(listValue(values), LIST(itemTypeOf(values[0])))
  }

  #bind(value: ParamValue | DuckDBListValue, type: DuckDBType): string {
    const name = `p${++this.#count}`
    this.values[name] = value
    this.types[name] = type
    return `$${name}`
  }
}
