/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** An alert rule to store. Exactly one of `alert` and `record`, and one of `expr` and `condition`, is required. */
export type AlertRuleInput = {
  /** Name of an alerting rule. */
  alert?: string | null | undefined;
  /** Annotations of its alerts; values are templates. */
  annotations?: Array<LabelInput> | null | undefined;
  /** `logs`, `spans`, `traces`, `event` or `absence`, as in REST. */
  condition?: Record<string, unknown> | null | undefined;
  /** Whether the rule is evaluated; default true. */
  enabled?: boolean | null | undefined;
  /** PromQL. */
  expr?: string | null | undefined;
  /** How long the condition is met before the alert fires; default `0s`. */
  for?: string | null | undefined;
  /** Fires when n of the last m evaluations meet the condition: [n, m]. */
  forNOfM?: Array<number> | null | undefined;
  /** Group of the rule; default: the group `default`, or the present one. */
  groupId?: string | number | null | undefined;
  /** How long the alert fires after the condition was met last; default `0s`. */
  keepFiringFor?: string | null | undefined;
  /** Labels of its alerts; values are templates. */
  labels?: Array<LabelInput> | null | undefined;
  /** State without data: `nodata` (default), `ok`, `keep` or `firing`. */
  noData?: string | null | undefined;
  /** State after failed evaluations: `error` (default), `keep` or `firing`. */
  onError?: string | null | undefined;
  /** How the value is compared with `threshold`. */
  op?: ThresholdOp | null | undefined;
  /** Name of the metric that a recording rule writes. */
  record?: string | null | undefined;
  /** What to do about its alerts: an http or https URL. */
  runbookUrl?: string | null | undefined;
  /** Label `severity`; absent for none. */
  severity?: AlertSeverity | null | undefined;
  /** Value to compare with. */
  threshold?: number | null | undefined;
  /** Upper bound of OUTSIDE and INSIDE. */
  upper?: number | null | undefined;
};

/** How urgent an alert is: its label `severity`. */
export type AlertSeverity =
  /** Requires attention at once. */
  | 'CRITICAL'
  /** For information. */
  | 'INFO'
  /** Requires attention soon. */
  | 'WARNING';

/** State of an alert, and of a rule: the gravest of its alerts. */
export type AlertState =
  /** Three evaluations in a row failed. */
  | 'ERROR'
  /** The condition is met long enough. */
  | 'FIRING'
  /** The condition is not met. */
  | 'INACTIVE'
  /** The condition has no data. */
  | 'NODATA'
  /** The condition is met, but not long enough. */
  | 'PENDING'
  /** It was firing within the last 15 minutes. */
  | 'RESOLVED'
  /** Not evaluated yet, or more than an hour of evaluations was skipped. */
  | 'UNKNOWN';

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

/** A label or an annotation. */
export type LabelInput = {
  /** Up to 256 characters. */
  name: string;
  /** Value; a template in rules. */
  value: string;
};

/** How the value of a condition is compared with a threshold. */
export type ThresholdOp =
  /** Equal. */
  | 'EQ'
  /** Greater. */
  | 'GT'
  /** Greater or equal. */
  | 'GTE'
  /** From `threshold` to `upper`. */
  | 'INSIDE'
  /** Less. */
  | 'LT'
  /** Less or equal. */
  | 'LTE'
  /** Not equal. */
  | 'NEQ'
  /** Less than `threshold`, or greater than `upper`. */
  | 'OUTSIDE';

/** A window of event time. */
export type TimeRange = {
  /** Start, inclusive; before `to`. */
  from: string;
  /** End, exclusive. */
  to?: string | null | undefined;
};

export type AlertBacktestQueryVariables = Exact<{
  rule: AlertRuleInput;
  range: TimeRange;
}>;


export type AlertBacktestQuery = { alertBacktest: { notifications: number, perWeek: number, flaps: number, evaluations: number, instances: Array<{ labels: Array<{ name: string, value: string }>, intervals: Array<{ state: AlertState, from: string, to: string, peak: number | null }> }>, suggestions: Array<{ for: string, perWeek: number }>, stats: { tookMs: number, complete: boolean, warnings: Array<string>, newestAt: string | null, cuts: Array<{ kind: CutKind, detail: string, remedy: string, window: { from: string, to: string } | null }> } } | null };

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

export const AlertBacktestDocument = new TypedDocumentString(`
    query AlertBacktest($rule: AlertRuleInput!, $range: TimeRange!) {
  alertBacktest(rule: $rule, range: $range) {
    instances {
      labels {
        name
        value
      }
      intervals {
        state
        from
        to
        peak
      }
    }
    notifications
    perWeek
    flaps
    suggestions {
      for
      perWeek
    }
    evaluations
    stats {
      tookMs
      complete
      warnings
      newestAt
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
    `) as unknown as TypedDocumentString<AlertBacktestQuery, AlertBacktestQueryVariables>;