import { GatewayError } from '../../domain/errors.js'
import type { NamespaceId } from '../../domain/ids.js'
import type { Principal } from '../../domain/principal.js'
import type { SubscriptionLimits } from './subscription-limits.js'

/** Takes a place again that was given. */
export type ReleaseSlot = () => void

function tooMany(what: string, limit: number): GatewayError {
  return new GatewayError('rate_limited', `${what}: the limit of ${limit} is reached; close one, or try again later`, {
    retryAfterS: 5
  })
}

class Counts {
  readonly #counts = new Map<string, number>()

  of(key: string): number {
    return this.#counts.get(key) ?? 0
  }

  add(key: string): ReleaseSlot {
    this.#counts.set(key, this.of(key) + 1)
    let isReleased = false
    return () => {
      if (isReleased) return
      isReleased = true
      const left = this.of(key) - 1
      if (left > 0) this.#counts.set(key, left)
      else this.#counts.delete(key)
    }
  }
}

const ALL = ''

/** Whose sockets are counted together. */
function countedAs(principal: Principal): string {
  return principal.kind === 'user' ? `user ${principal.userId}` : `key ${principal.keyId}`
}

/** Counts WebSockets and streams of events, and rejects those over a limit. */
export class SocketCounts {
  readonly #limits: SubscriptionLimits
  readonly #waiting = new Counts()
  readonly #waitingOf = new Counts()
  readonly #open = new Counts()
  readonly #ofPrincipal = new Counts()
  readonly #ofNamespace = new Counts()
  #refused = 0

  constructor(limits: SubscriptionLimits) {
    this.#limits = limits
  }

  /** Sockets that are open, and refusals of any kind since the start. */
  get state(): { readonly open: number; readonly waiting: number; readonly refused: number } {
    return { open: this.#open.of(ALL), waiting: this.#waiting.of(ALL), refused: this.#refused }
  }

  /** Counts something that was refused elsewhere. */
  refuse(): void {
    this.#refused++
  }

  /** A place for a socket whose caller is not known yet. Throws `overloaded` and `rate_limited`. */
  admitWaiting(network: string): ReleaseSlot {
    const { waitingSockets, waitingSocketsPerNetwork } = this.#limits
    if (this.#waiting.of(ALL) >= waitingSockets) {
      this.#refused++
      throw new GatewayError('overloaded', 'too many sockets wait for their connection_init; try again', { retryAfterS: 1 })
    }
    if (this.#waitingOf.of(network) >= waitingSocketsPerNetwork)
      throw this.#over('sockets of this address without connection_init', waitingSocketsPerNetwork)
    const releases = [this.#waiting.add(ALL), this.#waitingOf.add(network)]
    return () => releases.forEach(release => release())
  }

  /** A place for a socket of a known caller. Throws `overloaded` and `rate_limited`. */
  admit(principal: Principal, ns: NamespaceId): ReleaseSlot {
    const caller = countedAs(principal)
    const { sockets, socketsPerPrincipal, socketsPerNamespace } = this.#limits
    if (this.#open.of(ALL) >= sockets) {
      this.#refused++
      throw new GatewayError('overloaded', 'too many sockets are open; try again', { retryAfterS: 5 })
    }
    if (this.#ofPrincipal.of(caller) >= socketsPerPrincipal) throw this.#over('your sockets', socketsPerPrincipal)
    if (this.#ofNamespace.of(ns) >= socketsPerNamespace) throw this.#over('sockets of this namespace', socketsPerNamespace)
    const releases = [this.#open.add(ALL), this.#ofPrincipal.add(caller), this.#ofNamespace.add(ns)]
    return () => releases.forEach(release => release())
  }

  #over(what: string, limit: number): GatewayError {
    this.#refused++
    return tooMany(what, limit)
  }
}
