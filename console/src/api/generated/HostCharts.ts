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

export type HostChartsQueryVariables = Exact<{
  id: string | number;
  range: TimeRange;
}>;


export type HostChartsQuery = { host: { series: { grid: { start: string, stepMs: number, length: number }, series: Array<{ ref: string | null, legend: string, values: Array<number | null> }>, stats: { complete: boolean, warnings: Array<string> } } } | null };

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

export const HostChartsDocument = new TypedDocumentString(`
    query HostCharts($id: ID!, $range: TimeRange!) {
  host(id: $id) {
    series(range: $range, buckets: 120) {
      grid {
        start
        stepMs
        length
      }
      series {
        ref
        legend
        values
      }
      stats {
        complete
        warnings
      }
    }
  }
}
    `) as unknown as TypedDocumentString<HostChartsQuery, HostChartsQueryVariables>;