/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** Two sides to compare: windows, such as before and after, or filters. */
export type CompareInput = {
  /** What is compared with. */
  base: CompareSide;
  /** Maximum number of findings, 1 to 100. */
  limit?: number | null | undefined;
  /** The side that is compared with `base`. */
  other: CompareSide;
  /** LOGS or SPANS. */
  signal: Signal;
};

/** One side of a comparison. */
export type CompareSide = {
  /** Search language, for example `level:error -debug`; at most 8,192 characters. */
  query?: string | null | undefined;
  /** Window of event time. The retention of the namespace shortens it, with a warning. */
  range: TimeRange;
  /** Structured conditions, at most 64. All must match. */
  where?: Array<FieldFilter> | null | undefined;
};

/** A side of a comparison. */
export type ComparedSide =
  /** What is compared with. */
  | 'BASE'
  /** The side that is compared with the base. */
  | 'OTHER';

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

/** What a finding is about. */
export type FindingKind =
  /** Errors of a group for as many logs or spans of the same services; of two windows. */
  | 'ERROR_GROUP'
  /** The share of a value of a field, or of its presence. */
  | 'FIELD_VALUE'
  /** The numbers of a field, by rank; the counts are those of the tail that grew. */
  | 'MEASURE'
  /** A metric of the same services, by the ranks of its points; of two windows. */
  | 'METRIC'
  /** The share of a pattern among logs. */
  | 'PATTERN';

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

export type WhatChangedQueryVariables = Exact<{
  input: CompareInput;
}>;


export type WhatChangedQuery = { compare: { hasMore: boolean, tested: number, findings: Array<{ kind: FindingKind, name: string, value: string | null, baseCount: number, baseTotal: number, otherCount: number, otherTotal: number, effect: number, q: number, evidence: string, evidenceSide: ComparedSide }>, skipped: Array<{ field: string, reason: string }>, base: { rows: number, window: { from: string, to: string } }, other: { rows: number, window: { from: string, to: string } }, stats: { tookMs: number, complete: boolean, warnings: Array<string>, cuts: Array<{ kind: CutKind, detail: string, remedy: string, window: { from: string, to: string } | null }> } } | null };

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

export const WhatChangedDocument = new TypedDocumentString(`
    query WhatChanged($input: CompareInput!) {
  compare(input: $input) {
    findings {
      kind
      name
      value
      baseCount
      baseTotal
      otherCount
      otherTotal
      effect
      q
      evidence
      evidenceSide
    }
    hasMore
    tested
    skipped {
      field
      reason
    }
    base {
      rows
      window {
        from
        to
      }
    }
    other {
      rows
      window {
        from
        to
      }
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
    `) as unknown as TypedDocumentString<WhatChangedQuery, WhatChangedQueryVariables>;