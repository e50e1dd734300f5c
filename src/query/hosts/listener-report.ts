import type { Namespace } from '../../domain/namespace.js'
import { type HostListener, listenerSeenMs, listenerState, type ReportState } from '../../domain/reported-host.js'
import type { Warning } from '../../domain/warning.js'
import type { Clock } from '../../ports/clock.js'
import type { ListenerOnHost, ReportedHosts } from '../../ports/reported-hosts.js'
import { boundedCount } from '../bounds.js'
import { cutByLimit } from '../cut-by-limit.js'

/** Which listeners are listed. */
export interface ListenersQuery {
  /** Name of the host, or id of the machine. */
  readonly host?: string | undefined
  readonly service?: string | undefined
  readonly port?: number | undefined
  /** Only open listeners, or only closed ones. */
  readonly open?: boolean | undefined
  /** 1 to 5,000; default 1,000. */
  readonly limit?: number | undefined
  /** How the caller knows `limit`. */
  readonly limitName?: string
}

/** A listener in a result. */
export interface ListedListener extends HostListener {
  /** Name of its host. */
  readonly host: string
  readonly hostId: string
  readonly state: ReportState
  /** Latest report that had it, Unix milliseconds. */
  readonly lastSeenMs: number
}

/** Listeners by port, protocol and name of the host. */
export interface ListenersResult {
  readonly listeners: readonly ListedListener[]
  readonly hasMore: boolean
  readonly limit: number
  readonly complete: boolean
  readonly warnings: readonly Warning[]
  readonly tookMs: number
}

const DEFAULT_LISTENERS = 1_000
const MOST_LISTENERS = 5_000

/** Listening sockets that agents found: `GET /api/v1/listeners`, `listeners` of GraphQL. */
export class ListenerReport {
  readonly #hosts: Pick<ReportedHosts, 'listeners' | 'withIds'>
  readonly #clock: Clock

  constructor(hosts: Pick<ReportedHosts, 'listeners' | 'withIds'>, clock: Clock) {
    this.#hosts = hosts
    this.#clock = clock
  }

  /** Throws `invalid_field`. */
  async list(ns: Namespace, query: ListenersQuery): Promise<ListenersResult> {
    const startedMs = this.#clock.monotonicMs()
    const { host, limitName = 'limit', ...conditions } = query
    const limit = boundedCount(query.limit, limitName, { least: 1, most: MOST_LISTENERS, otherwise: DEFAULT_LISTENERS })
    const hosts = host === undefined ? undefined : await this.#namesOf(ns, host)
    const found = await this.#hosts.listeners(ns.id, { ...conditions, hosts, limit: limit + 1 })
    const hasMore = found.length > limit
    const listeners = found.slice(0, limit).map(listener => this.#listed(listener))
    const facts = { complete: !hasMore, warnings: cutByLimit(hasMore, 'listeners', limit) }
    return { listeners, hasMore, limit, ...facts, tookMs: this.#clock.monotonicMs() - startedMs }
  }

  async #namesOf({ id }: Namespace, host: string): Promise<readonly string[]> {
    const machines = await this.#hosts.withIds(id, [host])
    return [...new Set([host, ...machines.map(({ name }) => name)])]
  }

  #listed({ host, ...listener }: ListenerOnHost): ListedListener {
    const state = listenerState(listener, host, this.#clock.nowMs())
    return { ...listener, host: host.name, hostId: host.id, state, lastSeenMs: listenerSeenMs(listener, host) }
  }
}
