/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** New retention per signal: a duration from `1m` to `100y`, or `forever`. Absent signals keep theirs. */
export type RetentionInput = {
  /** Retention of application errors; initially `30d`. */
  errors?: string | null | undefined;
  /** Retention of log records; initially `14d`. */
  logs?: string | null | undefined;
  /** Retention of metric samples and exemplars; initially `30d`. */
  metrics?: string | null | undefined;
  /** Retention of page views; initially `30d`. */
  rum?: string | null | undefined;
  /** Retention of spans; initially `7d`. */
  traces?: string | null | undefined;
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

export type RetentionQueryVariables = Exact<{ [key: string]: never; }>;


export type RetentionQuery = { namespace: { id: string, retention: { logs: string | null, traces: string | null, metrics: string | null, rum: string | null, errors: string | null, rejected: string | null } } };

export type SetRetentionMutationVariables = Exact<{
  input: RetentionInput;
}>;


export type SetRetentionMutation = { setRetention: { userErrors: Array<{ code: UserErrorCode, message: string, field: Array<string> | null }> } };

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

export const RetentionDocument = new TypedDocumentString(`
    query Retention {
  namespace {
    id
    retention {
      logs
      traces
      metrics
      rum
      errors
      rejected
    }
  }
}
    `) as unknown as TypedDocumentString<RetentionQuery, RetentionQueryVariables>;
export const SetRetentionDocument = new TypedDocumentString(`
    mutation SetRetention($input: RetentionInput!) {
  setRetention(input: $input) {
    userErrors {
      code
      message
      field
    }
  }
}
    `) as unknown as TypedDocumentString<SetRetentionMutation, SetRetentionMutationVariables>;