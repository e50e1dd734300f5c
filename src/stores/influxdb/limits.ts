/** Sizes and times of the InfluxDB adapter; every one can be set, mostly so that tests can reach it. */
export interface InfluxLimits {
  /** Bytes of lines that may wait or be on their way; beyond: `overloaded`. One namespace may contain half of them. */
  readonly maxQueuedBytes: number
  /** Points of one write request. */
  readonly requestPoints: number
  /** Bytes of one write request, unless a single piece is larger. */
  readonly requestBytes: number
  /** Write requests of one bucket that may be in flight at once. */
  readonly requestsPerBucket: number
  /** How long a write or a call of the management API may take; then its outcome is unknown and it is sent again. */
  readonly requestTimeoutMs: number
  /** How long a read may take; beyond: `query_timeout`. */
  readonly queryTimeoutMs: number
  /** Reads that may be in flight, waiting ones included; beyond: `overloaded`. One namespace may contain half of them. */
  readonly maxReads: number
  /** Namespaces with a bucket of their own; later ones share a pool. */
  readonly maxDedicated: number
  /** Ingest ids of which a repeat is known for one. */
  readonly maxRecentBatches: number
  /** Series of all namespaces in memory before idle namespaces are forgotten (the catalog keeps them). */
  readonly maxLoadedSeries: number
  /** How old what was read of the shared catalogs may be; null when no other process writes to them. */
  readonly catalogRefreshMs: number | null
}

const MIB = 1024 * 1024

/** The defaults. */
export const DEFAULT_INFLUX_LIMITS: InfluxLimits = {
  maxQueuedBytes: 64 * MIB,
  requestPoints: 10_000,
  requestBytes: 4 * MIB,
  requestsPerBucket: 1,
  requestTimeoutMs: 30_000,
  queryTimeoutMs: 30_000,
  maxReads: 256,
  maxDedicated: 20,
  maxRecentBatches: 100_000,
  maxLoadedSeries: 1_000_000,
  catalogRefreshMs: 15_000
}
