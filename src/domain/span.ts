import type { RecordId } from './ids.js'
import type { JsonObject } from './json.js'

/** OpenTelemetry's SpanKind, in its numeric order (0 unspecified ... 5 consumer). */
export const SPAN_KINDS = ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer'] as const
/** One of `SPAN_KINDS`. */
export type SpanKind = (typeof SPAN_KINDS)[number]

/** OpenTelemetry's status codes, in their numeric order. */
export const SPAN_STATUSES = ['unset', 'ok', 'error'] as const
/** One of `SPAN_STATUSES`. */
export type SpanStatus = (typeof SPAN_STATUSES)[number]

/** Something that happened during a span, e.g. an `exception`. */
export interface SpanEvent {
  readonly name: string
  /** Unix nanoseconds. */
  readonly timestampNs: bigint
  readonly attributes: JsonObject
}

/** A causal relation to a span of this or another trace. */
export interface SpanLink {
  /** 32 hex digits in lower case. */
  readonly traceId: string
  /** 16 hex digits in lower case. */
  readonly spanId: string
  readonly traceState: string
  readonly attributes: JsonObject
}

/** One operation of a distributed trace, checked and normalized (opentelemetry-proto 1.11, `Span`). */
export interface Span {
  /** Position in its request; with the ingest id it makes the record id. */
  readonly index: number
  /** 32 hex digits in lower case, not all zero. */
  readonly traceId: string
  /** 16 hex digits in lower case, not all zero. */
  readonly spanId: string
  /** Null for a root span. */
  readonly parentSpanId: string | null
  /** W3C trace state, empty when not sent. */
  readonly traceState: string
  /** Start time, Unix nanoseconds. */
  readonly timestampNs: bigint
  /** End minus start in nanoseconds; 0 for a span that ended before it began. */
  readonly durationNs: bigint
  /** The operation's name. */
  readonly name: string
  readonly kind: SpanKind
  readonly status: SpanStatus
  readonly statusMessage: string | null
  /** Resource attribute `service.name`. */
  readonly service: string | null
  /** Resource attribute `host.name`. */
  readonly host: string | null
  /** Instrumentation scope; empty when not sent. */
  readonly scopeName: string
  readonly scopeVersion: string
  /** Low 8 bits W3C trace flags (bit 0: sampled). */
  readonly flags: number
  /** Attributes as sent. Adapters flatten them for search (`domain/flatten`). */
  readonly attributes: JsonObject
  /** Attributes of the resource, and of the scope under `otel.scope.*`: searched as `tags` are. */
  readonly resource: JsonObject
  readonly events: readonly SpanEvent[]
  readonly links: readonly SpanLink[]
  /** What the sender dropped before sending: attributes, events, links. */
  readonly dropped: { readonly attributes: number; readonly events: number; readonly links: number }
}

/** A span as a store gives it back. */
export interface StoredSpan extends Omit<Span, 'index'> {
  readonly id: RecordId
  /** Unix milliseconds at which it was received (the time in its ingest id). */
  readonly ingestedAtMs: number
}

/** Spans and errors that a service has in a trace. */
export interface ServiceSpans {
  /** Null: spans without `service.name`. */
  readonly service: string | null
  readonly spans: number
  readonly errors: number
}

/**
 * A trace in a list. Everything is counted over all stored spans of the trace, not only over those that matched. A span that was
 * sent twice counts once, in its latest version; only start and duration cover all copies.
 */
export interface TraceSummary {
  readonly traceId: string
  /** Earliest start of its spans, Unix nanoseconds. */
  readonly startNs: bigint
  /** Latest end minus earliest start, nanoseconds. */
  readonly durationNs: bigint
  /** Of the earliest span without a parent; without such one, of the earliest span whose parent is not stored. */
  readonly rootService: string | null
  readonly rootOperation: string | null
  readonly spanCount: number
  readonly errorSpanCount: number
  /** By number of spans, most first (ties by name). */
  readonly services: readonly ServiceSpans[]
  /** A span names a parent that is not stored, or there is no root. */
  readonly hasMissingSpans: boolean
}
