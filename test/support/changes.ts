/** Wakes those that wait for a state each time that it may have changed, so that no test polls. */
export class Changes {
  #waiting: (() => void)[] = []

  /** To be called after each change. */
  readonly notify = (): void => {
    for (const wake of this.#waiting.splice(0)) wake()
  }

  /** Resolves with the first result of `look` that is not null: now, or after a change. */
  async find<T>(look: () => T | null | Promise<T | null>): Promise<T> {
    for (;;) {
      const next = new Promise<void>(resolve => this.#waiting.push(resolve))
      const found = await look()
      if (found !== null) return found
      await next
    }
  }

  /** Resolves when `isSo` is true: now, or after a change. */
  async until(isSo: () => boolean | Promise<boolean>): Promise<void> {
    await this.find(async () => ((await isSo()) ? true : null))
  }
}
