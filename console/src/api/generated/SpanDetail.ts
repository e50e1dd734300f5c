/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** Severity range of the OpenTelemetry logs data model. */
export type LogLevel =
  /** Severity numbers 5 to 8. */
  | 'DEBUG'
  /** Severity numbers 17 to 20. */
  | 'ERROR'
  /** Severity numbers 21 to 24. */
  | 'FATAL'
  /** Severity numbers 9 to 12. */
  | 'INFO'
  /** Severity numbers 1 to 4. */
  | 'TRACE'
  /** No level, or an unrecognized one. */
  | 'UNKNOWN'
  /** Severity numbers 13 to 16. */
  | 'WARN';

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

export type SpanDetailQueryVariables = Exact<{
  traceId: string | number;
  spanId: string | number;
}>;


export type SpanDetailQuery = { span: { spanId: string, traceId: string, parentSpanId: string | null, service: string, host: string | null, operation: string, kind: SpanKind, status: SpanStatus, statusMessage: string | null, startTime: string, startOffsetMs: number, durationMs: number, attributes: Record<string, unknown>, resource: Record<string, unknown>, scope: string | null, logCount: number, events: Array<{ name: string, timestamp: string, attributes: Record<string, unknown> }>, links: Array<{ traceId: string, spanId: string, attributes: Record<string, unknown> }>, exceptions: Array<{ type: string | null, message: string | null, stacktrace: string | null, timestamp: string }>, logs: { nodes: Array<{ id: string, timestamp: string, level: LogLevel, message: string }> } } | null };

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

export const SpanDetailDocument = new TypedDocumentString(`
    query SpanDetail($traceId: ID!, $spanId: ID!) {
  span(traceId: $traceId, spanId: $spanId) {
    spanId
    traceId
    parentSpanId
    service
    host
    operation
    kind
    status
    statusMessage
    startTime
    startOffsetMs
    durationMs
    attributes
    resource
    scope
    logCount
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
    logs(first: 20) {
      nodes {
        id
        timestamp
        level
        message
      }
    }
  }
}
    `) as unknown as TypedDocumentString<SpanDetailQuery, SpanDetailQueryVariables>;