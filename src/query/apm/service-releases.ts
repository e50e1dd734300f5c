import type { Field } from '../../domain/filter.js'
import type { Namespace } from '../../domain/namespace.js'
import type { Clock } from '../../ports/clock.js'
import type { TraceStore } from '../../ports/trace-store.js'
import { HOUR_MS, readWindow } from '../read-window.js'
import type { WindowBounds } from '../result.js'
import { ofServices } from './request-spans.js'
import { ServiceFacts } from './service-facts.js'

/** Dependencies of `ServiceReleases`. */
export interface ServiceReleasesDeps {
  readonly traces: Pick<TraceStore, 'searchSpans' | 'newestOrigins'>
  readonly clock: Clock
}

/** A version of a service, and when its spans of a window started. */
export interface Release {
  readonly version: string
  readonly firstSeenNs: bigint
  readonly lastSeenNs: bigint
}

const VERSION: Field = { in: 'tags', name: 'service.version' }

/** The deployments of a service, from the spans of a window. */
export class ServiceReleases {
  readonly #deps: ServiceReleasesDeps
  readonly #facts: ServiceFacts

  constructor(deps: ServiceReleasesDeps) {
    this.#deps = deps
    this.#facts = new ServiceFacts(deps.traces)
  }

  /** The 20 versions with the most spans, earliest first; of each its first span in the window is looked up. */
  async releases(ns: Namespace, service: string, bounds: WindowBounds, signal: AbortSignal): Promise<readonly Release[]> {
    const range = this.#range(ns, bounds)
    if (range.startNs >= range.endNs) return []
    const { versions } = await this.#facts.ofService(ns, service, range, signal)
    const releases = await Promise.all(
      versions.map(async ({ value, lastSeenNs }): Promise<Release> => {
        const filter = ofServices([service], { kind: 'text', field: VERSION, values: [value] })
        const { rows } = await this.#deps.traces.searchSpans(ns.id, { range, filter, rows: { limit: 1, order: 'asc' } }, signal)
        return { version: value, firstSeenNs: rows?.[0]?.timestampNs ?? lastSeenNs, lastSeenNs }
      })
    )
    return releases.sort((a, b) => Number(a.firstSeenNs - b.firstSeenNs) || (a.version < b.version ? -1 : 1))
  }

  /** Names of the 20 hosts with the most spans. */
  async hosts(ns: Namespace, service: string, bounds: WindowBounds, signal: AbortSignal): Promise<readonly string[]> {
    const range = this.#range(ns, bounds)
    if (range.startNs >= range.endNs) return []
    return (await this.#facts.ofService(ns, service, range, signal)).hosts.map(({ value }) => value)
  }

  #range(ns: Namespace, bounds: WindowBounds) {
    return readWindow(bounds, { namespace: ns, signal: 'traces', nowNs: this.#deps.clock.nowNs() }, HOUR_MS).range
  }
}
