import type { NamespaceId } from '../domain/ids.js'
import type { EventStore } from './event-store.js'
import type { LogStore } from './log-store.js'
import type { MetricStore } from './metric-store.js'
import type { TraceStore } from './trace-store.js'

/** How one engine is. */
export interface StoreHealth {
  /** `duckdb`, `elasticsearch`, ... */
  readonly name: string
  /** Whether reads and writes succeed. */
  readonly healthy: boolean
  /** Milliseconds of the last probe; null when it has none. */
  readonly latencyMs: number | null
  /** In plain words why it is unwell, or what it recovered from at start; empty when all is well. */
  readonly detail: string
  /** For operators: as `detail`, with the names of servers, indices and buckets; absent if `detail` is complete. */
  readonly diagnosis?: string
  /** Whether writes are acknowledged though it is unwell: they wait in the spool, or only reads lack something. */
  readonly acks?: boolean
}

/** Size of what a namespace holds. */
export interface NamespaceSize {
  readonly namespace: NamespaceId
  /** Bytes on disk. */
  readonly bytes: number
  /** Stored records. */
  readonly records: number
}

/** Sizes of an installation, as far as they are known. */
export interface KnownSizes {
  /** Sums over the engines that responded; empty namespaces are left out. */
  readonly namespaces: readonly NamespaceSize[]
  /** Engines that the sums lack, because they do not respond or do not report sizes. */
  readonly missing: readonly string[]
}

/** The store of each signal. */
export type SignalStores = Pick<Stores, 'logs' | 'metrics' | 'events' | 'traces'>

/** The telemetry stores, opened together. */
export interface Stores {
  /** Logs. */
  readonly logs: LogStore
  /** Metric points. */
  readonly metrics: MetricStore
  /** Page views and errors. */
  readonly events: EventStore
  /** Spans. */
  readonly traces: TraceStore
  /** One entry for each engine. */
  health(): Promise<readonly StoreHealth[]>
  /** Bytes on disk and records per namespace; null of an engine that does not report them. */
  sizes(): Promise<readonly NamespaceSize[] | null>
  /** A consistent copy of the telemetry into an empty folder, while running. `unsupported_by_store` for managed stores. */
  backup(folder: string): Promise<void>
  /** Numbers of the engines for `/metrics`, e.g. `queue_bytes`; no namespace appears in them. */
  gauges(): Promise<Readonly<Record<string, number>>>
  /** Commits what was acknowledged or queued and lets go of all files. The second call does nothing. */
  close(): Promise<void>
}
