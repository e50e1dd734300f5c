/** Whether the service responds. `sinceMs` and `retryAtMs` are Unix milliseconds of the browser's clock. */
export type ConnectionState =
  | { readonly isUp: true }
  | { readonly isUp: false; readonly sinceMs: number; readonly retryAtMs: number | null }

const UP: ConnectionState = { isUp: true }

/** Remembers whether requests get responses, for the banner over the page. */
export class ConnectionMonitor {
  readonly #nowMs: () => number
  readonly #listeners = new Set<() => void>()
  #state: ConnectionState = UP

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs
  }

  /** The current state; the same object until it changes. */
  readonly state = (): ConnectionState => this.#state

  /** Calls `listener` after each change. Returns the function that ends this. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Takes the outcome of one request. */
  observe({ isReachable, retryAfterMs }: { readonly isReachable: boolean; readonly retryAfterMs: number | null }): void {
    if (isReachable && this.#state.isUp) return
    const nowMs = this.#nowMs()
    const sinceMs = this.#state.isUp ? nowMs : this.#state.sinceMs
    this.#state = isReachable ? UP : { isUp: false, sinceMs, retryAtMs: retryAfterMs === null ? null : nowMs + retryAfterMs }
    for (const listener of this.#listeners) listener()
  }
}
