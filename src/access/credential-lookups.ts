import type { Clock } from '../ports/clock.js'
import { addressPrefixes } from './address-prefix.js'
import { AttemptLog } from './attempt-log.js'
import type { QueueBounds } from './fair-queue.js'
import { FairQueue } from './fair-queue.js'

const QUEUE: QueueBounds = {
  work: 'lookups of credentials',
  running: 16,
  runningFailed: 12,
  waiting: 256,
  waitingPerNetwork: 64,
  maxWaitMs: 2_000
}
const FAILURES = { windowMs: 60_000, keys: 10_000 }
const MAX_FAILURES_COUNTED = 50

/**
 * Looks up presented secrets (API keys, refresh and invitation tokens) in the control store, fairly between networks:
 * those that recently presented unknown secrets go last. The secrets have 256 random bits, so that guessing needs no
 * limit of its own; and none of them is locked out, since many clients may share an address.
 */
export class CredentialLookups {
  readonly #queue: FairQueue
  readonly #failures: AttemptLog

  constructor(clock: Clock) {
    this.#queue = new FairQueue(clock, QUEUE)
    this.#failures = new AttemptLog(clock, FAILURES)
  }

  /** What `load` finds; null counts against the caller. `overloaded` when too many lookups wait. */
  async find<T>(from: string, load: () => Promise<T | null>): Promise<T | null> {
    const { network } = addressPrefixes(from)
    const failures = this.#failures.recent(network).length
    const found = await this.#queue.run({ network, rank: failures }, load)
    if (found === null && failures < MAX_FAILURES_COUNTED) this.#failures.add(network)
    return found
  }
}
