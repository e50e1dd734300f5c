interface Waiter {
  readonly at: number
  /** It also ends when a writer cannot go on. */
  readonly isDown: boolean
  readonly resolve: () => void
}

/** Counts what writers write, by which kills are timed; when all writers have ended, nothing is waited for. */
export class BurstCount {
  #waiting: Waiter[] = []
  #count = 0
  #blocked = 0
  #hasEnded = false

  count(): void {
    this.#count++
    this.#wake()
  }

  /** A writer waits for the agent. */
  async blocked(delivered: Promise<void>): Promise<void> {
    this.#blocked++
    this.#wake()
    try {
      await delivered
    } finally {
      this.#blocked--
    }
  }

  /** Resolves with the writers, which write no more then. */
  async endWith(writers: Promise<void>): Promise<void> {
    try {
      await writers
    } finally {
      this.#hasEnded = true
      this.#wake()
    }
  }

  /** Resolves when there were so many more. */
  next(bursts: number): Promise<void> {
    return this.#wait(bursts, false)
  }

  /** As `next`, and at once when a writer waits for the agent: what was killed has to run then. */
  down(bursts: number): Promise<void> {
    return this.#wait(bursts, true)
  }

  async #wait(bursts: number, isDown: boolean): Promise<void> {
    const at = this.#count + bursts
    await new Promise<void>(resolve => {
      this.#waiting.push({ at, isDown, resolve })
      this.#wake()
    })
  }

  #wake(): void {
    const isDue = ({ at, isDown }: Waiter): boolean => this.#hasEnded || at <= this.#count || (isDown && this.#blocked > 0)
    const due = this.#waiting.filter(isDue)
    this.#waiting = this.#waiting.filter(one => !isDue(one))
    for (const one of due) one.resolve()
  }
}
