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

/** Rating of a page timing at its 75th percentile. */
export type VitalRating =
  /** At most the first threshold. */
  | 'GOOD'
  /** Above the first threshold, at most the second. */
  | 'NEEDS_IMPROVEMENT'
  /** Above the second threshold. */
  | 'POOR';

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

export type RumPageQueryVariables = Exact<{
  range: TimeRange;
}>;


export type RumPageQuery = { rum: { events: number, sessions: number, vitals: Array<{ vital: WebVital, value: number | null, rating: VitalRating | null, good: number | null, poor: number | null }>, byPage: Array<{ value: string, events: number, vitals: Array<{ vital: WebVital, value: number | null, rating: VitalRating | null }> }>, byCountry: Array<{ value: string, vitals: Array<{ value: number | null }> }> } | null };

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

export const RumPageDocument = new TypedDocumentString(`
    query RumPage($range: TimeRange!) {
  rum(range: $range) {
    events
    sessions
    vitals {
      vital
      value
      rating
      good
      poor
    }
    byPage: breakdown(by: PAGE_URL, vitals: [LCP, CLS, FID, LOAD]) {
      value
      events
      vitals {
        vital
        value
        rating
      }
    }
    byCountry: breakdown(by: COUNTRY, vitals: [LCP]) {
      value
      vitals {
        value
      }
    }
  }
}
    `) as unknown as TypedDocumentString<RumPageQuery, RumPageQueryVariables>;