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

/** Role of a span in a call (OpenTelemetry `SpanKind`). */
export type SpanKind =
  /** Sends a synchronous request. */
  | 'CLIENT'
  /** Processes a message. */
  | 'CONSUMER'
  /** Operation inside the service. */
  | 'INTERNAL'
  /** Sends a message. */
  | 'PRODUCER'
  /** Handles a synchronous request. */
  | 'SERVER'
  /** The sender set no kind. */
  | 'UNSPECIFIED';

/** Outcome of a span (OpenTelemetry `StatusCode`). */
export type SpanStatus =
  /** The operation failed. */
  | 'ERROR'
  /** The application marked the operation as successful. */
  | 'OK'
  /** The instrumentation recorded no outcome. */
  | 'UNSET';

/** A window of event time. */
export type TimeRange = {
  /** Start, inclusive; before `to`. */
  from: string;
  /** End, exclusive. */
  to?: string | null | undefined;
};

/** Conditions on traces. All conditions on spans must match the same span. Fields: `name`, `service`, `kind`, `status`, `duration_ns`, `attributes.x`, `resource.x` and others. */
export type TraceFilter = {
  /** Whether any span of the trace, matching or not, has status ERROR. */
  hasError?: boolean | null | undefined;
  /** Spans of any of these kinds. */
  kinds?: Array<SpanKind> | null | undefined;
  /** Longest duration, inclusive; `us` and `ns` are valid units too. */
  maxDuration?: string | null | undefined;
  /** Shortest duration, inclusive; `us` and `ns` are valid units too. */
  minDuration?: string | null | undefined;
  /** Spans with any of these names. */
  operations?: Array<string> | null | undefined;
  /** Search language, for example `level:error -debug`; at most 8,192 characters. */
  query?: string | null | undefined;
  /** Only spans without a parent. */
  rootOnly?: boolean | null | undefined;
  /** Whether `minDuration` and `maxDuration` apply to whole traces or to spans. */
  scope?: TraceScope | null | undefined;
  /** Spans of any of these services. */
  services?: Array<string> | null | undefined;
  /** Spans with any of these statuses. */
  statuses?: Array<SpanStatus> | null | undefined;
  /** Structured conditions, at most 64. All must match. */
  where?: Array<FieldFilter> | null | undefined;
};

/** What a duration condition applies to. */
export type TraceScope =
  /** A single span. */
  | 'SPAN'
  /** The whole trace, from earliest start to latest end. */
  | 'TRACE';

export type TraceFacetValuesQueryVariables = Exact<{
  range: TimeRange;
  filter?: TraceFilter | null | undefined;
  field: string;
  contains: string;
}>;


export type TraceFacetValuesQuery = { traces: { facets: Array<{ other: number, buckets: Array<{ value: string, count: number, selected: boolean }> }> } | null };

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

export const TraceFacetValuesDocument = new TypedDocumentString(`
    query TraceFacetValues($range: TimeRange!, $filter: TraceFilter, $field: String!, $contains: String!) {
  traces(range: $range, filter: $filter, first: 0) {
    facets(fields: [$field], contains: $contains, limit: 20) {
      other
      buckets {
        value
        count
        selected
      }
    }
  }
}
    `) as unknown as TypedDocumentString<TraceFacetValuesQuery, TraceFacetValuesQueryVariables>;