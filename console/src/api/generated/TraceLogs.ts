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

export type TraceLogsQueryVariables = Exact<{
  traceId: string | number;
  after?: string | null | undefined;
}>;


export type TraceLogsQuery = { trace: { logs: { nodes: Array<{ id: string, timestamp: string, level: LogLevel, service: string | null, message: string, spanId: string | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null }, stats: { tookMs: number, complete: boolean, warnings: Array<string> } } } | null };

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

export const TraceLogsDocument = new TypedDocumentString(`
    query TraceLogs($traceId: ID!, $after: String) {
  trace(traceId: $traceId) {
    logs(first: 200, after: $after) {
      nodes {
        id
        timestamp
        level
        service
        message
        spanId
      }
      pageInfo {
        hasNextPage
        endCursor
      }
      stats {
        tookMs
        complete
        warnings
      }
    }
  }
}
    `) as unknown as TypedDocumentString<TraceLogsQuery, TraceLogsQueryVariables>;