/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** Triage state of an error group. */
export type ExceptionState =
  /** Marked as not actionable. */
  | 'IGNORED'
  /** New, or reopened. */
  | 'OPEN'
  /** An error occurred after the group was marked as fixed. */
  | 'REGRESSED'
  /** Marked as fixed, without later errors. */
  | 'RESOLVED';

export type ErrorGroupQueryVariables = Exact<{
  id: string | number;
}>;


export type ErrorGroupQuery = { exception: { id: string, service: string, type: string, message: string, culprit: string | null, count: number, firstSeen: string, lastSeen: string, state: ExceptionState, histogram: { grid: { start: string, stepMs: number, length: number }, series: Array<{ counts: Array<number> }> }, latest: Array<{ id: string, timestamp: string, message: string, stacktrace: string | null, tags: Record<string, unknown>, traceId: string | null, spanId: string | null }> } | null };

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

export const ErrorGroupDocument = new TypedDocumentString(`
    query ErrorGroup($id: ID!) {
  exception(id: $id) {
    id
    service
    type
    message
    culprit
    count
    firstSeen
    lastSeen
    state
    histogram(buckets: 500) {
      grid {
        start
        stepMs
        length
      }
      series {
        counts
      }
    }
    latest(first: 10) {
      id
      timestamp
      message
      stacktrace
      tags
      traceId
      spanId
    }
  }
}
    `) as unknown as TypedDocumentString<ErrorGroupQuery, ErrorGroupQueryVariables>;