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

/** Whether a pattern of logs is new. */
export type PatternState =
  /** The window has no log of it. */
  | 'GONE'
  /** Its first log is older. */
  | 'KNOWN'
  /** Its first log is at most a day old. */
  | 'NEW';

/** A window of event time. */
export type TimeRange = {
  /** Start, inclusive; before `to`. */
  from: string;
  /** End, exclusive. */
  to?: string | null | undefined;
};

export type LogPatternsQueryVariables = Exact<{
  range: TimeRange;
  filter?: LogFilter | null | undefined;
  compare?: TimeRange | null | undefined;
}>;


export type LogPatternsQuery = { logs: { patterns: Array<{ id: string, template: string, count: number, share: number, state: PatternState, muted: boolean, note: string | null, firstSeen: string | null, lastSeen: string | null, levels: Array<{ value: string, count: number }>, services: Array<{ value: string, count: number }>, trend: { series: Array<{ counts: Array<number> }> }, change: { baseCount: number, baseTotal: number, effect: number, q: number } | null }>, patternFacts: { logs: number, unassigned: number, hasMore: boolean, total: { value: number, exact: boolean }, stats: { tookMs: number, complete: boolean, warnings: Array<string>, cuts: Array<{ kind: CutKind, detail: string, remedy: string, window: { from: string, to: string } | null }> } } } | null };

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

export const LogPatternsDocument = new TypedDocumentString(`
    query LogPatterns($range: TimeRange!, $filter: LogFilter, $compare: TimeRange) {
  logs(range: $range, filter: $filter, first: 0) {
    patterns(limit: 100, compare: $compare) {
      id
      template
      count
      share
      state
      muted
      note
      firstSeen
      lastSeen
      levels {
        value
        count
      }
      services {
        value
        count
      }
      trend(buckets: 30) {
        series {
          counts
        }
      }
      change {
        baseCount
        baseTotal
        effect
        q
      }
    }
    patternFacts(limit: 100, compare: $compare) {
      logs
      unassigned
      hasMore
      total {
        value
        exact
      }
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
}
    `) as unknown as TypedDocumentString<LogPatternsQuery, LogPatternsQueryVariables>;