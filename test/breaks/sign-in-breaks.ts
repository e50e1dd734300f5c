import type { Break } from './break.js'

const SIGN_IN = 'test/access/sign-in-throttle\\.test'
const REFUSALS = 'test/access/refusal-delay\\.test'
const FAIR_QUEUE = 'test/access/fair-queue\\.test'

/** Promises about sign-ins under attack. */
export const SIGN_INS: readonly Break[] = [
  {
    promise: 'failed sign-ins of an address are limited, whatever the accounts',
    file: 'src/access/sign-in-throttle.ts',
    find: 'const FAILURES_PER_NETWORK = 30\n',
    replace: 'const FAILURES_PER_NETWORK = 30_000\n',
    tests: SIGN_IN
  },
  {
    promise: 'an IPv6 address counts by its /64',
    file: 'src/access/address-prefix.ts',
    find: 'const NETWORK_GROUPS = 4\n',
    replace: 'const NETWORK_GROUPS = 8\n',
    tests: SIGN_IN
  },
  {
    promise: 'invented accounts do not push an attacker out of memory',
    file: 'src/access/attempt-log.ts',
    find: 'this.#single.pop() === undefined) this.#repeated.pop()',
    replace: 'this.#repeated.pop() === undefined) this.#single.pop()',
    tests: SIGN_IN
  },
  {
    promise: 'an attempt that was not checked is not counted',
    file: 'src/access/sign-in-throttle.ts',
    find: '        outcomes.unchecked()\n',
    replace: '',
    tests: SIGN_IN
  },
  {
    promise: 'an address that signed in before is not locked out by others',
    file: 'src/access/sign-in-throttle.ts',
    find: '    if (this.#good.has(pair)) return\n',
    replace: '',
    tests: SIGN_IN
  },
  {
    promise: 'the queue of password checks has a share for each address',
    file: 'src/access/fair-queue.ts',
    find: '    if (own >= this.#bounds.waitingPerNetwork) throw this.#overloaded()\n',
    replace: '',
    tests: FAIR_QUEUE
  },
  {
    promise: 'who failed before waits behind who did not',
    file: 'src/access/fair-queue.ts',
    find: '    if (a.rank !== b.rank) return a.rank < b.rank\n',
    replace: '',
    tests: FAIR_QUEUE
  },
  {
    promise: 'no one learns who belonged to a deleted namespace',
    file: 'src/access/member-service.ts',
    find: '    if (this.#isDeleted(ns)) return []\n',
    replace: '',
    tests: 'test/access/members\\.test'
  },
  {
    promise: 'a load that a write overtook is not shared with later reads',
    file: 'src/access/read-through-cache.ts',
    find: '    this.#loads.delete(key)\n    this.#hits.delete(key)\n',
    replace: '    this.#hits.delete(key)\n',
    tests: 'test/access/bounds\\.test'
  },
  {
    promise: 'a refused sign-in gets its response a second later',
    file: 'src/access/refusal-delay.ts',
    find: '        await this.#delay(addressPrefixes(address).network)\n',
    replace: '',
    tests: REFUSALS
  },
  {
    promise: 'a network has its share of delayed responses',
    file: 'src/access/refusal-delay.ts',
    find: 'own >= MAX_DELAYED_PER_NETWORK',
    replace: 'own >= MAX_DELAYED',
    tests: REFUSALS
  }
]
