/** Runs work of one kind one after the other for each key; work of different keys runs concurrently. */
export class OneAtATime {
  readonly #last = new Map<string, Promise<void>>()

  /** Runs `work` after all earlier work of the key has ended; resolves with its result. */
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
