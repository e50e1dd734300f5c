/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
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

export type AlertRulesQueryVariables = Exact<{ [key: string]: never; }>;


export type AlertRulesQuery = { alertRules: Array<{ id: string, alert: string | null, record: string | null, state: AlertState, stateSince: string | null, severity: AlertSeverity | null, enabled: boolean, lastError: string | null, lastEvaluatedAt: string | null, group: { id: string, name: string, interval: string }, instances: Array<{ fingerprint: string, state: AlertState }> }> | null };

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

export const AlertRulesDocument = new TypedDocumentString(`
    query AlertRules {
  alertRules {
    id
    alert
    record
    state
    stateSince
    severity
    enabled
    lastError
    lastEvaluatedAt
    group {
      id
      name
      interval
    }
    instances(states: [PENDING, FIRING, NODATA]) {
      fingerprint
      state
    }
  }
}
    `) as unknown as TypedDocumentString<AlertRulesQuery, AlertRulesQueryVariables>;