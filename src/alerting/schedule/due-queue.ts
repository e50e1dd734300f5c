/** Items by the time at which they are due: a binary heap. Items of one time leave in the order in which they came. */
export class DueQueue<Item> {
  readonly #entries: { readonly atMs: number; readonly order: number; readonly item: Item }[] = []
  #order = 0

  /** When the first item is due; null when the queue is empty. */
  get nextMs(): number | null {
    return this.#entries[0]?.atMs ?? null
  }

  push(atMs: number, item: Item): void {
    const entries = this.#entries
    entries.push({ atMs, order: this.#order++, item })
    let at = entries.length - 1
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!this.#isBefore(at, parent)) return
      this.#swap(at, parent)
      at = parent
    }
  }

  /** Takes out the first item if it is due. */
  popDue(nowMs: number): Item | undefined {
    const first = this.#entries[0]
    if (first === undefined || first.atMs > nowMs) return undefined
    const last = this.#entries.pop()!
    if (this.#entries.length > 0) {
      this.#entries[0] = last
      this.#sink()
    }
    return first.item
  }

  #sink(): void {
    const { length } = this.#entries
    for (let at = 0; ;) {
      let least = at
      for (const child of [2 * at + 1, 2 * at + 2]) if (child < length && this.#isBefore(child, least)) least = child
      if (least === at) return
      this.#swap(at, least)
      at = least
    }
  }

  #isBefore(a: number, b: number): boolean {
    const [left, right] = [this.#entries[a]!, this.#entries[b]!]
    return left.atMs < right.atMs || (left.atMs === right.atMs && left.order < right.order)
  }

  #swap(a: number, b: number): void {
    const entry = this.#entries[a]!
    this.#entries[a] = this.#entries[b]!
    this.#entries[b] = entry
  }
}
