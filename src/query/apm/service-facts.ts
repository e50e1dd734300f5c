import type { Field } from '../../domain/filter.js'
import { flatten } from '../../domain/flatten.js'
import type { Namespace } from '../../domain/namespace.js'
import type { FacetResult } from '../../domain/search.js'
import type { TimeRange } from '../../domain/time-range.js'
import type { TraceStore } from '../../ports/trace-store.js'
import { cutByLimit } from '../cut-by-limit.js'
import { seenValues } from '../seen-values.js'
import { ofServices } from './request-spans.js'
import type { ServiceFact } from './service-result.js'
import type { Warning } from '../../domain/warning.js'

// OpenTelemetry's semantic conventions of resources.
const LANGUAGE = 'telemetry.sdk.language'
const VERSION = 'service.version'
const FACTS: readonly Field[] = [
  { in: 'tags', name: LANGUAGE },
  { in: 'tags', name: VERSION },
  { in: 'known', name: 'host' }
]
const FACT_NAMES: Readonly<Record<string, string>> = { [LANGUAGE]: 'languages', [VERSION]: 'versions', host: 'hosts' }
const MAX_FACTS = 20
/** Newest spans that are looked at for the facts of a whole list of services. */
const NEWEST_SPANS = 200

function factsOf(facet: FacetResult | undefined): readonly ServiceFact[] {
  return seenValues(facet).map(({ value, count, lastSeenNs }) => ({ value, spans: count, lastSeenNs }))
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

/** Facts about a service from the resources of its spans. */
export class ServiceFacts {
  readonly #traces: Pick<TraceStore, 'searchSpans' | 'newestOrigins'>

  constructor(traces: Pick<TraceStore, 'searchSpans' | 'newestOrigins'>) {
    this.#traces = traces
  }

  /** All of one service. */
  async ofService(
    ns: Namespace,
    name: string,
    range: TimeRange,
    signal: AbortSignal
  ): Promise<{
    readonly languages: readonly ServiceFact[]
    readonly versions: readonly ServiceFact[]
    readonly hosts: readonly ServiceFact[]
    /** The version that was seen last. */
    readonly newestVersion: string | null
    readonly complete: boolean
    readonly warnings: readonly Warning[]
  }> {
    const filter = ofServices([name])
    const facets = FACTS.map(field => ({ field, filter, limit: MAX_FACTS, lastSeen: true }))
    const { facets: found = [], complete, warnings } = await this.#traces.searchSpans(ns.id, { range, filter, facets }, signal)
    const [languages, versions, hosts] = [0, 1, 2].map(i => factsOf(found[i])) as [
      readonly ServiceFact[],
      readonly ServiceFact[],
      readonly ServiceFact[]
    ]
    const newest = versions.toSorted((a, b) => Number(b.lastSeenNs - a.lastSeenNs))[0]
    const cut = found.flatMap(({ field, other }) => cutByLimit(other > 0, FACT_NAMES[field.name] ?? field.name, MAX_FACTS))
    return { languages, versions, hosts, newestVersion: newest?.value ?? null, complete, warnings: [...warnings, ...cut] }
  }

  /** Language and version of the services of the newest spans in the window. */
  async newest(
    ns: Namespace,
    names: readonly string[],
    range: TimeRange,
    signal: AbortSignal
  ): Promise<ReadonlyMap<string, { readonly language: string | null; readonly version: string | null }>> {
    const request = { range, filter: ofServices(names), limit: NEWEST_SPANS }
    const origins = await this.#traces.newestOrigins(ns.id, request, signal)
    const facts = new Map<string, { readonly language: string | null; readonly version: string | null }>()
    for (const { service, resource } of origins) {
      if (service === null) continue
      const known = facts.get(service)
      const flat = flatten(resource)
      facts.set(service, {
        language: known?.language ?? textOf(flat[LANGUAGE]),
        version: known?.version ?? textOf(flat[VERSION])
      })
    }
    return facts
  }
}
