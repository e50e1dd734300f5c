/**
 * Batches the requests of the selected fields of one object in one turn of the event loop: graphql-js calls
 * all fields of an object in the same turn, whatever aliases, fragments and directives they came through.
 */
export class FieldBatch<Selection, Result> {
  readonly #newSelection: () => Selection
  readonly #load: (selection: Selection) => Promise<Result>
  #open: { readonly selection: Selection; readonly result: Promise<Result> } | null = null

  constructor(newSelection: () => Selection, load: (selection: Selection) => Promise<Result>) {
    this.#newSelection = newSelection
    this.#load = load
  }

  /** Adds to the batch; resolves with the result of all of it. */
  async select(add: (selection: Selection) => void): Promise<Result> {
    const batch = (this.#open ??= this.#begin())
    add(batch.selection)
    return batch.result
  }

  #begin(): { selection: Selection; result: Promise<Result> } {
    const selection = this.#newSelection()
    const result = new Promise<Result>((resolve, reject) => {
      setImmediate(() => {
        this.#open = null
        this.#load(selection).then(resolve, reject)
      })
    })
    return { selection, result }
  }
}

/** Distinct values in the order in which they were first requested. */
export class Distinct<Value> {
  readonly values: Value[] = []
  readonly #places = new Map<string, number>()

  /** The place of the value among the others, and so in the result. */
  place(value: Value): number {
    const key = JSON.stringify(value)
    const known = this.#places.get(key)
    if (known !== undefined) return known
    this.#places.set(key, this.values.length)
    return this.values.push(value) - 1
  }
}
