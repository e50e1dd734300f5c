import type { HostAgentType, HostType } from '../schema/host.type.js'
import type { AgentReport } from '../src/query/hosts/agent-reports.js'
import type { HostSummary, HostChart, HostLine, HostsResult } from '../src/query/hosts/host-result.js'
import type { MetricResultType } from '../schema/metric.type.js'
import { toSeries } from './to-metric.js'
import { type StatsSource, toGrid, toStats } from './to-shared.js'

/** One host; what its fields show beyond its name is loaded for all hosts of a page together. */
export class HostSource implements HostType {
  readonly #summary: HostSummary

  constructor(summary: HostSummary) {
    this.#summary = summary
  }

  get id(): string {
    return this.#summary.name
  }
  get name(): string {
    return this.#summary.name
  }
  get state(): HostSummary['state'] {
    return this.#summary.state
  }
  get lastSeen(): bigint {
    return this.#summary.lastSeenNs
  }
}

const NS_PER_MS = 1_000_000n

/** The agent of a host. */
export function toHostAgent(report: AgentReport): HostAgentType {
  const { id: hostId, idSharedBy, intervalMs, lastSeenMs } = report
  const { startedAtMs, ...agent } = report.agent
  return {
    ...agent,
    hostId,
    idSharedBy,
    startedAt: startedAtMs === null ? null : BigInt(startedAtMs) * NS_PER_MS,
    lastReportAt: BigInt(lastSeenMs) * NS_PER_MS,
    intervalSeconds: intervalMs / 1000
  }
}

/** `disk /home`: what the line shows and of what. */
function legendOf({ ref, labels }: HostLine): string {
  return [ref, ...labels.map(({ value }) => value)].join(' ')
}

/** Lines of a host with their refs. */
export function toHostChart(chart: HostChart): MetricResultType {
  return {
    grid: toGrid(chart.grid),
    series: chart.series.map(line => ({ ...toSeries({ ...line, metric: '' }), metric: null, legend: legendOf(line) })),
    omitted: chart.omitted,
    stats: toStats(chart, 'metrics')
  }
}

/** Completeness of a list of hosts. Its signal is metrics, which have no newest sample; each cut names its own. */
export function toHostStats(result: Omit<HostsResult, 'hosts'>): StatsSource {
  const stats = toStats(result, 'metrics')
  const signalOf = (detail: string): StatsSource['signal'] =>
    detail.includes('hosts of logs') ? 'logs' : detail.includes('hosts of spans') ? 'spans' : 'metrics'
  return { ...stats, cuts: stats.cuts.map(cut => ({ ...cut, signal: signalOf(cut.detail) })) }
}
