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

/** A window of event time. */
export type TimeRange = {
  /** Start, inclusive; before `to`. */
  from: string;
  /** End, exclusive. */
  to?: string | null | undefined;
};

export type PromqlChartQueryVariables = Exact<{
  query: string;
  range: TimeRange;
  step?: string | null | undefined;
  maxPoints: number;
}>;


export type PromqlChartQuery = { promql:
    | { __typename: 'PromMatrix', grid: { start: string, stepMs: number, length: number }, series: Array<{ legend: string, metric: string | null, min: number | null, max: number | null, avg: number | null, last: number | null, values: Array<number | null> }>, stats: { complete: boolean, warnings: Array<string>, tookMs: number, cuts: Array<{ kind: CutKind, detail: string, remedy: string, window: { from: string, to: string } | null }> } }
    | { __typename: 'PromScalar' }
    | { __typename: 'PromVector' }
   | null };

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

export const PromqlChartDocument = new TypedDocumentString(`
    query PromqlChart($query: String!, $range: TimeRange!, $step: Duration, $maxPoints: Int!) {
  promql(query: $query, range: $range, step: $step, maxPoints: $maxPoints) {
    __typename
    ... on PromMatrix {
      grid {
        start
        stepMs
        length
      }
      series {
        legend
        metric
        min
        max
        avg
        last
        values
      }
      stats {
        complete
        warnings
        tookMs
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
}
    `) as unknown as TypedDocumentString<PromqlChartQuery, PromqlChartQueryVariables>;