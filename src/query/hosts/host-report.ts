import { GatewayError } from '../../domain/errors.js'
import type { Namespace } from '../../domain/namespace.js'
import type { Clock } from '../../ports/clock.js'
import { boundedCount } from '../bounds.js'
import { OneAtATime } from '../../threads/one-at-a-time.js'
import type { HostFinder } from './host-finder.js'
import type { HostsQuery, HostsResult, HostState, HostSummary } from './host-result.js'

/** Dependencies of `HostReport`. */
export interface HostReportDeps {
  readonly finder: Pick<HostFinder, 'find'>
  readonly clock: Clock
}

const DEFAULT_HOSTS = 100
const MOST_HOSTS = 500
/** What all stores search for in names. */
const MAX_CONTAINS_CHARS = 256
const MS_NS = 1_000_000n
const ACTIVE_NS = 300_000n * MS_NS
const STALE_NS = 86_400_000n * MS_NS

function stateOf(lastSeenNs: bigint, nowNs: bigint): HostState {
  const age = nowNs - lastSeenNs
  if (age <= ACTIVE_NS) return 'active'
  return age <= STALE_NS ? 'stale' : 'gone'
}

/**
 * Hosts as logs, spans and series name them: `hosts`, `hostPage` and `host` of GraphQL. Lists of one namespace are read one
 * after the other: names may be long.
 */
export class HostReport {
  readonly #deps: HostReportDeps
  readonly #lists = new OneAtATime()

  constructor(deps: HostReportDeps) {
    this.#deps = deps
  }

  /** Throws `invalid_field`. */
  async list(ns: Namespace, query: HostsQuery, signal: AbortSignal): Promise<HostsResult> {
    const { finder, clock } = this.#deps
    const startedMs = clock.monotonicMs()
    const limit = boundedCount(query.limit, 'first', { least: 0, most: MOST_HOSTS, otherwise: DEFAULT_HOSTS })
    const { contains = '', states, after } = query
    if (contains.length > MAX_CONTAINS_CHARS) {
      const detail = `contains must not exceed ${MAX_CONTAINS_CHARS} characters`
      throw new GatewayError('invalid_field', detail, { field: 'contains' })
    }
    const found = await this.#lists.run(ns.id, async () => {
      signal.throwIfAborted()
      return finder.find(ns, { contains }, signal)
    })
    const all = this.#summaries(found.lastSeenNs).filter(({ state }) => states === undefined || states.includes(state))
    const rest = after === undefined ? all : all.filter(({ name }) => name > after)
    return {
      hosts: rest.slice(0, limit),
      hasMore: rest.length > limit,
      total: { value: all.length, relation: found.complete ? 'eq' : 'gte' },
      ...{ complete: found.complete, warnings: found.warnings, tookMs: clock.monotonicMs() - startedMs }
    }
  }

  /** Those of the names that were seen, by name. */
  async named(ns: Namespace, names: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, HostSummary>> {
    const distinct = [...new Set(names)].filter(name => name !== '')
    const { lastSeenNs } = await this.#deps.finder.find(ns, { names: distinct }, signal)
    return new Map(this.#summaries(lastSeenNs).map(host => [host.name, host]))
  }

  #summaries(lastSeenNs: ReadonlyMap<string, bigint>): readonly HostSummary[] {
    const nowNs = this.#deps.clock.nowNs()
    return [...lastSeenNs]
      .map(([name, seenNs]) => ({ name, lastSeenNs: seenNs, state: stateOf(seenNs, nowNs) }))
      .sort((a, b) => (a.name < b.name ? -1 : 1))
  }
}
