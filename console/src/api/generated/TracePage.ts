/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
export type TracePageQueryVariables = Exact<{
  traceId: string | number;
}>;


export type TracePageQuery = { trace: { traceId: string, startTime: string, durationMs: number, spanCount: number, errorCount: number, hasMissingSpans: boolean, truncated: boolean, logCount: number, unlinkedLogCount: number, warnings: Array<string>, services: Array<{ service: string, spans: number, errors: number, selfTimeMs: number, criticalMs: number }>, outline: { serviceNames: Array<string>, operationNames: Array<string>, spanIds: Array<string>, parents: Array<number | null>, starts: Array<number>, durations: Array<number>, selfTimes: Array<number | null>, services: Array<number>, operations: Array<number>, flags: Array<number>, logCounts: Array<number> } } | null };

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

export const TracePageDocument = new TypedDocumentString(`
    query TracePage($traceId: ID!) {
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
    warnings
    services {
      service
      spans
      errors
      selfTimeMs
      criticalMs
    }
    outline {
      serviceNames
      operationNames
      spanIds
      parents
      starts
      durations
      selfTimes
      services
      operations
      flags
      logCounts
    }
  }
}
    `) as unknown as TypedDocumentString<TracePageQuery, TracePageQueryVariables>;