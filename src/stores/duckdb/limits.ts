/** Sizes and times of the embedded engine; every one can be set, mostly so that tests can reach it. */
export interface DuckDbLimits {
  /** Bytes of one append as they come to be in a table (`storedBytes`); beyond: `payload_too_large`. One transaction must hold them. */
  readonly maxAppendBytes: number
  /** Such bytes of appends that may be on their way or queued; beyond: `overloaded`. One namespace may contain half of them. */
  readonly maxQueuedBytes: number
  /** Such bytes of appends that one transaction of the hot file takes at most. */
  readonly maxCommitBytes: number
  /** What is acknowledged waits in the journal until this many rows have gathered, ... */
  readonly applyRows: number
  /** ... or this many bytes, ... */
  readonly applyBytes: number
  /** ... or this long, unless a read requests it. */
  readonly applyAfterMs: number
  /** Acknowledged bytes that may wait in memory to be applied; beyond it requests wait unacknowledged. */
  readonly maxPendingBytes: number
  /** A journal file takes no more once it is this large; the next start reads at least the last one. */
  readonly journalFileBytes: number
  /** Room on the disk that requests must leave, so that what is acknowledged can be applied. */
  readonly minFreeBytes: number
  /** DuckDB's own bound on memory, in MiB. */
  readonly memoryLimitMiB: number
  readonly threads: number
  /** A generation of the hot tier is sealed at this many rows, ... */
  readonly sealRows: number
  /** ... this many bytes as they are in a table (`storedBytes`), ... */
  readonly sealBytes: number
  /** ... or this age. Also how long the rows of a small namespace or an old day wait for more rows. */
  readonly sealAgeMs: number
  /** A generation with at least `minSegmentRows` rows is sealed after so long without an append: free fields and ids are faster found there. */
  readonly sealIdleMs: number
  /** Rows of one namespace and day that are worth a file of their own at once. */
  readonly minSegmentRows: number
  /** Rows that may wait in the hot tier in all; beyond it the largest groups are sealed though they are small. */
  readonly maxWaitingRows: number
  /** Files with more rows than this are not merged any further. */
  readonly maxSegmentRows: number
  /** Segments of logs with so many rows get an index of their messages; fewer will soon be merged, or are read within a moment. */
  readonly gramIndexRows: number
  /** The write-ahead log is merged into the hot file after a seal once it is larger than this. */
  readonly checkpointBytes: number
  /** The hot file and its log are made smaller when they could be so much smaller, ... */
  readonly shrinkBytes: number
  /** ... and less than this was appended within `sealIdleMs`. */
  readonly quietBytes: number
  /** A hot file larger than this is rewritten at start when most of it is free. */
  readonly rebuildBytes: number
  /** Active series of one namespace. */
  readonly maxSeries: number
  /** How often the store process looks for background work: age-based seals, merges, garbage. */
  readonly upkeepIntervalMs: number
  /** How long a read waits for a store process that is being started again. */
  readonly readWaitMs: number
}

const MIB = 1024 * 1024

/** The defaults. */
export const DEFAULT_DUCKDB_LIMITS: DuckDbLimits = {
  maxAppendBytes: 128 * MIB,
  maxQueuedBytes: 64 * MIB,
  maxCommitBytes: 8 * MIB,
  applyRows: 10_000,
  applyBytes: 4 * MIB,
  applyAfterMs: 100,
  maxPendingBytes: 64 * MIB,
  journalFileBytes: 16 * MIB,
  minFreeBytes: 4 * MIB,
  memoryLimitMiB: 512,
  threads: 2,
  sealRows: 200_000,
  sealBytes: 64 * MIB,
  sealAgeMs: 600_000,
  sealIdleMs: 60_000,
  minSegmentRows: 5_000,
  maxWaitingRows: 200_000,
  maxSegmentRows: 4_000_000,
  gramIndexRows: 500_000,
  checkpointBytes: 96 * MIB,
  shrinkBytes: 16 * MIB,
  quietBytes: 4 * MIB,
  rebuildBytes: 256 * MIB,
  maxSeries: 50_000,
  upkeepIntervalMs: 5_000,
  readWaitMs: 5_000
}
