import type { ListenerType } from '../schema/host.type.js'
import type { ListedListener } from '../src/query/hosts/listener-report.js'

const NS_PER_MS = 1_000_000n

/** A listening socket; its host is loaded by `ListenerResolver`. */
export class ListenerSource implements ListenerType {
  readonly #listener: ListedListener

  constructor(listener: ListedListener) {
    this.#listener = listener
  }

  /** Name of its host. */
  get hostName(): string {
    return this.#listener.host
  }
  get id(): string {
    return this.#listener.id
  }
  get state(): ListedListener['state'] {
    return this.#listener.state
  }
  get address(): string {
    return this.#listener.address
  }
  get port(): number {
    return this.#listener.port
  }
  get protocol(): string {
    return this.#listener.protocol
  }
  get process(): string | null {
    return this.#listener.process
  }
  get pid(): number | null {
    return this.#listener.pid
  }
  get exe(): string | null {
    return this.#listener.exe
  }
  get command(): string | null {
    return this.#listener.command
  }
  get user(): string | null {
    return this.#listener.user
  }
  get unit(): string | null {
    return this.#listener.unit
  }
  get container(): string | null {
    return this.#listener.container
  }
  get service(): string | null {
    return this.#listener.service
  }
  get serviceBasis(): string | null {
    return this.#listener.serviceBasis
  }
  get firstSeen(): bigint {
    return BigInt(this.#listener.firstSeenMs) * NS_PER_MS
  }
  get lastSeen(): bigint {
    return BigInt(this.#listener.lastSeenMs) * NS_PER_MS
  }
}
