import { setMaxListeners } from 'node:events'
import { GatewayError } from '../domain/errors.js'
import type { NamespaceId } from '../domain/ids.js'
import type { Principal } from '../domain/principal.js'
import type { Clock } from '../ports/clock.js'
import type { LargeReads } from './large-reads.js'
import type { QuerySettings } from './settings.js'
import { queryTimeout } from './timed-pages.js'

/** A running query. `release` must be called once, whatever happens. */
export interface QueryPermit {
  release(): void
}

interface Bucket {
  tokens: number
  filledAtMs: number
}

/** One operation may put many questions to a store, each listening to its signal; only more look like a leak. */
const QUESTIONS_AT_ONCE = 1_000

/** Namespaces whose rate is remembered; idle ones are forgotten first, they are full anyway. */
const MAX_BUCKETS = 10_000

function principalKey(principal: Principal): string {
  return principal.kind === 'user' ? `user:${principal.userId}` : `key:${principal.keyId}`
}

/** Admission of queries: how many run for one principal, how many a second start in one namespace, and how long each may take. */
export class QueryLimits {
  readonly #clock: Clock
  readonly #settings: QuerySettings
  readonly #largeReads: Pick<LargeReads, 'end'>
  readonly #running = new Map<string, number>()
  readonly #buckets = new Map<NamespaceId, Bucket>()

  constructor(deps: {
    readonly clock: Clock
    readonly settings: QuerySettings
    /** What a query holds of it is released with the query. */
    readonly largeReads: Pick<LargeReads, 'end'>
  }) {
    this.#largeReads = deps.largeReads
    this.#clock = deps.clock
    this.#settings = deps.settings
  }

  /** Throws `rate_limited`; the permit must be released. For streams, which have no time limit as a whole. */
  admit(principal: Principal, ns: NamespaceId): QueryPermit {
    const key = principalKey(principal)
    const running = this.#running.get(key) ?? 0
    const { runningPerPrincipal } = this.#settings
    if (running >= runningPerPrincipal)
      throw new GatewayError('rate_limited', `${runningPerPrincipal} queries of yours are running already`, { retryAfterS: 1 })
    this.#takeToken(ns)
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
    setMaxListeners(QUESTIONS_AT_ONCE, signal)
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
    const { queriesPerSecond: quota } = this.#settings
    return { quota, remaining: Math.floor(this.#buckets.get(ns)?.tokens ?? quota) }
  }

  #release(key: string): void {
    const left = (this.#running.get(key) ?? 1) - 1
    if (left > 0) this.#running.set(key, left)
    else this.#running.delete(key)
  }

  #takeToken(ns: NamespaceId): void {
    const { queriesPerSecond: rate } = this.#settings
    const nowMs = this.#clock.monotonicMs()
    const bucket = this.#buckets.get(ns) ?? { tokens: rate, filledAtMs: nowMs }
    bucket.tokens = Math.min(rate, bucket.tokens + ((nowMs - bucket.filledAtMs) / 1000) * rate)
    bucket.filledAtMs = nowMs
    // Re-inserted, so that the map's order is that of the last use.
    this.#buckets.delete(ns)
    this.#buckets.set(ns, bucket)
    if (this.#buckets.size > MAX_BUCKETS) this.#buckets.delete(this.#buckets.keys().next().value!)
    if (bucket.tokens < 1)
      throw new GatewayError('rate_limited', `this namespace may start ${rate} queries a second`, { retryAfterS: 1 })
    bucket.tokens -= 1
  }
}
