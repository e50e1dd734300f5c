import type { NamespaceId } from '../../domain/ids.js'

/**
 * Shares out a bounded amount: a namespace may contain as much as is still free. So one alone gets half of all, ten that send at
 * once an eleventh each, and however much some hold, there is something left for the next one.
 */
export class FairShare {
  readonly #max: number
  readonly #own = new Map<NamespaceId, number>()
  #total = 0

  constructor(max: number) {
    this.#max = max
  }

  /** Taken by all. */
  get total(): number {
    return this.#total
  }

  /** Namespaces that hold something. */
  get holders(): number {
    return this.#own.size
  }

  /** Takes `amount` for a namespace while `unusable` of the whole is lost; false when it is more than its share. */
  take(ns: NamespaceId, amount: number, unusable = 0): boolean {
    const free = this.#max - unusable - this.#total - amount
    if ((this.#own.get(ns) ?? 0) + amount > free) return false
    this.hold(ns, amount)
    return true
  }

  /** Counts what is held already, whatever the bound. */
  hold(ns: NamespaceId, amount: number): void {
    this.#total += amount
    this.#own.set(ns, (this.#own.get(ns) ?? 0) + amount)
  }

  /** Gives back. */
  give(ns: NamespaceId, amount: number): void {
    if (amount === 0) return
    this.#total -= amount
    const rest = (this.#own.get(ns) ?? 0) - amount
    if (rest > 0) this.#own.set(ns, rest)
    else this.#own.delete(ns)
  }
}
