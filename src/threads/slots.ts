import type { NamespaceId } from '../domain/ids.js'

interface Waiting {
  readonly ns: NamespaceId
  start(): void
}

/** How many places there are, and how many of them one namespace may hold. */
export interface SlotsOptions {
  readonly size: number
  readonly mostOfOne: number
}

/** A few places that running queries take, shared out per namespace: whoever holds fewest goes first. */
export class Slots {
  readonly #size: number
  readonly #mostOfOne: number
  readonly #running = new Map<NamespaceId, number>()
  readonly #waiting: Waiting[] = []
  #taken = 0

  constructor({ size, mostOfOne }: SlotsOptions) {
    this.#size = size
    this.#mostOfOne = mostOfOne
  }

  get taken(): number {
    return this.#taken
  }

  get waiting(): number {
    return this.#waiting.length
  }

  /** Resolves with a place, and with what gives it back. Rejects with the signal's reason when it is aborted first. */
  take(ns: NamespaceId, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted()
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1)
        reject(signal.reason as Error)
      }
      const waiting: Waiting = {
        ns,
        start: () => {
          signal.removeEventListener('abort', onAbort)
          resolve(() => this.#give(ns))
        }
      }
      this.#waiting.push(waiting)
      signal.addEventListener('abort', onAbort, { once: true })
      this.#next()
    })
  }

  #next(): void {
    while (this.#taken < this.#size && this.#waiting.length > 0) {
      const fewest = Math.min(...this.#waiting.map(({ ns }) => this.#running.get(ns) ?? 0))
      if (fewest >= this.#mostOfOne) return
      const at = this.#waiting.findIndex(({ ns }) => (this.#running.get(ns) ?? 0) === fewest)
      const [next] = this.#waiting.splice(at, 1)
      this.#taken++
      this.#running.set(next!.ns, fewest + 1)
      next!.start()
    }
  }

  #give(ns: NamespaceId): void {
    this.#taken--
    const rest = (this.#running.get(ns) ?? 0) - 1
    if (rest > 0) this.#running.set(ns, rest)
    else this.#running.delete(ns)
    this.#next()
  }
}
