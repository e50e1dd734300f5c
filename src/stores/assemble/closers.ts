/** What was opened so far; closes in the opposite order. */
export class Closers {
  readonly #closers: (() => void | Promise<void>)[] = []
  #closing: Promise<void> | null = null

  add(close: () => void | Promise<void>): void {
    this.#closers.push(close)
  }

  /** Closes everything, whatever fails on the way, and rejects with the first fault. The second call does nothing. */
  close(): Promise<void> {
    return (this.#closing ??= this.#closeAll())
  }

  async #closeAll(): Promise<void> {
    const faults: unknown[] = []
    for (const close of this.#closers.toReversed()) {
      try {
        await close()
      } catch (error) {
        faults.push(error)
      }
    }
    if (faults.length > 0) throw faults[0]
  }
}
