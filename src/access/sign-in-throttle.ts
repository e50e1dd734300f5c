import { GatewayError, isGatewayError } from '../domain/errors.js'
import type { Clock } from '../ports/clock.js'
import { BoundedMap } from '../threads/bounded-map.js'
import type { AddressPrefixes } from './address-prefix.js'
import { addressPrefixes } from './address-prefix.js'
import { AttemptLog } from './attempt-log.js'
import type { QueueSeat } from './fair-queue.js'
import { sha256Hex } from './secrets.js'

const MINUTE_MS = 60_000
const PER_ACCOUNT_AND_NETWORK = 5
const FAILURES_PER_NETWORK = 30
const FAILURES_PER_SITE = 120
const REGISTRATIONS_PER_NETWORK = 5
const REGISTRATIONS_PER_SITE = 20

const BACK_OFF_MS = 15 * MINUTE_MS
/** Failures from several networks after which an account backs off from networks it does not know. */
const BACK_OFF_AFTER = 20
/** What one network adds to that at most, and what it may still try while the account backs off. */
const FAILURES_IN_BACK_OFF = 2

const MAX_REFUSALS = 50
const MAX_KEYS = 10_000
const MAX_GOOD = 50_000

/**
 * Runs the password check of one attempt, which is counted already. Null from `check` means a wrong password: the attempt stays
 * counted. Any other value means a correct one: the attempt is not a failure. An error means that it was not checked, e.g.
 * because the queue is full: nothing stays counted.
 */
export type SignInAttempt = <T>(check: (seat: QueueSeat) => Promise<T | null>) => Promise<T | null>

interface Outcomes {
  readonly seat: QueueSeat
  succeeded(): void
  failed(): void
  unchecked(): void
}

/** The account of a sign-in attempt. */
export interface TriedAccount {
  /** As it was given. */
  readonly email: string
  readonly exists: boolean
}

interface TriedPair {
  readonly account: string
  readonly pair: string
  readonly prefixes: AddressPrefixes
}

function pairOf(email: string, address: string): TriedPair {
  const prefixes = addressPrefixes(address)
  const account = sha256Hex(email.trim().toLowerCase())
  return { account, pair: sha256Hex(`${account}\n${prefixes.network}`), prefixes }
}

/** Attempts by account and network, and failures by account. */
interface AccountLogs {
  readonly pairs: AttemptLog
  /** Those of them whose password was found to be wrong. */
  readonly wrong: AttemptLog
  readonly failures: AttemptLog
}

function logsOf(clock: Clock): AccountLogs {
  const bounds = { windowMs: BACK_OFF_MS, keys: MAX_KEYS }
  const pairs = new AttemptLog(clock, { ...bounds, windowMs: MINUTE_MS })
  return { pairs, wrong: new AttemptLog(clock, bounds), failures: new AttemptLog(clock, bounds) }
}

/**
 * Limits password checks before they cost anything: 5 a minute for each account and network, 30 failures a minute for
 * each network (IPv4 address or IPv6 /64), 120 for each IPv6 /48. An account that fails from many networks backs off
 * from unknown ones, 2 attempts in 15 minutes each; a network that signed in to it before keeps its own 5 a minute
 * whatever the others do. Accounts that do not exist are limited alike, in a memory of their own.
 */
export class SignInThrottle {
  readonly #clock: Clock
  readonly #known: AccountLogs
  readonly #unknown: AccountLogs
  readonly #networks: AttemptLog
  readonly #sites: AttemptLog
  readonly #registrations: AttemptLog
  readonly #siteRegistrations: AttemptLog
  /** Times that the queue refused a network. */
  readonly #refusals: AttemptLog
  /** Attempts of each network whose outcome is open. */
  readonly #open = new Map<string, number>()
  // Pairs of account and network that signed in, the latest last.
  readonly #good = new BoundedMap<string, true>(MAX_GOOD)

  constructor(clock: Clock) {
    this.#clock = clock
    this.#known = logsOf(clock)
    this.#unknown = logsOf(clock)
    const bounds = { windowMs: MINUTE_MS, keys: MAX_KEYS }
    this.#networks = new AttemptLog(clock, bounds)
    this.#sites = new AttemptLog(clock, bounds)
    this.#refusals = new AttemptLog(clock, bounds)
    this.#registrations = new AttemptLog(clock, bounds)
    this.#siteRegistrations = new AttemptLog(clock, bounds)
  }

  /** Refuses what `begin` would refuse, at once and without counting: before the account is looked up. */
  check(email: string, address: string): void {
    this.#checkPair(pairOf(email, address))
  }

  /** Counts a password check; `rate_limited` when the account and network, or either, has used up its attempts. */
  begin({ email, exists }: TriedAccount, address: string): SignInAttempt {
    const tried = pairOf(email, address)
    this.#checkPair(tried)
    const { account, pair, prefixes } = tried
    const { pairs, wrong, failures } = exists ? this.#known : this.#unknown
    const isGood = this.#good.has(pair)
    const rank = isGood ? 0 : this.#rankOf(prefixes)
    const countsForAccount = !isGood && wrong.recent(pair).length < FAILURES_IN_BACK_OFF
    const uncountPair = pairs.add(pair)
    const uncountFailure = [...(countsForAccount ? [failures.add(account)] : []), ...this.#countNetwork(prefixes)]
    const forgive = (): void => uncountFailure.forEach(uncount => uncount())
    return this.#attempt({
      seat: { network: prefixes.network, rank },
      succeeded: () => {
        forgive()
        this.#rememberGood(pair)
      },
      failed: () => void wrong.add(pair),
      unchecked: () => {
        forgive()
        uncountPair()
      }
    })
  }

  /** Counts a registration: 5 a minute for each network, 20 for each IPv6 /48. */
  beginRegistration(address: string): SignInAttempt {
    const prefixes = addressPrefixes(address)
    const { network, site } = prefixes
    const own = this.#registrations.recent(network)
    this.#check(own, REGISTRATIONS_PER_NETWORK, 'registrations from this address', MINUTE_MS)
    if (site !== null) {
      this.#check(this.#siteRegistrations.recent(site), REGISTRATIONS_PER_SITE, 'registrations from this network', MINUTE_MS)
    }
    const rank = this.#rankOf(prefixes) + own.length
    const uncount = [this.#registrations.add(network), ...(site === null ? [] : [this.#siteRegistrations.add(site)])]
    return this.#attempt({
      seat: { network, rank },
      succeeded: () => undefined,
      failed: () => undefined,
      unchecked: () => uncount.forEach(one => one())
    })
  }

  /** Keys remembered now, of each kind. */
  get sizes(): { readonly known: number; readonly unknown: number; readonly networks: number; readonly good: number } {
    return {
      known: this.#known.pairs.size,
      unknown: this.#unknown.pairs.size,
      networks: this.#networks.size,
      good: this.#good.size
    }
  }

  // Looks at the memory of accounts that exist and of those that do not: which one it is, is not known yet.
  #checkPair({ account, pair, prefixes }: TriedPair): void {
    const logs = [this.#known, this.#unknown]
    const inMinute = logs.flatMap(({ pairs }) => pairs.recent(pair, MINUTE_MS))
    this.#check(inMinute, PER_ACCOUNT_AND_NETWORK, 'sign-ins for this account', MINUTE_MS)
    if (this.#good.has(pair)) return
    this.#checkNetwork(prefixes)
    if (logs.every(({ failures }) => failures.recent(account).length < BACK_OFF_AFTER)) return
    // Attempts that are open do not count: a right one may be among them, and the limit of a minute bounds them.
    const inBackOff = logs.flatMap(({ wrong }) => wrong.recent(pair))
    this.#check(inBackOff, FAILURES_IN_BACK_OFF, 'failed sign-ins for this account', BACK_OFF_MS)
  }

  #checkNetwork({ network, site }: AddressPrefixes): void {
    const what = 'failed sign-ins from this'
    this.#check(this.#networks.recent(network), FAILURES_PER_NETWORK, `${what} address`, MINUTE_MS)
    if (site !== null) this.#check(this.#sites.recent(site), FAILURES_PER_SITE, `${what} network`, MINUTE_MS)
  }

  #countNetwork({ network, site }: AddressPrefixes): readonly (() => void)[] {
    return [this.#networks.add(network), ...(site === null ? [] : [this.#sites.add(site)])]
  }

  /**
   * 1 for a network without recent failures, more with each, and with each time that the queue refused it: who comes
   * again and again goes last. Attempts whose outcome is open do not count. A /48 counts a quarter, since its limit is
   * four times as wide.
   */
  #rankOf({ network, site }: AddressPrefixes): number {
    const open = this.#open.get(network) ?? 0
    const failures = Math.max(0, this.#networks.recent(network).length - open) + this.#refusals.recent(network).length
    const ofSite = site === null ? 0 : Math.max(0, this.#sites.recent(site).length - open)
    return 1 + failures + Math.floor(ofSite / (FAILURES_PER_SITE / FAILURES_PER_NETWORK))
  }

  #attempt(outcomes: Outcomes): SignInAttempt {
    const { seat } = outcomes
    const { network } = seat
    this.#open.set(network, (this.#open.get(network) ?? 0) + 1)
    return async check => {
      try {
        const result = await check(seat)
        if (result === null) outcomes.failed()
        else outcomes.succeeded()
        return result
      } catch (error) {
        outcomes.unchecked()
        if (isGatewayError(error, 'overloaded')) this.#noteRefusal(network)
        throw error
      } finally {
        this.#close(network)
      }
    }
  }

  #close(network: string): void {
    const left = this.#open.get(network)! - 1
    if (left === 0) this.#open.delete(network)
    else this.#open.set(network, left)
  }

  #noteRefusal(network: string): void {
    if (this.#refusals.recent(network).length < MAX_REFUSALS) this.#refusals.add(network)
  }

  #rememberGood(pair: string): void {
    this.#good.set(pair, true)
  }

  #check(times: readonly number[], limit: number, what: string, windowMs: number): void {
    if (times.length < limit) return
    const waitMs = windowMs - (this.#clock.monotonicMs() - times.at(-limit)!)
    const per = windowMs === MINUTE_MS ? 'a minute' : `in ${windowMs / MINUTE_MS} minutes`
    const retryAfterS = Math.max(1, Math.ceil(waitMs / 1000))
    throw new GatewayError('rate_limited', `too many ${what}: at most ${limit} ${per}; wait ${retryAfterS} s`, { retryAfterS })
  }
}
