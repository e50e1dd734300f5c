/** Bounds of every read, from the configuration; the defaults are in "Limits" of docs/conventions.md. */
export interface QuerySettings {
  /** The limit of the body of a query or a mutation, in bytes: far above any real one. */
  readonly maxBodyBytes: number
  readonly defaultRows: number
  readonly maxRows: number
  /** Traces of a page. */
  readonly defaultTraces: number
  readonly maxTraces: number
  /** A page ends, with a cursor, once its rows are this many bytes of JSON. */
  readonly maxPageBytes: number
  /** Rows that one request reads for all of its pages, in bytes of JSON. */
  readonly maxRequestBytes: number
  readonly timeoutMs: number
  /** Points of one series. */
  readonly maxPoints: number
  /** Series and samples that one metric query may read. */
  readonly maxSeries: number
  readonly maxSamples: number
  /** Longer ranges of metrics are read only where the query looks. */
  readonly wholeReadMs: number
  /** Characters of a PromQL query, values that all of its nodes compute together, and bytes of its result. */
  readonly maxQueryChars: number
  /** Whether PromQL has what Prometheus calls experimental. */
  readonly allowsExperimental: boolean
  readonly maxValues: number
  readonly maxResultBytes: number
  readonly runningPerPrincipal: number
  readonly queriesPerSecond: number
}

/** One request reads at most so many pages of the largest size. */
export const PAGES_OF_REQUEST = 4

const PAGE_BYTES = 16 * 1024 * 1024

/** Limits of queries unless settings change them. */
export const DEFAULT_QUERY_SETTINGS: QuerySettings = {
  maxBodyBytes: 256 * 1024,
  defaultRows: 100,
  maxRows: 5_000,
  defaultTraces: 20,
  maxTraces: 200,
  maxPageBytes: PAGE_BYTES,
  maxRequestBytes: PAGES_OF_REQUEST * PAGE_BYTES,
  timeoutMs: 30_000,
  maxPoints: 11_000,
  maxSeries: 10_000,
  maxSamples: 5_000_000,
  wholeReadMs: 2 * 86_400_000,
  maxQueryChars: 20_000,
  allowsExperimental: true,
  maxValues: 50_000_000,
  maxResultBytes: 256 * 1024 * 1024,
  runningPerPrincipal: 8,
  queriesPerSecond: 50
}
