/** Runs work of one kind one after the other for each key; work of different keys goes side by side. */
export class OneAtATime {
  readonly #last = new Map<string, Promise<void>>()

  /** Resolves as the work does, which begins once all that was asked for the key before has ended. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key)
    const mine = (async () => {
      await before
      return work()
    })()
    // The caller has the failure; whoever comes next only waits for the end.
    const ended = mine.then(
      () => undefined,
      () => undefined
    )
    this.#last.set(key, ended)
    try {
      return await mine
    } finally {
      if (this.#last.get(key) === ended) this.#last.delete(key)
    }
  }
}
