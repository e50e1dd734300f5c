/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** What cut a result. */
export type CutKind =
  /** A limit on rows, groups or series. */
  | 'CAP'
  /** Lines of a log stream did not arrive, or were rejected. */
  | 'GAP'
  /** The window begins before the retention of the namespace. */
  | 'RETENTION'
  /** The store looked at a part of the records, or searches approximately. */
  | 'SAMPLE'
  /** Records wait on disk for a store that does not respond. */
  | 'SPOOLED'
  /** The store lost records or cannot read them. */
  | 'STORE';

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

export type ErrorGroupsQueryVariables = Exact<{
  range: TimeRange;
  query?: string | null | undefined;
  services?: Array<string> | string | null | undefined;
  states?: Array<ExceptionState> | ExceptionState | null | undefined;
  after?: string | null | undefined;
}>;


export type ErrorGroupsQuery = { exceptionGroups: { nodes: Array<{ id: string, service: string, type: string, message: string, culprit: string | null, count: number, firstSeen: string, lastSeen: string, state: ExceptionState, histogram: { series: Array<{ counts: Array<number> }> } }>, total: { value: number, exact: boolean }, pageInfo: { hasNextPage: boolean, endCursor: string | null }, stats: { tookMs: number, complete: boolean, warnings: Array<string>, newestAt: string | null, cuts: Array<{ kind: CutKind, detail: string, remedy: string, window: { from: string, to: string } | null }> } } | null };

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

export const ErrorGroupsDocument = new TypedDocumentString(`
    query ErrorGroups($range: TimeRange!, $query: String, $services: [String!], $states: [ExceptionState!], $after: String) {
  exceptionGroups(
    range: $range
    query: $query
    services: $services
    states: $states
    first: 60
    after: $after
  ) {
    nodes {
      id
      service
      type
      message
      culprit
      count
      firstSeen
      lastSeen
      state
      histogram(buckets: 30) {
        series {
          counts
        }
      }
    }
    total {
      value
      exact
    }
    pageInfo {
      hasNextPage
      endCursor
    }
    stats {
      tookMs
      complete
      warnings
      newestAt
      cuts {
        kind
        detail
        remedy
        window {
          from
          to
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<ErrorGroupsQuery, ErrorGroupsQueryVariables>;