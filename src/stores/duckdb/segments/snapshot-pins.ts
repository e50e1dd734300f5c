/** Returns whether something that was retired may still be in use by a snapshot opened before. */
export class SnapshotPins {
  readonly #open = new Set<number>()
  #serial = 0

  /** A snapshot is about to be opened; returns what ends it. */
  enter(): () => void {
    const serial = ++this.#serial
    this.#open.add(serial)
    return () => this.#open.delete(serial)
  }

  get count(): number {
    return this.#open.size
  }

  /** To be called after the commit that retires something; see `isFree`. */
  retire(): number {
    return this.#serial
  }

  /** Whether every snapshot that was open at `retire()` has ended. */
  isFree(retiredAt: number): boolean {
    for (const serial of this.#open) if (serial <= retiredAt) return false
    return true
  }
}
