import DataLoader from 'dataloader'
import type { Namespace } from '../src/domain/namespace.js'
import type { AgentReport, AgentReports } from '../src/query/hosts/agent-reports.js'
import type { HostFactsReader } from '../src/query/hosts/host-facts.js'
import type { HostFigure, HostFigures } from '../src/query/hosts/host-figures.js'
import type { ContainerReport } from '../src/query/hosts/container-report.js'
import type { HostReport } from '../src/query/hosts/host-report.js'
import type { HostContainer, HostFacts, HostProcess, HostSummary } from '../src/query/hosts/host-result.js'
import type { ServiceReport } from '../src/query/apm/service-report.js'
import { servicesNamed, type ServiceSource } from './service-source.js'

/** Hosts of a page at most. */
const MAX_BATCH = 500

/** The use cases that the loaders call, and the caller's namespace. */
export interface HostsLoadedFrom {
  readonly use: {
    readonly hostReport: HostReport
    readonly hostFacts: HostFactsReader
    readonly hostFigures: HostFigures
    readonly containerReport: Pick<ContainerReport, 'of'>
    readonly agentReports: AgentReports
    readonly serviceReport: ServiceReport
  }
  readonly namespace: () => Promise<Namespace>
  readonly signal: AbortSignal
}

type Loader<Value> = DataLoader<string, Value>

/** What the fields of the hosts of a page show, each read for the whole page; by name. */
export interface HostLoaders {
  /** Null for a host that was not seen. */
  readonly summaries: Loader<HostSummary | null>
  /** What agents report; null for a host without one. */
  readonly agents: Loader<AgentReport | null>
  readonly facts: Loader<HostFacts>
  readonly figure: (figure: HostFigure) => Loader<number | null>
  readonly containers: Loader<readonly HostContainer[]>
  readonly processes: Loader<readonly HostProcess[]>
  readonly services: Loader<readonly ServiceSource[]>
}

const NO_FACTS: HostFacts = { os: null, arch: null, kernel: null, labels: [] }

/** Loaders of one request. */
export function createHostLoaders({ use, namespace, signal }: HostsLoadedFrom): HostLoaders {
  const { hostReport, hostFacts, hostFigures, containerReport, agentReports, serviceReport } = use
  const loader = <Found, Value>(
    read: (ns: Namespace, names: readonly string[]) => Promise<Found>,
    pick: (found: Found, name: string) => Value
  ): Loader<Value> =>
    new DataLoader<string, Value>(
      async names => {
        const found = await read(await namespace(), names)
        return names.map(name => pick(found, name))
      },
      { maxBatchSize: MAX_BATCH }
    )
  const figures = new Map<HostFigure, Loader<number | null>>()
  return {
    summaries: loader(
      (ns, names) => hostReport.named(ns, names, signal),
      (found, name) => found.get(name) ?? null
    ),
    agents: loader(
      (ns, names) => agentReports.of(ns, names),
      (found, name) => found.get(name) ?? null
    ),
    facts: loader(
      (ns, names) => hostFacts.of(ns, names, signal),
      (found, name) => found.get(name) ?? NO_FACTS
    ),
    figure: figure => {
      const known = figures.get(figure)
      if (known !== undefined) return known
      const made = loader(
        (ns, names) => hostFigures.of(ns, figure, names, signal),
        (found, name) => found.get(name) ?? null
      )
      figures.set(figure, made)
      return made
    },
    containers: loader(
      (ns, names) => containerReport.of(ns, names, signal),
      (found, name) => found.get(name) ?? []
    ),
    processes: loader(
      (ns, names) => hostFigures.processes(ns, names, signal),
      (found, name) => found.filter(({ host }) => host === name)
    ),
    services: loader(
      async (ns, names) => {
        const byHost = await hostFacts.services(ns, names, signal)
        const listed = await servicesNamed([...new Set([...byHost.values()].flat())], { ns, serviceReport, signal })
        return { byHost, listed: new Map(listed.map(service => [service.name, service])) }
      },
      ({ byHost, listed }, name) => (byHost.get(name) ?? []).flatMap(service => listed.get(service) ?? [])
    )
  }
}
