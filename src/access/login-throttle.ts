import { GatewayError } from '../domain/errors.js'
import type { Clock } from '../ports/clock.js'
import { sha256Hex } from './secrets.js'

const WINDOW_MS = 60_000
const MAX_ATTEMPTS = 5
const MAX_TRACKED = 10_000

// No account has this name: an e-mail address has an @.
const REGISTRATION = 'registration'

/**
 * Allows 5 sign-ins a minute per account and address (conventions, section 4) and 5 registrations a minute per address,
 * remembering at most 10,000 such pairs.
 */
export class LoginThrottle {
  readonly #clock: Clock
  // In order of the last attempt, so that the first is the one to forget.
  readonly #attempts = new Map<string, readonly number[]>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Counts an attempt; `rate_limited` when the pair has used up its minute. */
  count(account: string, address: string): void {
    this.#count(account, address, 'sign-ins for this account')
  }

  /** Counts a registration; `rate_limited` when the address has used up its minute. */
  countRegistration(address: string): void {
    this.#count(REGISTRATION, address, 'registrations from this address')
  }

  /** Pairs remembered now. */
  get size(): number {
    return this.#attempts.size
  }

  #count(account: string, address: string, what: string): void {
    const pair = sha256Hex(`${account.toLowerCase()}\n${address}`)
    const now = this.#clock.monotonicMs()
    const recent = (this.#attempts.get(pair) ?? []).filter(at => now - at < WINDOW_MS)
    if (recent.length >= MAX_ATTEMPTS) throw tooMany(what, WINDOW_MS - (now - recent[0]!))
    this.#attempts.delete(pair)
    if (this.#attempts.size >= MAX_TRACKED) this.#forgetOldest()
    this.#attempts.set(pair, [...recent, now])
  }

  #forgetOldest(): void {
    for (const pair of this.#attempts.keys()) {
      this.#attempts.delete(pair)
      return
    }
  }
}

function tooMany(what: string, waitMs: number): GatewayError {
  const retryAfterS = Math.max(1, Math.ceil(waitMs / 1000))
  return new GatewayError('rate_limited', `too many ${what}: at most ${MAX_ATTEMPTS} a minute`, { retryAfterS })
}
