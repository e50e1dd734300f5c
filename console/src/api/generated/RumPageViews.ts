/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
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

export type RumPageViewsQueryVariables = Exact<{
  range: TimeRange;
  filter?: RumFilter | null | undefined;
  after?: string | null | undefined;
}>;


export type RumPageViewsQuery = { rum: { list: { nodes: Array<{ id: string, timestamp: string, pageUrl: string, browser: string | null, deviceType: string | null, country: string | null, os: string | null, connectionType: string | null, release: string | null, sessionId: string | null, traceId: string | null, largestContentfulPaintMs: number | null, interactionToNextPaintMs: number | null, cumulativeLayoutShift: number | null, firstInputDelayMs: number | null, loadTimeMs: number | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } } | null };

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

export const RumPageViewsDocument = new TypedDocumentString(`
    query RumPageViews($range: TimeRange!, $filter: RumFilter, $after: String) {
  rum(range: $range, filter: $filter) {
    list(first: 100, after: $after) {
      nodes {
        id
        timestamp
        pageUrl
        browser
        deviceType
        country
        os
        connectionType
        release
        sessionId
        traceId
        largestContentfulPaintMs
        interactionToNextPaintMs
        cumulativeLayoutShift
        firstInputDelayMs
        loadTimeMs
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}
    `) as unknown as TypedDocumentString<RumPageViewsQuery, RumPageViewsQueryVariables>;