/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** Outcome of the comparison of metric series. */
export type CorrelationVerdict =
  /** At least one series changed significantly. */
  | 'MOVED'
  /** No series changed significantly. */
  | 'NOTHING_MOVED'
  /** No series has enough points: 8 in the baseline and 3 in the window. */
  | 'NOTHING_TO_TEST';

/** A kind of telemetry. */
export type Signal =
  /** Application errors. */
  | 'ERRORS'
  /** Log records. */
  | 'LOGS'
  /** Metric samples. */
  | 'METRICS'
  /** Page views of browsers (real user monitoring). */
  | 'RUM'
  /** Spans of traces. */
  | 'SPANS';

export type LogRelatedQueryVariables = Exact<{
  id: string;
}>;


export type LogRelatedQuery = { correlate: { verdict: CorrelationVerdict, tested: number, window: { from: string, to: string }, missing: Array<{ signal: Signal, detail: string }>, metrics: Array<{ reason: string, effect: number, series: { legend: string, metric: string | null, values: Array<number | null>, labels: Array<{ name: string, value: string }> } }>, exceptions: Array<{ id: string, type: string, message: string, count: number }>, stats: { complete: boolean, warnings: Array<string> } } | null };

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

export const LogRelatedDocument = new TypedDocumentString(`
    query LogRelated($id: String!) {
  correlate(input: {logId: $id}) {
    verdict
    tested
    window {
      from
      to
    }
    missing {
      signal
      detail
    }
    metrics(limit: 6) {
      reason
      effect
      series {
        legend
        metric
        labels {
          name
          value
        }
        values
      }
    }
    exceptions(first: 3) {
      id
      type
      message
      count
    }
    stats {
      complete
      warnings
    }
  }
}
    `) as unknown as TypedDocumentString<LogRelatedQuery, LogRelatedQueryVariables>;