import type { NamespaceId } from '../../domain/ids.js'
import type { OverflowReport } from '../../ports/append.js'
import type { Clock } from '../../ports/clock.js'
import type { MetricStore } from '../../ports/metric-store.js'
import { BoundedMap } from '../../threads/bounded-map.js'

type Offender = OverflowReport['offender']

/** How long a result is valid: counting reads all series of the namespace. */
const KEPT_MS = 60_000
/** Namespaces whose result is kept. */
const MAX_KEPT = 1_000
const ONE = { order: 'series', limit: 1, withSavings: false, hourAgoNs: 0n, dayAgoNs: 0n } as const

/** Which label has the most values in a namespace that has reached its series limit. */
export class CardinalityOffender {
  readonly #store: Pick<MetricStore, 'cardinality'>
  readonly #clock: Pick<Clock, 'monotonicMs'>
  readonly #known = new BoundedMap<NamespaceId, { readonly atMs: number; readonly reported: Promise<Offender> }>(MAX_KEPT)

  constructor(store: Pick<MetricStore, 'cardinality'>, clock: Pick<Clock, 'monotonicMs'>) {
    this.#store = store
    this.#clock = clock
  }

  /** Null without labels, or if it could not be determined: the write must not fail for it. */
  of(ns: NamespaceId): Promise<Offender> {
    const nowMs = this.#clock.monotonicMs()
    const known = this.#known.get(ns)
    if (known && nowMs - known.atMs < KEPT_MS) return known.reported
    const reported = this.#find(ns)
    this.#known.set(ns, { atMs: nowMs, reported })
    return reported
  }

  async #find(ns: NamespaceId): Promise<Offender> {
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
