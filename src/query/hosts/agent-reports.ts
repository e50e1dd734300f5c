import type { Namespace } from '../../domain/namespace.js'
import { hostState, type ReportedHost } from '../../domain/reported-host.js'
import type { Clock } from '../../ports/clock.js'
import type { ReportedHosts } from '../../ports/reported-hosts.js'

/** What the agent of a host reported last. */
export interface AgentReport extends ReportedHost {
  /** Names of other hosts whose agents report the same id now: machines that were cloned with it. */
  readonly idSharedBy: readonly string[]
}

/** What agents report of their machines. */
export class AgentReports {
  readonly #hosts: Pick<ReportedHosts, 'named' | 'withIds'>
  readonly #clock: Clock

  constructor(hosts: Pick<ReportedHosts, 'named' | 'withIds'>, clock: Clock) {
    this.#hosts = hosts
    this.#clock = clock
  }

  /** Reports of those of the hosts that have an agent, by name. */
  async of(ns: Namespace, names: readonly string[]): Promise<ReadonlyMap<string, AgentReport>> {
    const reported = await this.#hosts.named(ns.id, names)
    const ids = [...new Set(reported.map(({ id }) => id))]
    const nowMs = this.#clock.nowMs()
    const active = (await this.#hosts.withIds(ns.id, ids)).filter(host => hostState(host, nowMs) === 'active')
    // The latest report is the first.
    const entries = reported.toReversed().map((host): [string, AgentReport] => {
      const others = active.filter(({ id, name }) => id === host.id && name !== host.name)
      return [host.name, { ...host, idSharedBy: others.map(({ name }) => name).sort() }]
    })
    return new Map(entries)
  }
}
