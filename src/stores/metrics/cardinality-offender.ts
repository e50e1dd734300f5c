import type { NamespaceId } from '../../domain/ids.js'
import type { FoldedPoints } from '../../ports/append.js'
import type { Clock } from '../../ports/clock.js'
import type { MetricStore } from '../../ports/metric-store.js'

type Told = FoldedPoints['offender']

/** How long an answer stands: counting reads all series of the namespace. */
const KEPT_MS = 60_000
/** Namespaces whose answer is kept. */
const MAX_KEPT = 1_000
const ONE = { order: 'series', limit: 1, withSavings: false, hourAgoNs: 0n, dayAgoNs: 0n } as const

/** Which label has the most values in a namespace that has as many series as it may. */
export class CardinalityOffender {
  readonly #store: Pick<MetricStore, 'cardinality'>
  readonly #clock: Pick<Clock, 'monotonicMs'>
  readonly #known = new Map<NamespaceId, { readonly atMs: number; readonly told: Promise<Told> }>()

  constructor(store: Pick<MetricStore, 'cardinality'>, clock: Pick<Clock, 'monotonicMs'>) {
    this.#store = store
    this.#clock = clock
  }

  /** Null when there are no labels, or when it could not be found out: the write is not to fail for it. */
  of(ns: NamespaceId): Promise<Told> {
    const nowMs = this.#clock.monotonicMs()
    const known = this.#known.get(ns)
    if (known && nowMs - known.atMs < KEPT_MS) return known.told
    const told = this.#find(ns)
    this.#known.delete(ns)
    this.#known.set(ns, { atMs: nowMs, told })
    if (this.#known.size > MAX_KEPT) this.#known.delete(this.#known.keys().next().value!)
    return told
  }

  async #find(ns: NamespaceId): Promise<Told> {
    try {
      const { labels } = await this.#store.cardinality(ns, ONE, new AbortController().signal)
      const [worst] = labels
      return worst ? { label: worst.name, values: worst.values } : null
    } catch {
      // It only adds to a refusal, which must not become another error.
      return null
    }
  }
}
