/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
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

/** How urgent an alert of an SLO is (Google SRE Workbook, chapter 5). */
export type SloAlertKind =
  /** Someone is to act at once. */
  | 'PAGE'
  /** Someone is to act within days. */
  | 'TICKET';

/** What is known of the window of an SLO. */
export type SloDataState =
  /** All of it was counted. */
  | 'COMPLETE'
  /** Nothing was counted. */
  | 'NO_DATA'
  /** It was counted, and there were no events. */
  | 'NO_TRAFFIC'
  /** Minutes were not counted. */
  | 'PARTIAL';

/** A window of event time. */
export type TimeRange = {
  /** Start, inclusive; before `to`. */
  from: string;
  /** End, exclusive. */
  to?: string | null | undefined;
};

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

export type SlosQueryVariables = Exact<{ [key: string]: never; }>;


export type SlosQuery = { slos: Array<{ id: string, name: string, service: string, objective: number, window: string, enabled: boolean, report: { state: SloDataState, attained: number | null, budgetLeft: number | null, missingMinutes: number, burnRates: Array<{ window: string, rate: number | null }> } | null }> | null };

export type SloBudgetQueryVariables = Exact<{
  id: string | number;
}>;


export type SloBudgetQuery = { slo: { id: string, name: string, service: string, objective: number, window: string, enabled: boolean, version: number, updatedAt: string, document: Record<string, unknown>, rules: Array<{ id: string, alert: string | null, record: string | null, state: AlertState, enabled: boolean, lastError: string | null }>, report: { state: SloDataState, start: string, end: string, countedSince: string | null, missingMinutes: number, total: number, bad: number, attained: number | null, budgetLeft: number | null, exhaustedAt: string | null, burnRates: Array<{ window: string, rate: number | null }>, days: Array<{ start: string, end: string, total: number, bad: number, attained: number | null, burnRate: number | null, consumed: number | null, missingMinutes: number }>, stats: { warnings: Array<string> } } | null } | null };

export type SaveSloMutationVariables = Exact<{
  document: Record<string, unknown>;
  id?: string | number | null | undefined;
  version?: number | null | undefined;
}>;


export type SaveSloMutation = { saveSlo: { slo: { id: string } | null, userErrors: Array<{ code: UserErrorCode, message: string }> } };

export type DeleteSloMutationVariables = Exact<{
  id: string | number;
}>;


export type DeleteSloMutation = { deleteSlo: { deletedId: string | null, userErrors: Array<{ code: UserErrorCode, message: string }> } };

export type SloBacktestQueryVariables = Exact<{
  document: Record<string, unknown>;
  range: TimeRange;
}>;


export type SloBacktestQuery = { sloBacktest: { alerts: Array<{ alert: string, kind: SloAlertKind, window: string, factor: number, notifications: number, flaps: number, evaluations: number, instances: Array<{ labels: Array<{ name: string, value: string }>, intervals: Array<{ state: AlertState, from: string, to: string, peak: number | null }> }> }>, report: { state: SloDataState, start: string, end: string, countedSince: string | null, missingMinutes: number, total: number, bad: number, attained: number | null, budgetLeft: number | null, exhaustedAt: string | null, burnRates: Array<{ window: string, rate: number | null }>, days: Array<{ start: string, end: string, total: number, bad: number, attained: number | null, burnRate: number | null, consumed: number | null, missingMinutes: number }>, stats: { warnings: Array<string> } }, stats: { complete: boolean, warnings: Array<string>, cuts: Array<{ kind: CutKind, detail: string, remedy: string, window: { from: string, to: string } | null }> } } | null };

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

export const SlosDocument = new TypedDocumentString(`
    query Slos {
  slos {
    id
    name
    service
    objective
    window
    enabled
    report {
      state
      attained
      budgetLeft
      missingMinutes
      burnRates {
        window
        rate
      }
    }
  }
}
    `) as unknown as TypedDocumentString<SlosQuery, SlosQueryVariables>;
export const SloBudgetDocument = new TypedDocumentString(`
    query SloBudget($id: ID!) {
  slo(id: $id) {
    id
    name
    service
    objective
    window
    enabled
    version
    updatedAt
    document
    rules {
      id
      alert
      record
      state
      enabled
      lastError
    }
    report {
      state
      start
      end
      countedSince
      missingMinutes
      total
      bad
      attained
      budgetLeft
      exhaustedAt
      burnRates {
        window
        rate
      }
      days {
        start
        end
        total
        bad
        attained
        burnRate
        consumed
        missingMinutes
      }
      stats {
        warnings
      }
    }
  }
}
    `) as unknown as TypedDocumentString<SloBudgetQuery, SloBudgetQueryVariables>;
export const SaveSloDocument = new TypedDocumentString(`
    mutation SaveSlo($document: JSONObject!, $id: ID, $version: Int) {
  saveSlo(document: $document, id: $id, version: $version) {
    slo {
      id
    }
    userErrors {
      code
      message
    }
  }
}
    `) as unknown as TypedDocumentString<SaveSloMutation, SaveSloMutationVariables>;
export const DeleteSloDocument = new TypedDocumentString(`
    mutation DeleteSlo($id: ID!) {
  deleteSlo(id: $id) {
    deletedId
    userErrors {
      code
      message
    }
  }
}
    `) as unknown as TypedDocumentString<DeleteSloMutation, DeleteSloMutationVariables>;
export const SloBacktestDocument = new TypedDocumentString(`
    query SloBacktest($document: JSONObject!, $range: TimeRange!) {
  sloBacktest(document: $document, range: $range) {
    alerts {
      alert
      kind
      window
      factor
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
      flaps
      evaluations
    }
    report {
      state
      start
      end
      countedSince
      missingMinutes
      total
      bad
      attained
      budgetLeft
      exhaustedAt
      burnRates {
        window
        rate
      }
      days {
        start
        end
        total
        bad
        attained
        burnRate
        consumed
        missingMinutes
      }
      stats {
        warnings
      }
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
    `) as unknown as TypedDocumentString<SloBacktestQuery, SloBacktestQueryVariables>;