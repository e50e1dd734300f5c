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

/** One condition on a field. */
export type FieldFilter = {
  /** Well-known name (`service`, `level`) or dotted path (`tags.env`, `attributes.http.route`); 1 to 256 characters. */
  field: string;
  /** Comparison operator. */
  op?: FilterOp;
  /** Operand of all operators except IN, NOT_IN, EXISTS and NOT_EXISTS; at most 8,192 characters. */
  value?: string | null | undefined;
  /** Operands of IN and NOT_IN, 1 to 1,000. */
  values?: Array<string> | null | undefined;
};

/** Comparison of a field with one or more operands. A missing field matches only NEQ, NOT_IN and NOT_EXISTS. */
export type FilterOp =
  /** Contains the substring, case-insensitive. */
  | 'CONTAINS'
  /** Equal, case-sensitive; numbers are equal in any notation. */
  | 'EQ'
  /** Present and not empty; has no operand. */
  | 'EXISTS'
  /** Greater than the operand. */
  | 'GT'
  /** Greater than or equal to the operand. */
  | 'GTE'
  /** Equal to any of the operands. */
  | 'IN'
  /** Less than the operand. */
  | 'LT'
  /** Less than or equal to the operand. */
  | 'LTE'
  /** Not equal. */
  | 'NEQ'
  /** Absent or empty; has no operand. */
  | 'NOT_EXISTS'
  /** Equal to none of the operands. */
  | 'NOT_IN'
  /** Begins with the operand, case-sensitive. */
  | 'PREFIX'
  /** The whole value matches the regular expression (RE2 syntax, at most 1,024 characters). */
  | 'REGEX';

/** Conditions on page views; all must match. An empty filter matches every page view. */
export type RumFilter = {
  /** Page views of any of these browsers. */
  browsers?: Array<string> | null | undefined;
  /** Page views over any of these connection types, for example `4g`. */
  connectionTypes?: Array<string> | null | undefined;
  /** Page views from any of these countries (ISO 3166-1 alpha-2). */
  countries?: Array<string> | null | undefined;
  /** Page views of any of these device classes. */
  deviceTypes?: Array<string> | null | undefined;
  /** Page views of any of these operating systems. */
  os?: Array<string> | null | undefined;
  /** Exact URL, or URL pattern with `:id` (`PAGE_GROUP`). */
  pageUrl?: string | null | undefined;
  /** Search language; bare words match the page URL. At most 8,192 characters. */
  query?: string | null | undefined;
  /** Page views of any of these releases. */
  releases?: Array<string> | null | undefined;
  /** Page views of this session. */
  sessionId?: string | null | undefined;
  /** Structured conditions, at most 64. All must match. */
  where?: Array<FieldFilter> | null | undefined;
};

/** A window of event time. */
export type TimeRange = {
  /** Start, inclusive; before `to`. */
  from: string;
  /** End, exclusive. */
  to?: string | null | undefined;
};

/** A page timing. Thresholds separate GOOD, NEEDS_IMPROVEMENT and POOR. */
export type WebVital =
  /** Cumulative Layout Shift, without unit; thresholds 0.1 and 0.25. */
  | 'CLS'
  /** End of the `DOMContentLoaded` event in milliseconds; no thresholds. */
  | 'DOM_CONTENT_LOADED'
  /** First Contentful Paint in milliseconds; thresholds 1,800 and 3,000. */
  | 'FCP'
  /** First Input Delay in milliseconds; thresholds 100 and 300. */
  | 'FID'
  /** Interaction to Next Paint in milliseconds; thresholds 200 and 500. */
  | 'INP'
  /** Largest Contentful Paint in milliseconds; thresholds 2,500 and 4,000. */
  | 'LCP'
  /** End of the `load` event in milliseconds; no thresholds. */
  | 'LOAD'
  /** Total Blocking Time in milliseconds; no thresholds. */
  | 'TBT'
  /** Time to First Byte in milliseconds; thresholds 800 and 1,800. */
  | 'TTFB'
  /** Time to Interactive in milliseconds; no thresholds. */
  | 'TTI';

export type RumTrendQueryVariables = Exact<{
  range: TimeRange;
  filter?: RumFilter | null | undefined;
  vital: WebVital;
}>;


export type RumTrendQuery = { rum: { series: { grid: { start: string, stepMs: number, length: number }, series: Array<{ values: Array<number | null> }>, stats: { complete: boolean, warnings: Array<string>, cuts: Array<{ kind: CutKind, detail: string, remedy: string, window: { from: string, to: string } | null }> } } } | null };

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

export const RumTrendDocument = new TypedDocumentString(`
    query RumTrend($range: TimeRange!, $filter: RumFilter, $vital: WebVital!) {
  rum(range: $range, filter: $filter) {
    series(vital: $vital, buckets: 60) {
      grid {
        start
        stepMs
        length
      }
      series {
        values
      }
      stats {
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
}
    `) as unknown as TypedDocumentString<RumTrendQuery, RumTrendQueryVariables>;