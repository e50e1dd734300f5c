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

/** Conditions on log records; all must match. An empty filter matches every record. */
export type LogFilter = {
  /** Records of any of these environments, case-sensitive. */
  environments?: Array<string> | null | undefined;
  /** Records of any of these hosts, case-sensitive. */
  hosts?: Array<string> | null | undefined;
  /** Records with any of these levels. */
  levels?: Array<LogLevel> | null | undefined;
  /** Search language, for example `level:error -debug`; at most 8,192 characters. */
  query?: string | null | undefined;
  /** Records of any of these services, case-sensitive. */
  services?: Array<string> | null | undefined;
  /** Records of any of these sources, case-sensitive. */
  sources?: Array<string> | null | undefined;
  /** Records with this span id, as given or in lower case. */
  spanId?: string | null | undefined;
  /** Records with this trace id, as given or in lower case. */
  traceId?: string | null | undefined;
  /** Structured conditions, at most 64. All must match. */
  where?: Array<FieldFilter> | null | undefined;
};

/** Severity range of the OpenTelemetry logs data model. */
export type LogLevel =
  /** Severity numbers 5 to 8. */
  | 'DEBUG'
  /** Severity numbers 17 to 20. */
  | 'ERROR'
  /** Severity numbers 21 to 24. */
  | 'FATAL'
  /** Severity numbers 9 to 12. */
  | 'INFO'
  /** Severity numbers 1 to 4. */
  | 'TRACE'
  /** No level, or an unrecognized one. */
  | 'UNKNOWN'
  /** Severity numbers 13 to 16. */
  | 'WARN';

/** A window of event time. */
export type TimeRange = {
  /** Start, inclusive; before `to`. */
  from: string;
  /** End, exclusive. */
  to?: string | null | undefined;
};

export type LogFacetValuesQueryVariables = Exact<{
  range: TimeRange;
  filter?: LogFilter | null | undefined;
  field: string;
  contains: string;
}>;


export type LogFacetValuesQuery = { logs: { facets: Array<{ other: number, buckets: Array<{ value: string, count: number, selected: boolean }> }> } | null };

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

export const LogFacetValuesDocument = new TypedDocumentString(`
    query LogFacetValues($range: TimeRange!, $filter: LogFilter, $field: String!, $contains: String!) {
  logs(range: $range, filter: $filter, first: 0) {
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
    `) as unknown as TypedDocumentString<LogFacetValuesQuery, LogFacetValuesQueryVariables>;