import { familiesOf, type MetricFacts, type MetricKind } from '../domain/metric-facts.js'
import type { Namespace } from '../domain/namespace.js'
import type { MetricStore } from '../ports/metric-store.js'
import type { MetricFactsCatalog } from '../ports/metric-notes.js'

/** Metrics and families that are read at once. */
const MAX_METRICS = 10_000
/** Names that the port takes at once. */
const MAX_NAMES = 500

/** Dependencies of `MetricFactsQuery`. */
export interface MetricFactsDeps {
  readonly metrics: Pick<MetricStore, 'metrics'>
  readonly facts: Pick<MetricFactsCatalog, 'of' | 'all'>
}

/** Families and what is known of them; `hasMore`: there are more than are read at once. */
export interface KnownFamilies {
  readonly families: readonly MetricFacts[]
  readonly hasMore: boolean
}

/** Type, help and unit of metrics: as their senders state them, else the type of their samples. */
export class MetricFactsQuery {
  readonly #deps: MetricFactsDeps

  constructor(deps: MetricFactsDeps) {
    this.#deps = deps
  }

  /** Each family once, sorted by name; with a name only that one. A metric without metadata is its own family. */
  async families(ns: Namespace, name: string | undefined, signal: AbortSignal): Promise<KnownFamilies> {
    const { metrics, facts } = this.#deps
    const stated = name === undefined ? await facts.all(ns.id, MAX_METRICS + 1) : await facts.of(ns.id, [name])
    const known = new Map(stated.slice(0, MAX_METRICS).map(one => [one.name, one]))
    const request = { limit: MAX_METRICS, ...(name !== undefined && { contains: name }) }
    const found = await metrics.metrics(ns.id, request, signal)
    for (const metric of found.metrics) {
      const isStated = familiesOf(metric.name).some(family => known.has(family))
      if (!isStated && (name === undefined || metric.name === name))
        known.set(metric.name, { name: metric.name, kind: metric.type satisfies MetricKind, help: '', unit: '' })
    }
    const families = [...known.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
    return { families, hasMore: found.hasMore || stated.length > MAX_METRICS }
  }

  /** The known metadata of the families of these metrics; null without metadata. */
  async of(ns: Namespace, names: readonly string[]): Promise<readonly (MetricFacts | null)[]> {
    const requested = [...new Set(names.flatMap(familiesOf))]
    const known = new Map<string, MetricFacts>()
    for (let from = 0; from < requested.length; from += MAX_NAMES) {
      for (const one of await this.#deps.facts.of(ns.id, requested.slice(from, from + MAX_NAMES))) known.set(one.name, one)
    }
    return names.map(
      name =>
        familiesOf(name)
          .map(family => known.get(family))
          .find(one => one !== undefined) ?? null
    )
  }
}
