import { setMaxListeners } from 'node:events'
import { GatewayError } from '../domain/errors.js'
import type { NamespaceId } from '../domain/ids.js'
import type { Principal } from '../domain/principal.js'
import type { Clock } from '../ports/clock.js'
import { RateLimits } from '../threads/rate-limits.js'
import type { LargeReads } from './large-reads.js'
import type { QuerySettings } from './settings.js'
import { queryTimeout } from './timed-pages.js'

/** A running query. `release` must be called once, whatever happens. */
export interface QueryPermit {
  release(): void
}

/** One operation may run many queries against a store, each listening to its signal; only more look like a leak. */
const QUERIES_AT_ONCE = 1_000

/** Namespaces whose rate is remembered; idle ones are forgotten first, they are full anyway. */
const MAX_NAMESPACES = 10_000

function principalKey(principal: Principal): string {
  return principal.kind === 'user' ? `user:${principal.userId}` : `key:${principal.keyId}`
}

/** Admission of queries: how many run for one principal, how many a second start in one namespace, and how long each may take. */
export class QueryLimits {
  readonly #settings: QuerySettings
  readonly #largeReads: Pick<LargeReads, 'end'>
  readonly #running = new Map<string, number>()
  readonly #starts: RateLimits

  constructor(deps: {
    readonly clock: Clock
    readonly settings: QuerySettings
    /** What a query holds of it is released with the query. */
    readonly largeReads: Pick<LargeReads, 'end'>
  }) {
    this.#largeReads = deps.largeReads
    this.#settings = deps.settings
    const rate = deps.settings.queriesPerSecond
    const policy = { name: 'queries', unit: 'requests', perSecond: rate, burst: rate } as const
    this.#starts = new RateLimits(policy, () => deps.clock.monotonicMs(), MAX_NAMESPACES)
  }

  /** Throws `rate_limited`; the permit must be released. For streams, which have no time limit as a whole. */
  admit(principal: Principal, ns: NamespaceId): QueryPermit {
    const key = principalKey(principal)
    const running = this.#running.get(key) ?? 0
    const { runningPerPrincipal, queriesPerSecond } = this.#settings
    if (running >= runningPerPrincipal)
      throw new GatewayError('rate_limited', `concurrent query limit (${runningPerPrincipal}) reached; wait for a query to end`, {
        retryAfterS: 1
      })
    if (!this.#starts.take(ns, 1).isAllowed) {
      throw new GatewayError(
        'rate_limited',
        `query rate limit (${queriesPerSecond} per second) of the namespace reached; retry later`,
        { retryAfterS: 1 }
      )
    }
    this.#running.set(key, running + 1)
    let isReleased = false
    return {
      release: () => {
        if (!isReleased) this.#release(key)
        isReleased = true
      }
    }
  }

  /**
   * Runs `work` under a permit. Its signal ends with the caller's or after the time limit, which is then the error
   * `query_timeout`. Every edge calls this around each query: a REST request, an operation of GraphQL.
   */
  async run<T>(
    requested: { readonly principal: Principal; readonly namespace: NamespaceId; readonly signal: AbortSignal },
    work: (signal: AbortSignal) => Promise<T>
  ): Promise<T> {
    const permit = this.admit(requested.principal, requested.namespace)
    const { timeoutMs } = this.#settings
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(queryTimeout(timeoutMs)), timeoutMs)
    const signal = AbortSignal.any([requested.signal, late.signal])
    setMaxListeners(QUERIES_AT_ONCE, signal)
    try {
      return await work(signal)
    } catch (error) {
      // An engine that was interrupted may reject with an error of its own.
      if (late.signal.aborted && !requested.signal.aborted) throw queryTimeout(timeoutMs)
      throw error
    } finally {
      clearTimeout(timer)
      this.#largeReads.end(signal)
      permit.release()
    }
  }

  /** What is left of the namespace's queries of this second. */
  rateOf(ns: NamespaceId): { readonly quota: number; readonly remaining: number } {
    return { quota: this.#settings.queriesPerSecond, remaining: this.#starts.remaining(ns) }
  }

  #release(key: string): void {
    const left = (this.#running.get(key) ?? 1) - 1
    if (left > 0) this.#running.set(key, left)
    else this.#running.delete(key)
  }
}
