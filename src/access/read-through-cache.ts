import type { Clock } from '../ports/clock.js'
import { BoundedMap } from '../threads/bounded-map.js'

interface CacheEntry<V> {
  readonly value: V
  readonly atMs: number
}

/** Bounds of a cache. Misses are kept apart, so that requests for what does not exist cannot evict what does. */
export interface CacheBounds {
  readonly hits: number
  readonly misses: number
  /** How old an entry may be now, null for any age: while this process hears of all writes. */
  readonly maxAgeMs: () => number | null
}

/**
 * Remembers what `load` found, and what it did not find; concurrent gets of a key share one load. Every write must
 * `forget` its key after it is committed and before its response; a load that was in progress meanwhile is then neither
 * remembered nor shared with later gets. Writes of others call `forget` likewise when their notification arrives.
 */
export class ReadThroughCache<K extends string, V> {
  readonly #load: (key: K) => Promise<V | null>
  readonly #bounds: CacheBounds
  readonly #clock: Clock
  readonly #hits: BoundedMap<K, CacheEntry<V>>
  readonly #misses: BoundedMap<K, CacheEntry<null>>
  /** Loads in progress that no write has overtaken. */
  readonly #loads = new Map<K, Promise<V | null>>()
  #writes = 0

  constructor(load: (key: K) => Promise<V | null>, bounds: CacheBounds, clock: Clock) {
    this.#load = load
    this.#bounds = bounds
    this.#hits = new BoundedMap(bounds.hits)
    this.#misses = new BoundedMap(bounds.misses)
    this.#clock = clock
  }

  /**
   * What `load` finds or found. `through` runs a load that is needed, e.g. in a queue: each caller goes through its own,
   * so that a shared load does not reject other callers.
   */
  async get(key: K, through: (load: () => Promise<V | null>) => Promise<V | null> = load => load()): Promise<V | null> {
    const known = this.#fresh(key)
    return known ? known.value : through(() => this.#loadOnce(key))
  }

  /** What is remembered of the key and fresh; null too when nothing is known. */
  peek(key: K): V | null {
    const hit = this.#hits.get(key)
    return hit && this.#isFresh(hit) ? hit.value : null
  }

  forget(key: K): void {
    this.#writes++
    this.#loads.delete(key)
    this.#hits.delete(key)
    this.#misses.delete(key)
  }

  /** Forgets everything. */
  clear(): void {
    this.#writes++
    this.#loads.clear()
    this.#hits.clear()
    this.#misses.clear()
  }

  /** Entries held now. */
  get sizes(): { readonly hits: number; readonly misses: number } {
    return { hits: this.#hits.size, misses: this.#misses.size }
  }

  async #loadOnce(key: K): Promise<V | null> {
    // Another load may have ended while this one waited in the caller's queue.
    const known = this.#fresh(key)
    if (known) return known.value
    const running = this.#loads.get(key)
    if (running) return running
    const loading = this.#reload(key)
    this.#loads.set(key, loading)
    try {
      return await loading
    } finally {
      if (this.#loads.get(key) === loading) this.#loads.delete(key)
    }
  }

  async #reload(key: K): Promise<V | null> {
    const writes = this.#writes
    const value = await this.#load(key)
    if (writes === this.#writes) this.#remember(key, value)
    return value
  }

  #fresh(key: K): CacheEntry<V | null> | undefined {
    const entry = this.#hits.get(key) ?? this.#misses.get(key)
    return entry && this.#isFresh(entry) ? entry : undefined
  }

  #isFresh(entry: CacheEntry<V | null>): boolean {
    const maxAgeMs = this.#bounds.maxAgeMs()
    return maxAgeMs === null || this.#clock.monotonicMs() - entry.atMs < maxAgeMs
  }

  #remember(key: K, value: V | null): void {
    const atMs = this.#clock.monotonicMs()
    this.#hits.delete(key)
    this.#misses.delete(key)
    if (value === null) this.#misses.set(key, { value: null, atMs })
    else this.#hits.set(key, { value, atMs })
  }
}
