/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** Outcome of a span (OpenTelemetry `StatusCode`). */
export type SpanStatus =
  /** The operation failed. */
  | 'ERROR'
  /** The application marked the operation as successful. */
  | 'OK'
  /** The instrumentation recorded no outcome. */
  | 'UNSET';

export type LogWithTraceQueryVariables = Exact<{
  id: string | number;
}>;


export type LogWithTraceQuery = { log: { id: string, trace: { traceId: string, startTime: string, durationMs: number, spanCount: number, errorCount: number } | null, span: { spanId: string, service: string, operation: string, status: SpanStatus, startTime: string, startOffsetMs: number, durationMs: number } | null } | null };

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

export const LogWithTraceDocument = new TypedDocumentString(`
    query LogWithTrace($id: ID!) {
  log(id: $id) {
    id
    trace {
      traceId
      startTime
      durationMs
      spanCount
      errorCount
    }
    span {
      spanId
      service
      operation
      status
      startTime
      startOffsetMs
      durationMs
    }
  }
}
    `) as unknown as TypedDocumentString<LogWithTraceQuery, LogWithTraceQueryVariables>;