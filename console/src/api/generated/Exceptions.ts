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

/** A window of event time. */
export type TimeRange = {
  /** Start, inclusive; before `to`. */
  from: string;
  /** End, exclusive. */
  to?: string | null | undefined;
};

export type ExceptionsQueryVariables = Exact<{
  range: TimeRange;
  services?: Array<string> | string | null | undefined;
}>;


export type ExceptionsQuery = { exceptions: Array<{ id: string, service: string, type: string, message: string, count: number, firstSeen: string, lastSeen: string, state: ExceptionState, histogram: { grid: { start: string, stepMs: number, length: number }, series: Array<{ counts: Array<number> }> } }> | null };

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

export const ExceptionsDocument = new TypedDocumentString(`
    query Exceptions($range: TimeRange!, $services: [String!]) {
  exceptions(range: $range, services: $services) {
    id
    service
    type
    message
    count
    firstSeen
    lastSeen
    state
    histogram {
      grid {
        start
        stepMs
        length
      }
      series {
        counts
      }
    }
  }
}
    `) as unknown as TypedDocumentString<ExceptionsQuery, ExceptionsQueryVariables>;