import type { DuckDBValue } from '@duckdb/node-api'

/** Bound parameters of one statement: every value that a caller sent goes through here, never into SQL text. */
export class Params {
  readonly #values: Record<string, DuckDBValue> = {}
  #count = 0

  /** Binds the value and returns its placeholder, e.g. `$p3`. */
  add(value: DuckDBValue): string {
    const name = `p${++this.#count}`
    this.#values[name] = value
    return `$${name}`
  }

  /** What was bound so far, by placeholder name. */
  get values(): Readonly<Record<string, DuckDBValue>> {
    return this.#values
  }
}
