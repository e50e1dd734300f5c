import type { Namespace } from '../../domain/namespace.js'
import { GONE_AFTER_MS, type HostContainers, isLatestList, type ReportedContainer } from '../../domain/reported-host.js'
import type { Clock } from '../../ports/clock.js'
import type { ReportedHosts } from '../../ports/reported-hosts.js'
import type { HostFigures } from './host-figures.js'
import type { ContainerFigures, HostContainer } from './host-result.js'

/** Containers of one host in a response. */
const MOST_CONTAINERS = 500
/** Hosts whose lists are read at once: a list has up to 256 KiB, and other requests wait while it is parsed. */
const HOSTS_AT_ONCE = 20

const NO_FIGURES = { cpuPercent: null, memoryBytes: null, memoryPercent: null, rxBytesPerSecond: null, txBytesPerSecond: null }
const NOT_REPORTED = { containerId: null, runtime: null, service: null, state: null }

type Figures = Pick<HostFigures, 'containers'>

function withReport(figures: ContainerFigures, reported: ReportedContainer | undefined): HostContainer {
  if (reported === undefined) return { ...figures, ...NOT_REPORTED }
  const { id, image, runtime, service, state } = reported
  return { ...figures, image: figures.image ?? image, containerId: id, runtime, service, state }
}

/**
 * Those that have samples, then those that are only reported, without figures. Series name a container by its name, or by its
 * id where the runtime does not name it.
 */
function merged(
  host: string,
  figures: readonly ContainerFigures[],
  reported: readonly ReportedContainer[]
): readonly HostContainer[] {
  const byKey = new Map([...reported.map(one => [one.id, one] as const), ...reported.map(one => [one.name, one] as const)])
  const measured = new Set(figures.map(({ name }) => name))
  const others = reported.filter(({ id, name }) => !measured.has(id) && !measured.has(name))
  return [
    ...figures.map(each => withReport(each, byKey.get(each.name))),
    ...others.map(({ id, ...container }) => ({ host, ...container, containerId: id, ...NO_FIGURES }))
  ]
}

function order(a: HostContainer, b: HostContainer): number {
  return (b.cpuPercent ?? -1) - (a.cpuPercent ?? -1) || (a.name < b.name ? -1 : 1)
}

/** The lists of the latest reports of some hosts, unless they are too old to be shown. */
function shownOf(reports: readonly HostContainers[], sinceMs: number): (readonly [string, readonly ReportedContainer[]])[] {
  // The latest report is the first; others are of earlier machines of the name.
  const latest = new Map(reports.toReversed().map(report => [report.name, report]))
  return [...latest].flatMap(([name, { listed, ...host }]) => {
    const isShown = listed !== null && listed.atMs >= sinceMs && isLatestList(listed.atMs, host)
    return isShown ? [[name, listed.containers] as const] : []
  })
}

/** The containers of hosts: `containers` of `GET /api/v1/hosts/{id}` and of GraphQL's `Host`. */
export class ContainerReport {
  readonly #hosts: Pick<ReportedHosts, 'containers'>
  readonly #figures: Figures
  readonly #clock: Pick<Clock, 'nowMs'>

  constructor(hosts: Pick<ReportedHosts, 'containers'>, figures: Figures, clock: Pick<Clock, 'nowMs'>) {
    this.#hosts = hosts
    this.#figures = figures
    this.#clock = clock
  }

  /** What agents list in their latest reports, of the last 24 hours; without hosts whose agents list none. By name of the host. */
  async reported(ns: Namespace, hosts: readonly string[]): Promise<ReadonlyMap<string, readonly ReportedContainer[]>> {
    const sinceMs = this.#clock.nowMs() - GONE_AFTER_MS
    const shown: (readonly [string, readonly ReportedContainer[]])[] = []
    for (let i = 0; i < hosts.length; i += HOSTS_AT_ONCE)
      shown.push(...shownOf(await this.#hosts.containers(ns.id, hosts.slice(i, i + HOSTS_AT_ONCE), sinceMs), sinceMs))
    return new Map(shown)
  }

  /** Containers of the hosts that have samples or are reported, most CPU time first, ties by name. By name of the host. */
  async of(ns: Namespace, hosts: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, readonly HostContainer[]>> {
    const [figures, reported] = await Promise.all([this.#figures.containers(ns, hosts, signal), this.reported(ns, hosts)])
    const measured = new Map<string, ContainerFigures[]>(hosts.map(host => [host, []]))
    for (const container of figures) measured.get(container.host)?.push(container)
    const all = [...measured].map(([host, own]) => [host, merged(host, own, reported.get(host) ?? [])] as const)
    return new Map(all.map(([host, containers]) => [host, containers.toSorted(order).slice(0, MOST_CONTAINERS)]))
  }
}
