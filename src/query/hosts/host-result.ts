import type { Total } from '../../domain/search.js'
import type { Grid, ResultFacts } from '../result.js'

/** `active`: a record or sample in the last 5 minutes; `stale`: in the last 24 hours; `gone`: none. Conventions 9. */
export type HostState = 'active' | 'stale' | 'gone'

/** A host, as records, series and agents name it. Names are case-sensitive. */
export interface HostSummary {
  readonly name: string
  /** That of its agent, until that is gone; else by its latest log, span or sample. */
  readonly state: HostState
  /** Time of its latest report, log, span or sample. */
  readonly lastSeenNs: bigint
  /** Id that its agent reports; null without an agent. */
  readonly hostId: string | null
}

/** Which hosts are listed. */
export interface HostsQuery {
  /** Case-insensitive; at most 256 characters. */
  readonly contains?: string | undefined
  readonly states?: readonly HostState[] | undefined
  /** Only names after this one. */
  readonly after?: string | undefined
  /** 0 to 500; default 100. */
  readonly limit?: number | undefined
  /** How the caller knows `limit`; `first` when absent. */
  readonly limitName?: string
}

/** Hosts in the order of their names, by code units. */
export interface HostsResult extends Omit<ResultFacts, 'window'> {
  readonly hosts: readonly HostSummary[]
  readonly hasMore: boolean
  readonly limit: number
  /** Hosts that match, on this page or not. */
  readonly total: Total
}

/** What the resource attributes of a host state; null and empty where its latest records state nothing. */
export interface HostFacts {
  readonly os: string | null
  readonly arch: string | null
  readonly kernel: string | null
  /** Attributes of the host, its system, cloud and node, sorted by name. */
  readonly labels: readonly { readonly name: string; readonly value: string }[]
}

/** A container of a host that has samples; figures without samples are null. */
export interface ContainerFigures {
  readonly host: string
  readonly name: string
  readonly image: string | null
  readonly cpuPercent: number | null
  readonly memoryBytes: number | null
  readonly memoryPercent: number | null
  readonly rxBytesPerSecond: number | null
  readonly txBytesPerSecond: number | null
}

/** A container of a host, from samples, from what its agent reports, or both; null where neither has it. */
export interface HostContainer extends ContainerFigures {
  readonly containerId: string | null
  readonly runtime: string | null
  readonly service: string | null
  readonly state: string | null
}

/** The processes of one name and user. */
export interface HostProcess {
  readonly host: string
  readonly name: string
  readonly user: string | null
  readonly cpuPercent: number | null
  readonly memoryBytes: number | null
}

/** A line of the charts of a host. */
export interface HostLine {
  readonly ref: 'cpu' | 'memory' | 'disk' | 'network'
  readonly labels: readonly { readonly name: string; readonly value: string }[]
  readonly values: readonly (number | null)[]
}

/** The charts of a host on one grid. */
export interface HostChart extends ResultFacts {
  readonly grid: Grid
  readonly series: readonly HostLine[]
  /** Lines that the limit left out. */
  readonly omitted: number
}
