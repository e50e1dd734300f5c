/** Bounds of results about traces: the engine joins nothing, so the spans are read. Beyond a bound the result is marked so. */
export interface TraceLimits {
  /** Matching spans that are looked at for the newest traces. */
  readonly maxScanned: number
  /** Matching traces that are compared when all of them must be, and that are counted. */
  readonly maxTraces: number
  /** Spans out of which the summaries of compared traces are made. */
  readonly maxCompared: number
  /** Spans of a service map. */
  readonly maxJoined: number
  /** Bytes of the strings of one trace, exceeded by one response at most. */
  readonly maxTraceBytes: number
}

/** Bounds of the search store's client; every one can be set for tests. */
export interface ElasticsearchLimits {
  /** Bulks in flight at once. */
  readonly bulkSlots: number
  /** Bytes of one bulk; halved whenever the engine refuses a whole one. */
  readonly bulkBytes: number
  /** Below this the size of a bulk is not halved further. */
  readonly minBulkBytes: number
  /** Bytes of documents that wait or are in flight; beyond it appends are refused. */
  readonly queueBytes: number
  readonly bulkTimeoutMs: number
  readonly readTimeoutMs: number
  /** Bytes of the response of one search; a page of larger records is read in parts. */
  readonly readBytes: number
  /** Searches in flight at once to one node; more wait. */
  readonly readSockets: number
  readonly refreshSeconds: number
  readonly replicas: number | 'auto'
  /** How often indices are looked at, to roll those that are large or old. */
  readonly upkeepIntervalMs: number
  /** An index of so many bytes is rolled. */
  readonly rollBytes: number
  /** An index of this age is rolled when it has `rollAgedBytes`. */
  readonly rollAgeMs: number
  readonly rollAgedBytes: number
  /** An index of this age is rolled if it has anything. */
  readonly rollOldMs: number
  /** How far ahead a new generation begins: longer than any gateway takes to know of it. */
  readonly rollAheadMs: number
  readonly traces: TraceLimits
}

const MIB = 1024 * 1024
const GIB = 1024 * MIB
const DAY_MS = 86_400_000

/** Limits of the adapter unless settings change them. */
export const DEFAULT_LIMITS: ElasticsearchLimits = {
  bulkSlots: 3,
  bulkBytes: 5 * MIB,
  minBulkBytes: 256 * 1024,
  queueBytes: 64 * MIB,
  bulkTimeoutMs: 60_000,
  readTimeoutMs: 30_000,
  readBytes: 64 * MIB,
  readSockets: 16,
  refreshSeconds: 2,
  replicas: 'auto',
  upkeepIntervalMs: 300_000,
  rollBytes: 20 * GIB,
  rollAgeMs: DAY_MS,
  rollAgedBytes: 2 * GIB,
  rollOldMs: 30 * DAY_MS,
  rollAheadMs: 60_000,
  traces: { maxScanned: 100_000, maxTraces: 10_000, maxCompared: 300_000, maxJoined: 200_000, maxTraceBytes: 64 * MIB }
}
