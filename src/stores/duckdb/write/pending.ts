import type { NamespaceId } from '../../../domain/ids.js'
import type { TableKind } from '../tables.js'
import type { Accepted } from './accepted.js'

/** What is acknowledged and not applied yet, in the order of the journal. */
export class Pending {
  readonly #entries: Accepted[] = []
  readonly #lastOf = new Map<string, number>()
  #rows = 0
  #bytes = 0
  #applied = 0

  get count(): number {
    return this.#entries.length
  }

  get rows(): number {
    return this.#rows
  }

  get bytes(): number {
    return this.#bytes
  }

  /** How many entries were applied since the start. */
  get applied(): number {
    return this.#applied
  }

  /** Number of the last entry: it is applied once `applied` has got there. */
  get last(): number {
    return this.#applied + this.#entries.length
  }

  /** Number of the last entry of a kind and namespace; 0 when none is pending. */
  lastOf(kind: TableKind, ns: NamespaceId): number {
    return this.#lastOf.get(`${kind} ${ns}`) ?? 0
  }

  add(accepted: Accepted): void {
    const { request, bytes } = accepted
    this.#entries.push(accepted)
    this.#rows += request.rows
    this.#bytes += bytes
    this.#lastOf.set(`${request.kind} ${request.ns}`, this.last)
  }

  /** The first entries, as many as fit into `maxBytes`, and at least one. */
  head(maxBytes: number): readonly Accepted[] {
    let sum = 0
    let count = 0
    for (const { bytes } of this.#entries) {
      sum += bytes
      if (count > 0 && sum > maxBytes) break
      count++
    }
    return this.#entries.slice(0, count)
  }

  /** The first `count` entries are done. */
  drop(count: number): void {
    for (const { request, bytes } of this.#entries.splice(0, count)) {
      this.#rows -= request.rows
      this.#bytes -= bytes
    }
    this.#applied += count
    if (this.#entries.length === 0) this.#lastOf.clear()
  }
}
