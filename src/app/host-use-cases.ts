import type { Clock } from '../ports/clock.js'
import type { Stores } from '../ports/stores.js'
import { ServiceReleases } from '../query/apm/service-releases.js'
import { HostCharts } from '../query/hosts/host-charts.js'
import { HostFactsReader } from '../query/hosts/host-facts.js'
import { HostFigures } from '../query/hosts/host-figures.js'
import { HostQueries } from '../query/hosts/host-queries.js'
import { HostReport } from '../query/hosts/host-report.js'
import { HostFinder } from '../query/hosts/host-finder.js'
import type { PromqlQuery } from '../query/promql/promql-query.js'
import type { QuerySettings } from '../query/settings.js'

/** What is read of hosts, and of what runs on them. */
export interface HostUseCases {
  readonly hostReport: HostReport
  readonly hostFacts: HostFactsReader
  readonly hostFigures: HostFigures
  readonly hostCharts: HostCharts
  readonly serviceReleases: ServiceReleases
}

/** Wires them. */
export function createHostUseCases(
  { logs, traces, metrics }: Pick<Stores, 'logs' | 'traces' | 'metrics'>,
  { promql, clock, settings }: { readonly promql: PromqlQuery; readonly clock: Clock; readonly settings: QuerySettings }
): HostUseCases {
  const queries = new HostQueries({ promql, clock, settings })
  return {
    hostReport: new HostReport({ finder: new HostFinder({ logs, traces, metrics, clock }), clock }),
    hostFacts: new HostFactsReader({ logs, traces, clock }),
    hostFigures: new HostFigures(queries),
    hostCharts: new HostCharts({ queries, clock }),
    serviceReleases: new ServiceReleases({ traces, clock })
  }
}
