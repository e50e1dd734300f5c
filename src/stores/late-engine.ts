import { GatewayError, isGatewayError } from '../domain/errors.js'
import { repeat } from '../telemetry/repeat.js'
import type { Engine } from './engine.js'

const RETRY_MS = 2_000

/** How to open an engine that may be down at the moment. */
export interface LateOptions<E extends Engine> {
  readonly name: string
  /** Rejects with `store_unavailable` when the engine cannot be reached, and otherwise when there is no use in trying again. */
  readonly open: () => Promise<E>
  /** Told once when the first attempt finds it down, and once when a later attempt has another fault. */
  readonly onTrouble: (error: unknown) => void
  readonly retryMs?: number
}

/** An engine that was down when the service started: everything is `store_unavailable` until it has been opened. */
export class LateEngine<E extends Engine> implements Engine {
  readonly name: string
  readonly #options: LateOptions<E>
  readonly #retrying: ReturnType<typeof repeat>
  #opened: E | null = null
  #trouble: unknown

  constructor(options: LateOptions<E>, trouble: unknown) {
    this.name = options.name
    this.#options = options
    this.#trouble = trouble
    options.onTrouble(trouble)
    this.#retrying = repeat(
      options.retryMs ?? RETRY_MS,
      () => this.#tryAgain(),
      error => this.#note(error)
    )
  }

  /** The engine; `store_unavailable` while it has not been opened. */
  get opened(): E {
    if (this.#opened) return this.#opened
    throw new GatewayError('store_unavailable', `${this.name} cannot be used yet`, { cause: this.#trouble })
  }

  async health(): ReturnType<Engine['health']> {
    if (this.#opened) return this.#opened.health()
    const detail = this.#trouble instanceof Error ? this.#trouble.message : String(this.#trouble)
    return [{ name: this.name, healthy: false, latencyMs: null, detail }]
  }

  async sizes(): ReturnType<Engine['sizes']> {
    return this.opened.sizes()
  }

  async gauges(): ReturnType<Engine['gauges']> {
    return this.#opened ? this.#opened.gauges() : {}
  }

  async close(): Promise<void> {
    await this.#retrying.stop()
    await this.#opened?.close()
  }

  async #tryAgain(): Promise<void> {
    if (this.#opened) return
    this.#opened = await this.#options.open()
  }

  #note(error: unknown): void {
    const isNews = !isGatewayError(error, 'store_unavailable') && String(error) !== String(this.#trouble)
    this.#trouble = error
    if (isNews) this.#options.onTrouble(error)
  }
}
