/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** Type of a metric. */
export type MetricKind =
  /** A cumulative value; a decrease is a reset. */
  | 'COUNTER'
  /** A value that goes up and down. */
  | 'GAUGE';

/** A window of event time. */
export type TimeRange = {
  /** Start, inclusive; before `to`. */
  from: string;
  /** End, exclusive. */
  to?: string | null | undefined;
};

export type MetricNamesQueryVariables = Exact<{
  contains?: string | null | undefined;
  range: TimeRange;
  first: number;
  after?: string | null | undefined;
}>;


export type MetricNamesQuery = { metrics: { nodes: Array<{ name: string, kind: MetricKind, unit: string | null, description: string | null }>, pageInfo: { endCursor: string | null, hasNextPage: boolean } } | null };

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

export const MetricNamesDocument = new TypedDocumentString(`
    query MetricNames($contains: String, $range: TimeRange!, $first: Int!, $after: String) {
  metrics(contains: $contains, range: $range, first: $first, after: $after) {
    nodes {
      name
      kind
      unit
      description
    }
    pageInfo {
      endCursor
      hasNextPage
    }
  }
}
    `) as unknown as TypedDocumentString<MetricNamesQuery, MetricNamesQueryVariables>;