/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** State of an alert, and of a rule: the gravest of its alerts. */
export type AlertState =
  /** Three evaluations in a row failed. */
  | 'ERROR'
  /** The condition is met long enough. */
  | 'FIRING'
  /** The condition is not met. */
  | 'INACTIVE'
  /** The condition has no data. */
  | 'NODATA'
  /** The condition is met, but not long enough. */
  | 'PENDING'
  /** It was firing within the last 15 minutes. */
  | 'RESOLVED'
  /** Not evaluated yet, or more than an hour of evaluations was skipped. */
  | 'UNKNOWN';

/** A window of event time. */
export type TimeRange = {
  /** Start, inclusive; before `to`. */
  from: string;
  /** End, exclusive. */
  to?: string | null | undefined;
};

export type AlertHistoryQueryVariables = Exact<{
  range: TimeRange;
  after?: string | null | undefined;
}>;


export type AlertHistoryQuery = { alertEvents: { nodes: Array<{ id: string, at: string, from: AlertState, to: AlertState, late: boolean, value: number | null, labels: Array<{ name: string, value: string }>, rule: { id: string, alert: string | null } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

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

export const AlertHistoryDocument = new TypedDocumentString(`
    query AlertHistory($range: TimeRange!, $after: String) {
  alertEvents(range: $range, first: 100, after: $after) {
    nodes {
      id
      at
      from
      to
      late
      value
      labels {
        name
        value
      }
      rule {
        id
        alert
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    `) as unknown as TypedDocumentString<AlertHistoryQuery, AlertHistoryQueryVariables>;