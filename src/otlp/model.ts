import type { JsonObject, JsonValue } from '../domain/json.js'

// The data model of OTLP (opentelemetry-proto 1.11), independent of its encoding. Ids are hex in lower case, empty when not sent.

/** The body does not match its content type; nothing of it can be stored. */
export class MalformedOtlp extends Error {}

/** What all records of a resource share; decoded once, never copied per record. */
export interface OtlpResource {
  readonly attributes: JsonObject
  readonly schemaUrl: string
}

/** The instrumentation that made the records, within one resource. One object for all records of a scope. */
export interface OtlpScope {
  readonly resource: OtlpResource
  readonly name: string
  readonly version: string
  readonly attributes: JsonObject
}

/** One `LogRecord`. Times are Unix nanoseconds, 0 when not sent. */
export interface OtlpLog {
  readonly scope: OtlpScope
  readonly timeNs: bigint
  readonly observedTimeNs: bigint
  readonly severityNumber: number
  readonly severityText: string
  /** Null when not sent. */
  readonly body: JsonValue
  readonly attributes: JsonObject
  readonly traceId: string
  readonly spanId: string
  /** Low 8 bits W3C trace flags (bit 0: sampled); null when not sent. */
  readonly flags: number | null
  readonly eventName: string
}

/** How the values of a sum or histogram relate to time: enum `AggregationTemporality`. */
export const DELTA = 1
export const CUMULATIVE = 2

/** What the data points of a metric have in common. */
export interface OtlpMetric {
  readonly scope: OtlpScope
  readonly name: string
  readonly description: string
  readonly unit: string
}

/** One `Exemplar`. */
export interface OtlpExemplar {
  /** Attributes that the aggregation left out. */
  readonly attributes: JsonObject
  readonly timeNs: bigint
  readonly value: number
  readonly traceId: string
  readonly spanId: string
}

interface DataPoint {
  readonly metric: OtlpMetric
  readonly attributes: JsonObject
  readonly startTimeNs: bigint
  readonly timeNs: bigint
  /** Bit 0: no recorded value, a gap in the series. */
  readonly flags: number
  /** Absent without exemplars. */
  readonly exemplars?: readonly OtlpExemplar[]
}

/** A point of a gauge (`temporality` 0) or a sum. */
export interface OtlpNumberPoint extends DataPoint {
  readonly kind: 'gauge' | 'sum'
  readonly temporality: number
  readonly isMonotonic: boolean
  readonly value: number
}

/** A point of a histogram with explicit bounds. */
export interface OtlpHistogramPoint extends DataPoint {
  readonly kind: 'histogram'
  readonly temporality: number
  readonly count: number
  /** Null when not sent. */
  readonly sum: number | null
  /** One more than bounds, or none. */
  readonly bucketCounts: readonly number[]
  readonly bounds: readonly number[]
}

/** Buckets of an exponential histogram: counts of those from `offset` on. */
export interface ExponentialBuckets {
  readonly offset: number
  readonly counts: readonly number[]
}

/** A point of an exponential histogram. */
export interface OtlpExponentialPoint extends DataPoint {
  readonly kind: 'exponential'
  readonly temporality: number
  readonly count: number
  readonly sum: number | null
  readonly scale: number
  readonly zeroCount: number
  readonly zeroThreshold: number
  readonly positive: ExponentialBuckets
  readonly negative: ExponentialBuckets
}

/** A point of a summary. */
export interface OtlpSummaryPoint extends DataPoint {
  readonly kind: 'summary'
  readonly count: number
  readonly sum: number
  readonly quantiles: readonly { readonly quantile: number; readonly value: number }[]
}

/** One data point of any kind of metric. */
export type OtlpPoint = OtlpNumberPoint | OtlpHistogramPoint | OtlpExponentialPoint | OtlpSummaryPoint

/** A record of any signal. */
export type OtlpRecord = OtlpLog | OtlpPoint | OtlpSpan

/** One `Span.Event`. */
export interface OtlpSpanEvent {
  readonly timeNs: bigint
  readonly name: string
  readonly attributes: JsonObject
}

/** One `Span.Link`. */
export interface OtlpSpanLink {
  readonly traceId: string
  readonly spanId: string
  readonly traceState: string
  readonly attributes: JsonObject
}

/** One `Span`. Times are Unix nanoseconds, 0 when not sent. */
export interface OtlpSpan {
  readonly scope: OtlpScope
  readonly traceId: string
  readonly spanId: string
  /** Empty for a root. */
  readonly parentSpanId: string
  readonly traceState: string
  readonly flags: number
  readonly name: string
  /** Enum `SpanKind`, 0-5; a greater one is one that this version does not know. */
  readonly kind: number
  readonly startTimeNs: bigint
  readonly endTimeNs: bigint
  readonly attributes: JsonObject
  readonly droppedAttributes: number
  readonly events: readonly OtlpSpanEvent[]
  readonly droppedEvents: number
  readonly links: readonly OtlpSpanLink[]
  readonly droppedLinks: number
  /** Enum `Status.StatusCode`, 0-2. */
  readonly statusCode: number
  readonly statusMessage: string
}
