/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** What a saved measure computes of the records of a step. */
export type SavedFn =
  /** Sum and number of the numbers, as two metrics: their quotient is the mean of any time. */
  | 'AVG'
  /** Number of records; with a field, of those that have it. */
  | 'COUNT'
  /** Numbers by their size, for `histogram_quantile`, with their sum and count. */
  | 'HISTOGRAM'
  /** Largest number. */
  | 'MAX'
  /** Smallest number. */
  | 'MIN'
  /** Sum of the numbers of a field. */
  | 'SUM';

/** A measure to save as a metric. */
export type SavedMeasureInput = {
  /** Ascending upper bounds of the buckets of a histogram, at most 20. */
  bounds?: Array<number> | null | undefined;
  /** Help of the metric, at most 500 characters. */
  description?: string | null | undefined;
  /** A numeric field; of COUNT any field. */
  field?: string | null | undefined;
  /** All but COUNT require a field. */
  fn: SavedFn;
  /** At most three fields that become labels. */
  groupBy?: Array<string> | null | undefined;
  /** Name of the metric, at most 100 characters. */
  name: string;
  /** Search language, for example `level:error -debug`; at most 4,096 characters. */
  query?: string | null | undefined;
  /** LOGS or SPANS. */
  signal: Signal;
  /** 10s, 30s, 1m, 5m, 15m or 1h; default 1m. */
  step?: string | null | undefined;
};

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

export type SavedMeasuresQueryVariables = Exact<{ [key: string]: never; }>;


export type SavedMeasuresQuery = { savedMeasures: Array<{ name: string, description: string, metrics: Array<string>, signal: Signal, query: string, fn: SavedFn, field: string | null, groupBy: Array<string>, step: string, createdAt: string, countedUntil: string, settledUntil: string, error: string | null, incomplete: string | null, incompleteAt: string | null, backfill: { from: string, until: string, doneUntil: string } | null }> | null };

export type SaveMeasureMutationVariables = Exact<{
  input: SavedMeasureInput;
}>;


export type SaveMeasureMutation = { saveMeasure: { measure: { name: string } | null, userErrors: Array<{ code: UserErrorCode, message: string, field: Array<string> | null }> } };

export type BackfillMeasureMutationVariables = Exact<{
  name: string;
  range: TimeRange;
}>;


export type BackfillMeasureMutation = { backfillMeasure: { measure: { name: string, backfill: { from: string } | null } | null, userErrors: Array<{ code: UserErrorCode, message: string, field: Array<string> | null }> } };

export type DeleteMeasureMutationVariables = Exact<{
  name: string;
}>;


export type DeleteMeasureMutation = { deleteMeasure: { deletedId: string | null, userErrors: Array<{ code: UserErrorCode, message: string, field: Array<string> | null }> } };

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

export const SavedMeasuresDocument = new TypedDocumentString(`
    query SavedMeasures {
  savedMeasures {
    name
    description
    metrics
    signal
    query
    fn
    field
    groupBy
    step
    createdAt
    countedUntil
    settledUntil
    backfill {
      from
      until
      doneUntil
    }
    error
    incomplete
    incompleteAt
  }
}
    `) as unknown as TypedDocumentString<SavedMeasuresQuery, SavedMeasuresQueryVariables>;
export const SaveMeasureDocument = new TypedDocumentString(`
    mutation SaveMeasure($input: SavedMeasureInput!) {
  saveMeasure(input: $input) {
    measure {
      name
    }
    userErrors {
      code
      message
      field
    }
  }
}
    `) as unknown as TypedDocumentString<SaveMeasureMutation, SaveMeasureMutationVariables>;
export const BackfillMeasureDocument = new TypedDocumentString(`
    mutation BackfillMeasure($name: String!, $range: TimeRange!) {
  backfillMeasure(name: $name, range: $range) {
    measure {
      name
      backfill {
        from
      }
    }
    userErrors {
      code
      message
      field
    }
  }
}
    `) as unknown as TypedDocumentString<BackfillMeasureMutation, BackfillMeasureMutationVariables>;
export const DeleteMeasureDocument = new TypedDocumentString(`
    mutation DeleteMeasure($name: String!) {
  deleteMeasure(name: $name) {
    deletedId
    userErrors {
      code
      message
      field
    }
  }
}
    `) as unknown as TypedDocumentString<DeleteMeasureMutation, DeleteMeasureMutationVariables>;