/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** Function of a measure over rows. */
export type AggregateFn =
  /** Mean of the numbers. */
  | 'AVG'
  /** Number of rows; with a field, of those that have it. */
  | 'COUNT'
  /** Number of different values of a field. */
  | 'COUNT_DISTINCT'
  /** Largest number. */
  | 'MAX'
  /** Smallest number. */
  | 'MIN'
  /** Median, interpolated between the closest ranks. */
  | 'P50'
  /** 75th percentile. */
  | 'P75'
  /** 90th percentile. */
  | 'P90'
  /** 95th percentile. */
  | 'P95'
  /** 99th percentile. */
  | 'P99'
  /** What COUNT counts, per second of the window, and of each bucket. */
  | 'RATE'
  /** Sum of the numbers of a field. A row contributes each of its different numbers once. */
  | 'SUM';

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

/** What to compute of the rows of a group. */
export type Measure = {
  /** A numeric field (`duration`, `attributes.http.size`); of COUNT and COUNT_DISTINCT any field. */
  field?: string | null | undefined;
  /** All but COUNT and RATE require a field. */
  fn: AggregateFn;
  /** Name in the result and in `orderBy`; default `p95(duration)`. */
  ref?: string | null | undefined;
};

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

/** A window of event time. */
export type TimeRange = {
  /** Start, inclusive; before `to`. */
  from: string;
  /** End, exclusive. */
  to?: string | null | undefined;
};

export type MeasureChartQueryVariables = Exact<{
  signal: Signal;
  range: TimeRange;
  query?: string | null | undefined;
  measures: Array<Measure> | Measure;
  groupBy?: Array<string> | string | null | undefined;
  buckets?: number | null | undefined;
  limit?: number | null | undefined;
}>;


export type MeasureChartQuery = { aggregate: { relativeError: number, grid: { start: string, stepMs: number, length: number } | null, rows: Array<{ group: Array<string | null>, other: boolean, measures: Array<{ value: number | null, values: Array<number | null> | null }> }>, groups: { value: number, exact: boolean }, stats: { tookMs: number, complete: boolean, warnings: Array<string>, cuts: Array<{ kind: CutKind, detail: string, remedy: string, window: { from: string, to: string } | null }> } } | null };

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

export const MeasureChartDocument = new TypedDocumentString(`
    query MeasureChart($signal: Signal!, $range: TimeRange!, $query: String, $measures: [Measure!]!, $groupBy: [String!], $buckets: Int, $limit: Int) {
  aggregate(
    input: {signal: $signal, range: $range, query: $query, measures: $measures, groupBy: $groupBy, buckets: $buckets, limit: $limit, includeOther: true, exact: false}
  ) {
    grid {
      start
      stepMs
      length
    }
    rows {
      group
      other
      measures {
        value
        values
      }
    }
    groups {
      value
      exact
    }
    relativeError
    stats {
      tookMs
      complete
      warnings
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
    `) as unknown as TypedDocumentString<MeasureChartQuery, MeasureChartQueryVariables>;