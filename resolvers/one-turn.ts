/**
 * Gathers what the selected fields of one object want over one turn of the event loop, and asks once: graphql-js calls
 * all fields of an object in the same turn, whatever aliases, fragments and directives they came through.
 */
export class OneTurn<Wants, Answer> {
  readonly #newWants: () => Wants
  readonly #ask: (wants: Wants) => Promise<Answer>
  #open: { readonly wants: Wants; readonly answer: Promise<Answer> } | null = null

  constructor(newWants: () => Wants, ask: (wants: Wants) => Promise<Answer>) {
    this.#newWants = newWants
    this.#ask = ask
  }

  /** Adds to what is wanted; resolves with the answer to all of it. */
  async want(add: (wants: Wants) => void): Promise<Answer> {
    const turn = (this.#open ??= this.#begin())
    add(turn.wants)
    return turn.answer
  }

  #begin(): { wants: Wants; answer: Promise<Answer> } {
    const wants = this.#newWants()
    const answer = new Promise<Answer>((resolve, reject) => {
      setImmediate(() => {
        this.#open = null
        this.#ask(wants).then(resolve, reject)
      })
    })
    return { wants, answer }
  }
}

/** Different values in the order in which they were first wanted. */
export class Distinct<Value> {
  readonly values: Value[] = []
  readonly #places = new Map<string, number>()

  /** The place of the value among the others, and so in the answer. */
  place(value: Value): number {
    const key = JSON.stringify(value)
    const known = this.#places.get(key)
    if (known !== undefined) return known
    this.#places.set(key, this.values.length)
    return this.values.push(value) - 1
  }
}
