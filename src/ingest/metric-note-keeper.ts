import type { NamespaceId } from '../domain/ids.js'
import type { MetricFacts } from '../domain/metric-facts.js'
import type { Clock } from '../ports/clock.js'
import type { ExemplarBounds, ExemplarStore, MetricFactsCatalog } from '../ports/metric-notes.js'
import { BoundedMap } from '../threads/bounded-map.js'
import type { MetricNotes } from './metric-notes.js'

/** The newest exemplars stay, these many of a series and of a namespace. */
export const EXEMPLAR_BOUNDS: ExemplarBounds = { perSeries: 100, perNamespace: 20_000 }
/** Exemplars of a namespace that are taken before the oldest beyond the bounds are forgotten. */
export const TRIM_AFTER = 5_000
/** Families of a namespace of which something is known; new ones beyond are passed over. */
export const MAX_FAMILIES = 10_000
/** Namespaces whose facts are in memory. */
const MAX_NAMESPACES = 100
/** Senders that contradict each other shall not write with each request. */
const REWRITE_AFTER_MS = 10 * 60_000

interface WrittenFacts {
  readonly text: string
  readonly writtenAtMs: number
}

/** Dependencies of `MetricNoteKeeper`. */
export interface MetricNoteKeeperDeps {
  readonly facts: MetricFactsCatalog
  readonly exemplars: ExemplarStore
  readonly clock: Clock
}

function textOf({ kind, help, unit }: MetricFacts): string {
  return `${kind}\n${unit}\n${help}`
}

/** Stores metadata and exemplars of requests; only changes cost a write. */
export class MetricNoteKeeper {
  readonly #deps: MetricNoteKeeperDeps
  /** What the catalog is known to contain, by family. */
  readonly #known = new BoundedMap<NamespaceId, Promise<Map<string, WrittenFacts>>>(MAX_NAMESPACES)
  /** Exemplars written since the oldest were forgotten; a namespace not met yet is trimmed at once. */
  readonly #untrimmed = new Map<NamespaceId, number>()

  constructor(deps: MetricNoteKeeperDeps) {
    this.#deps = deps
  }

  /** Resolves when all is crash-safe. */
  async keep(ns: NamespaceId, notes: MetricNotes): Promise<void> {
    if (notes.facts.size > 0) await this.#keepFacts(ns, notes.facts)
    if (notes.exemplars.length > 0) await this.#keepExemplars(ns, notes)
  }

  async #keepFacts(ns: NamespaceId, reported: MetricNotes['facts']): Promise<void> {
    const known = await this.#knownOf(ns)
    const nowMs = this.#deps.clock.monotonicMs()
    let room = MAX_FAMILIES - known.size
    const news = [...reported.values()].filter(facts => {
      const before = known.get(facts.name)
      if (before === undefined) return room-- > 0
      return before.text !== textOf(facts) && nowMs - before.writtenAtMs >= REWRITE_AFTER_MS
    })
    if (news.length === 0) return
    await this.#deps.facts.save(ns, news)
    for (const facts of news) known.set(facts.name, { text: textOf(facts), writtenAtMs: nowMs })
  }

  async #keepExemplars(ns: NamespaceId, { exemplars }: MetricNotes): Promise<void> {
    await this.#deps.exemplars.save(ns, exemplars)
    const untrimmed = (this.#untrimmed.get(ns) ?? TRIM_AFTER) + exemplars.length
    this.#untrimmed.set(ns, untrimmed)
    if (untrimmed < TRIM_AFTER) return
    await this.#deps.exemplars.trim(ns, EXEMPLAR_BOUNDS)
    this.#untrimmed.set(ns, 0)
  }

  #knownOf(ns: NamespaceId): Promise<Map<string, WrittenFacts>> {
    const known = this.#known.get(ns)
    if (known) return known
    const loading = this.#load(ns)
    this.#known.set(ns, loading)
    return loading
  }

  #load(ns: NamespaceId): Promise<Map<string, WrittenFacts>> {
    const loading = this.#deps.facts
      .all(ns, MAX_FAMILIES)
      .then(all => new Map(all.map(facts => [facts.name, { text: textOf(facts), writtenAtMs: -REWRITE_AFTER_MS }] as const)))
    // The caller has the failure; the next one loads again.
    loading.catch(() => this.#known.delete(ns))
    return loading
  }
}
