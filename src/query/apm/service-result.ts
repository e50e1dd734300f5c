import type { SpanKind } from '../../domain/span.js'
import type { ResultFacts, Grid, WindowBounds } from '../result.js'
import type { FieldCondition, OneOrMany } from '../conditions.js'
import type { LatencySeries } from './latency-series.js'

/** Requests, errors and durations. Durations are null without requests. */
export interface Red {
  readonly calls: number
  /** Over the part of the window that the retention lets a reader see. */
  readonly ratePerSecond: number
  readonly errors: number
  /** Errors over calls; 0 without calls. */
  readonly errorRate: number
  readonly p50Ms: number | null
  readonly p90Ms: number | null
  readonly p95Ms: number | null
  readonly p99Ms: number | null
}

/**
 * Which spans count as a service's requests: those of kind `server` and `consumer`; for a service that has neither, those
 * without a parent (a batch job, a browser); `none` for a service that has none of these.
 */
export type RequestRule = 'server_consumer' | 'root' | 'none'

/** `active`: a span in the last 5 minutes; `stale`: in the last 24 hours; `gone`: none. Conventions 9. */
export type ServiceState = 'active' | 'stale' | 'gone'

/** Against the window of the same length before. Ratios are null when the window before had nothing to compare with. */
export interface Change {
  readonly calls: number | null
  /** Difference of the error rates. */
  readonly errorRate: number | null
  readonly p95: number | null
}

/** A service with its figures. */
export interface ServiceSummary {
  readonly name: string
  readonly red: Red
  readonly requests: RequestRule
  /** Application Performance Index: satisfied plus half of the tolerating over all; an error is never satisfied. Null without calls. */
  readonly apdex: number | null
  /** Spans of any kind. */
  readonly spans: number
  readonly lastSeenNs: bigint
  readonly state: ServiceState
  /** `telemetry.sdk.language` and `service.version` of its newest spans, if they state them. */
  readonly language: string | null
  readonly version: string | null
  /** On the grid of the result; null if not requested. */
  readonly trend: { readonly calls: readonly number[]; readonly errors: readonly number[] } | null
  /** On the same grid; null if not requested. */
  readonly latency: LatencySeries | null
  readonly change: Change | null
}

/** An operation of a service with its figures. */
export interface Operation {
  readonly name: string
  readonly kind: SpanKind
  readonly red: Red
}

/** A value of a resource attribute of the service, most spans first. */
export interface ServiceFact {
  readonly value: string
  readonly spans: number
  readonly lastSeenNs: bigint
}

/** Figures by which services and operations are ordered. */
export type ServiceOrder = 'name' | 'rate' | 'error_rate' | 'p95' | 'p99'

/** Which services are requested. */
export interface ServicesQuery extends WindowBounds {
  readonly service?: OneOrMany | undefined
  /** Case-insensitive. */
  readonly contains?: string | undefined
  readonly filters?: readonly FieldCondition[] | undefined
  /** Search language of spans. */
  readonly query?: string | undefined
  /** Threshold of apdex in milliseconds; default 500. Up to four times as long is tolerated. */
  readonly apdexMs?: number | undefined
  /** Points of the trend; 0 for none. Default 30. */
  readonly buckets?: number | undefined
  /** Default true. */
  readonly compare?: boolean | undefined
  /** Percentiles over time, too; default false. */
  readonly latency?: boolean | undefined
  readonly order?: ServiceOrder | undefined
  readonly limit?: number | undefined
}

/** Services of a window. */
export interface ServicesResult extends ResultFacts {
  readonly services: readonly ServiceSummary[]
  readonly hasMore: boolean
  /** Services of the window, listed or not. */
  readonly total: number
  readonly limit: number
  readonly grid: Grid | null
  readonly apdexMs: number
}

/** What of one service is requested. */
export interface ServiceQuery extends Pick<ServicesQuery, 'start' | 'end' | 'apdexMs' | 'buckets' | 'compare'> {
  /** Operations in the result; default 50. */
  readonly operations?: number | undefined
  /** What of them comes first; default `rate`. */
  readonly order?: ServiceOrder | undefined
}

/** One service with its operations and facts. */
export interface ServiceResult extends ResultFacts {
  readonly service: ServiceSummary
  readonly grid: Grid | null
  readonly apdexMs: number
  readonly operations: readonly Operation[]
  readonly versions: readonly ServiceFact[]
  readonly languages: readonly ServiceFact[]
  readonly hosts: readonly ServiceFact[]
}
