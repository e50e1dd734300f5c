/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
export type ErrorTraceQueryVariables = Exact<{
  traceId: string | number;
  around: string;
}>;


export type ErrorTraceQuery = { trace: { traceId: string, startTime: string, durationMs: number, spanCount: number, errorCount: number, services: Array<{ service: string, spans: number, errors: number }> } | null };

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

export const ErrorTraceDocument = new TypedDocumentString(`
    query ErrorTrace($traceId: ID!, $around: Timestamp!) {
  trace(traceId: $traceId, around: $around) {
    traceId
    startTime
    durationMs
    spanCount
    errorCount
    services {
      service
      spans
      errors
    }
  }
}
    `) as unknown as TypedDocumentString<ErrorTraceQuery, ErrorTraceQueryVariables>;