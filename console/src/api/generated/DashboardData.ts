/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** Comparison of a label, as in PromQL selectors. */
export type LabelMatchOp =
  /** `=`, equal. */
  | 'EQ'
  /** `!=`, not equal. */
  | 'NEQ'
  /** `!~`, the whole value does not match. */
  | 'NOT_REGEX'
  /** `=~`, the whole value matches. */
  | 'REGEX';

/** A condition on a label. An absent label is the empty string. */
export type LabelMatcher = {
  /** Label name as in PromQL. */
  name: string;
  /** Comparison operator. */
  op?: LabelMatchOp;
  /** Value, or regular expression (RE2) that must match the whole value. */
  value: string;
};

/** Reduces the samples of all series of a group in one step to one value. */
export type MetricAggregation =
  /** Arithmetic mean. */
  | 'AVG'
  /** Number of samples. */
  | 'COUNT'
  /** PromQL `increase()` of each series, then summed. */
  | 'INCREASE'
  /** Latest sample. */
  | 'LAST'
  /** Largest sample. */
  | 'MAX'
  /** Smallest sample. */
  | 'MIN'
  /** Median of the samples. */
  | 'P50'
  /** 90th percentile of the samples. */
  | 'P90'
  /** 95th percentile of the samples. */
  | 'P95'
  /** 99th percentile of the samples. */
  | 'P99'
  /** PromQL `rate()` of each series in units per second, then summed. */
  | 'RATE'
  /** Total of the samples. */
  | 'SUM';

/** Selects and aggregates the series of one metric, without PromQL. */
export type MetricQuery = {
  /** Function that reduces the samples of a step to one value. */
  aggregation?: MetricAggregation;
  /** Labels to group by. Absent: one series per stored series; empty: one series in total. */
  by?: Array<string> | null | undefined;
  /** Maximum number of series, 1 to 1,000. */
  limit?: number | null | undefined;
  /** Label conditions, at most 32. All must match. */
  match?: Array<LabelMatcher> | null | undefined;
  /** Metric name as in PromQL. */
  metric: string;
  /** Name that the resulting series repeat. */
  ref?: string | null | undefined;
};

/** A window of event time. */
export type TimeRange = {
  /** Start, inclusive; before `to`. */
  from: string;
  /** End, exclusive. */
  to?: string | null | undefined;
};

export type DashboardDataQueryVariables = Exact<{
  range: TimeRange;
  a: Array<MetricQuery> | MetricQuery;
}>;


export type DashboardDataQuery = { a: { grid: { start: string, stepMs: number, length: number }, series: Array<{ legend: string, values: Array<number | null>, last: number | null }> } | null };

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

export const DashboardDataDocument = new TypedDocumentString(`
    query DashboardData($range: TimeRange!, $a: [MetricQuery!]!) {
  a: metricRange(range: $range, queries: $a) {
    grid {
      start
      stepMs
      length
    }
    series {
      legend
      values
      last
    }
  }
}
    `) as unknown as TypedDocumentString<DashboardDataQuery, DashboardDataQueryVariables>;