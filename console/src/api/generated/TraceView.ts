/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** Role of a span in a call (OpenTelemetry `SpanKind`). */
export type SpanKind =
  /** Sends a synchronous request. */
  | 'CLIENT'
  /** Processes a message. */
  | 'CONSUMER'
  /** Operation inside the service. */
  | 'INTERNAL'
  /** Sends a message. */
  | 'PRODUCER'
  /** Handles a synchronous request. */
  | 'SERVER'
  /** The sender set no kind. */
  | 'UNSPECIFIED';

/** Outcome of a span (OpenTelemetry `StatusCode`). */
export type SpanStatus =
  /** The operation failed. */
  | 'ERROR'
  /** The application marked the operation as successful. */
  | 'OK'
  /** The instrumentation recorded no outcome. */
  | 'UNSET';

export type TraceViewQueryVariables = Exact<{
  traceId: string | number;
  limit?: number | null | undefined;
}>;


export type TraceViewQuery = { trace: { traceId: string, startTime: string, durationMs: number, spanCount: number, errorCount: number, hasMissingSpans: boolean, truncated: boolean, logCount: number, unlinkedLogCount: number, rootSpan: { spanId: string, service: string, operation: string } | null, services: Array<{ service: string, spans: number, errors: number, selfTimeMs: number, criticalMs: number }>, criticalPath: Array<{ spanId: string, startOffsetMs: number, durationMs: number }>, spans: Array<{ spanId: string, parentSpanId: string | null, depth: number | null, service: string, host: string | null, operation: string, kind: SpanKind, status: SpanStatus, statusMessage: string | null, startTime: string, startOffsetMs: number, durationMs: number, selfTimeMs: number | null, logCount: number, attributes: Record<string, unknown>, resource: Record<string, unknown>, scope: string | null, events: Array<{ name: string, timestamp: string, attributes: Record<string, unknown> }>, links: Array<{ traceId: string, spanId: string, attributes: Record<string, unknown> }>, exceptions: Array<{ type: string | null, message: string | null, stacktrace: string | null, timestamp: string }> }> } | null };

export class TypedDocumentString<TResult, TVariables>
  extends String
  implements DocumentTypeDecoration<TResult, TVariables>
{
  __apiType?: NonNullable<DocumentTypeDecoration<TResult, TVariables>['__apiType']>;
  private value: string;
  public __meta__?: Record<string, any> | undefined;

  constructor(value: string, __meta__?: Record<string, any> | undefined) {
    super(value);
    this.value = value;
    this.__meta__ = __meta__;
  }

  override toString(): string & DocumentTypeDecoration<TResult, TVariables> {
    return this.value;
  }
}

export const TraceViewDocument = new TypedDocumentString(`
    query TraceView($traceId: ID!, $limit: Int = 1000) {
  trace(traceId: $traceId) {
    traceId
    startTime
    durationMs
    spanCount
    errorCount
    hasMissingSpans
    truncated
    logCount
    unlinkedLogCount
    rootSpan {
      spanId
      service
      operation
    }
    services {
      service
      spans
      errors
      selfTimeMs
      criticalMs
    }
    criticalPath {
      spanId
      startOffsetMs
      durationMs
    }
    spans(limit: $limit) {
      spanId
      parentSpanId
      depth
      service
      host
      operation
      kind
      status
      statusMessage
      startTime
      startOffsetMs
      durationMs
      selfTimeMs
      logCount
      attributes
      resource
      scope
      events {
        name
        timestamp
        attributes
      }
      links {
        traceId
        spanId
        attributes
      }
      exceptions {
        type
        message
        stacktrace
        timestamp
      }
    }
  }
}
    `) as unknown as TypedDocumentString<TraceViewQuery, TraceViewQueryVariables>;