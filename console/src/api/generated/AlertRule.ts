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

/** Reason for which a mutation was rejected. */
export type UserErrorCode =
  /** The state of the object does not allow the change. */
  | 'CONFLICT'
  /** An argument is missing or out of bounds. */
  | 'INVALID'
  /** The namespace would have no admin. */
  | 'LAST_ADMIN'
  /** A quota is exhausted. */
  | 'LIMIT_REACHED'
  /** The name is reserved, for example by a deleted namespace. */
  | 'NAME_RETIRED'
  /** The object does not exist. */
  | 'NOT_FOUND'
  /** The name is already in use. */
  | 'TAKEN';

export type AlertRuleQueryVariables = Exact<{
  id: string | number;
}>;


export type AlertRuleQuery = { alertRule: { id: string, alert: string | null, expr: string | null, condition: Record<string, unknown> | null, op: ThresholdOp | null, threshold: number | null, upper: number | null, for: string, keepFiringFor: string, forNOfM: Array<number> | null, noData: string, onError: string, severity: AlertSeverity | null, enabled: boolean, runbookUrl: string | null, version: number, state: AlertState, stateSince: string | null, lastEvaluatedAt: string | null, lastError: string | null, labels: Array<{ name: string, value: string }>, annotations: Array<{ name: string, value: string }>, group: { id: string, name: string, interval: string, slo: { id: string, name: string } | null }, instances: Array<{ fingerprint: string, state: AlertState, activeAt: string | null, firedAt: string | null, resolvedAt: string | null, value: number | null, labels: Array<{ name: string, value: string }> }>, history: { nodes: Array<{ id: string, at: string, fingerprint: string, from: AlertState, to: AlertState, late: boolean, value: number | null, labels: Array<{ name: string, value: string }> }>, pageInfo: { hasNextPage: boolean } } } | null };

export type CreateAlertRuleMutationVariables = Exact<{
  input: AlertRuleInput;
}>;


export type CreateAlertRuleMutation = { createAlertRule: { alertRule: { id: string } | null, userErrors: Array<{ code: UserErrorCode, message: string }> } };

export type UpdateAlertRuleMutationVariables = Exact<{
  id: string | number;
  version: number;
  input: AlertRuleInput;
}>;


export type UpdateAlertRuleMutation = { updateAlertRule: { alertRule: { id: string } | null, userErrors: Array<{ code: UserErrorCode, message: string }> } };

export type SetAlertRuleEnabledMutationVariables = Exact<{
  id: string | number;
  enabled: boolean;
}>;


export type SetAlertRuleEnabledMutation = { setAlertRuleEnabled: { alertRule: { id: string } | null, userErrors: Array<{ code: UserErrorCode, message: string }> } };

export type DeleteAlertRuleMutationVariables = Exact<{
  id: string | number;
}>;


export type DeleteAlertRuleMutation = { deleteAlertRule: { userErrors: Array<{ code: UserErrorCode, message: string }> } };

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

export const AlertRuleDocument = new TypedDocumentString(`
    query AlertRule($id: ID!) {
  alertRule(id: $id) {
    id
    alert
    expr
    condition
    op
    threshold
    upper
    for
    keepFiringFor
    forNOfM
    noData
    onError
    labels {
      name
      value
    }
    annotations {
      name
      value
    }
    severity
    enabled
    runbookUrl
    version
    state
    stateSince
    lastEvaluatedAt
    lastError
    group {
      id
      name
      interval
      slo {
        id
        name
      }
    }
    instances(states: [PENDING, FIRING, RESOLVED, NODATA, ERROR, UNKNOWN]) {
      fingerprint
      labels {
        name
        value
      }
      state
      activeAt
      firedAt
      resolvedAt
      value
    }
    history(first: 100) {
      nodes {
        id
        at
        fingerprint
        from
        to
        late
        value
        labels {
          name
          value
        }
      }
      pageInfo {
        hasNextPage
      }
    }
  }
}
    `) as unknown as TypedDocumentString<AlertRuleQuery, AlertRuleQueryVariables>;
export const CreateAlertRuleDocument = new TypedDocumentString(`
    mutation CreateAlertRule($input: AlertRuleInput!) {
  createAlertRule(input: $input) {
    alertRule {
      id
    }
    userErrors {
      code
      message
    }
  }
}
    `) as unknown as TypedDocumentString<CreateAlertRuleMutation, CreateAlertRuleMutationVariables>;
export const UpdateAlertRuleDocument = new TypedDocumentString(`
    mutation UpdateAlertRule($id: ID!, $version: Int!, $input: AlertRuleInput!) {
  updateAlertRule(id: $id, version: $version, input: $input) {
    alertRule {
      id
    }
    userErrors {
      code
      message
    }
  }
}
    `) as unknown as TypedDocumentString<UpdateAlertRuleMutation, UpdateAlertRuleMutationVariables>;
export const SetAlertRuleEnabledDocument = new TypedDocumentString(`
    mutation SetAlertRuleEnabled($id: ID!, $enabled: Boolean!) {
  setAlertRuleEnabled(id: $id, enabled: $enabled) {
    alertRule {
      id
    }
    userErrors {
      code
      message
    }
  }
}
    `) as unknown as TypedDocumentString<SetAlertRuleEnabledMutation, SetAlertRuleEnabledMutationVariables>;
export const DeleteAlertRuleDocument = new TypedDocumentString(`
    mutation DeleteAlertRule($id: ID!) {
  deleteAlertRule(id: $id) {
    userErrors {
      code
      message
    }
  }
}
    `) as unknown as TypedDocumentString<DeleteAlertRuleMutation, DeleteAlertRuleMutationVariables>;