import { fold } from '../../domain/case-folding.js'
import { GatewayError } from '../../domain/errors.js'
import type { Namespace } from '../../domain/namespace.js'
import type { HostSighting } from '../../domain/reported-host.js'
import { distinctWarnings } from '../../domain/warning.js'
import type { Clock } from '../../ports/clock.js'
import type { ReportedHosts } from '../../ports/reported-hosts.js'
import { boundedCount } from '../bounds.js'
import { cutByLimit } from '../cut-by-limit.js'
import { OneAtATime } from '../../threads/one-at-a-time.js'
import type { HostFinder } from './host-finder.js'
import { mergeHosts } from './host-merge.js'
import type { HostsQuery, HostsResult, HostSummary } from './host-result.js'

/** Dependencies of `HostReport`. */
export interface HostReportDeps {
  readonly finder: Pick<HostFinder, 'find'>
  readonly hosts: Pick<ReportedHosts, 'all' | 'named' | 'withIds'>
  readonly clock: Clock
}

const DEFAULT_HOSTS = 100
const MOST_HOSTS = 500
/** Hosts with agents; the same as ingest takes of a namespace. */
const MOST_REPORTED = 5_000
/** What all stores search for in names. */
const MAX_CONTAINS_CHARS = 256

/**
 * Hosts as agents, logs, spans and series name them: `GET /api/v1/hosts`, and `hosts`, `hostPage` and `host` of GraphQL. Lists
 * of one namespace are read one after the other: names may be long.
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
    const limit = boundedCount(query.limit, query.limitName ?? 'first', { least: 0, most: MOST_HOSTS, otherwise: DEFAULT_HOSTS })
    const { contains = '', states, after } = query
    if (contains.length > MAX_CONTAINS_CHARS) {
      const detail = `contains must not exceed ${MAX_CONTAINS_CHARS} characters`
      throw new GatewayError('invalid_field', detail, { field: 'contains' })
    }
    const [found, reported] = await this.#lists.run(ns.id, async () => {
      signal.throwIfAborted()
      return Promise.all([finder.find(ns, { contains }, signal), this.#reported(ns, contains)])
    })
    const hosts = mergeHosts(found.lastSeenNs, reported.hosts, clock.nowNs())
    const all = hosts.filter(({ state }) => states === undefined || states.includes(state))
    const rest = after === undefined ? all : all.filter(({ name }) => name > after)
    const complete = found.complete && !reported.hasMore
    const warnings = [...found.warnings, ...cutByLimit(reported.hasMore, 'hosts of agents', MOST_REPORTED)]
    return {
      ...{ hosts: rest.slice(0, limit), hasMore: rest.length > limit, limit },
      total: { value: all.length, relation: complete ? 'eq' : 'gte' },
      ...{ complete, warnings: distinctWarnings(warnings), tookMs: clock.monotonicMs() - startedMs }
    }
  }

  /** Hosts by the names and ids of machines that are requested, as far as there are any; a name takes precedence. */
  async named(ns: Namespace, namesOrIds: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, HostSummary>> {
    const distinct = [...new Set(namesOrIds)].filter(name => name !== '')
    const found = await this.#byName(ns, distinct, signal)
    const others = distinct.filter(name => !found.has(name))
    const machines = await this.#deps.hosts.withIds(ns.id, others)
    if (machines.length === 0) return found
    const more = await this.#byName(
      ns,
      machines.map(({ name }) => name),
      signal
    )
    // The latest report is the first.
    for (const { id, name } of machines.toReversed()) found.set(id, more.get(name)!)
    return found
  }

  async #byName(ns: Namespace, names: readonly string[], signal: AbortSignal): Promise<Map<string, HostSummary>> {
    const { finder, hosts, clock } = this.#deps
    const [{ lastSeenNs }, reported] = await Promise.all([finder.find(ns, { names }, signal), hosts.named(ns.id, names)])
    return new Map(mergeHosts(lastSeenNs, reported, clock.nowNs()).map(host => [host.name, host]))
  }

  async #reported(
    { id }: Namespace,
    contains: string
  ): Promise<{ readonly hosts: readonly HostSighting[]; readonly hasMore: boolean }> {
    const all = await this.#deps.hosts.all(id, MOST_REPORTED + 1)
    const part = fold(contains)
    const hosts = all.slice(0, MOST_REPORTED).filter(({ name }) => fold(name).includes(part))
    return { hosts, hasMore: all.length > MOST_REPORTED }
  }
}
