import { BoundedMap } from './bounded-map.js'

/** A limit after one request took from it (IETF draft RateLimit header fields). */
export interface RateState {
  /** Name of the policy. */
  readonly policy: string
  /** Quota of one window, in `unit`. */
  readonly quota: number
  readonly windowS: number
  readonly unit: 'content-bytes' | 'requests'
  readonly isAllowed: boolean
  /** What is left of the quota. */
  readonly remaining: number
  /** Seconds until the whole quota is there again. */
  readonly resetS: number
  /** Seconds after which the refused request would pass; 0 when it was allowed. */
  readonly retryAfterS: number
}

/** How a limit is made: `perSecond` is refilled steadily, `burst` may be taken at once. */
export interface RatePolicy {
  readonly name: string
  readonly unit: RateState['unit']
  readonly perSecond: number
  readonly burst: number
}

interface Bucket {
  tokens: number
  atMs: number
}

const MAX_BUCKETS = 50_000

/**
 * Token buckets of one policy by key. At most `maxBuckets` are remembered; the one that was idle longest is forgotten
 * for a new one, which gives its owner a full bucket again.
 */
export class RateLimits {
  readonly #policy: RatePolicy
  readonly #monotonicMs: () => number
  readonly #buckets: BoundedMap<string, Bucket>

  constructor(policy: RatePolicy, monotonicMs: () => number, maxBuckets = MAX_BUCKETS) {
    this.#policy = policy
    this.#monotonicMs = monotonicMs
    this.#buckets = new BoundedMap(maxBuckets)
  }

  /** Takes `amount` or nothing. More than a whole burst passes only when the bucket is full, and empties it. */
  take(key: string, amount: number): RateState {
    const { perSecond, burst } = this.#policy
    const bucket = this.#refilled(key)
    const needed = Math.min(amount, burst)
    const isAllowed = bucket.tokens >= needed
    if (isAllowed) bucket.tokens -= needed
    return {
      policy: this.#policy.name,
      unit: this.#policy.unit,
      quota: burst,
      windowS: Math.ceil(burst / perSecond),
      isAllowed,
      remaining: Math.floor(bucket.tokens),
      resetS: Math.ceil((burst - bucket.tokens) / perSecond),
      retryAfterS: isAllowed ? 0 : Math.max(1, Math.ceil((needed - bucket.tokens) / perSecond))
    }
  }

  /** What was left when the key last took something; the whole burst of a key that is not remembered. */
  remaining(key: string): number {
    return Math.floor(this.#buckets.peek(key)?.tokens ?? this.#policy.burst)
  }

  #refilled(key: string): Bucket {
    const nowMs = this.#monotonicMs()
    const known = this.#buckets.get(key)
    const bucket = known ?? { tokens: this.#policy.burst, atMs: nowMs }
    const earned = (Math.max(0, nowMs - bucket.atMs) * this.#policy.perSecond) / 1000
    bucket.tokens = Math.min(this.#policy.burst, bucket.tokens + earned)
    bucket.atMs = nowMs
    if (known === undefined) this.#buckets.set(key, bucket)
    return bucket
  }
}
