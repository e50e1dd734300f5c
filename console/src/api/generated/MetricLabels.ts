/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** A window of event time. */
export type TimeRange = {
  /** Start, inclusive; before `to`. */
  from: string;
  /** End, exclusive. */
  to?: string | null | undefined;
};

export type MetricLabelsQueryVariables = Exact<{
  metric: string;
  range: TimeRange;
}>;


export type MetricLabelsQuery = { metricLabels: Array<{ name: string, cardinality: number, values: Array<string> }> | null };

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

export const MetricLabelsDocument = new TypedDocumentString(`
    query MetricLabels($metric: String!, $range: TimeRange!) {
  metricLabels(metric: $metric, range: $range) {
    name
    cardinality
    values(limit: 200)
  }
}
    `) as unknown as TypedDocumentString<MetricLabelsQuery, MetricLabelsQueryVariables>;