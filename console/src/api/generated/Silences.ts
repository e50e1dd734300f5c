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

/** A silence to make. */
export type SilenceInput = {
  /** Why, at most 1,000 characters. */
  comment: string;
  /** At most 366 days after the start. */
  endsAt: string;
  /** Matchers such as `severity="critical"`, at most 20; all must match. */
  matchers: Array<string>;
  /** Default now. */
  startsAt?: string | null | undefined;
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

export type SilencesQueryVariables = Exact<{
  active: boolean;
}>;


export type SilencesQuery = { silences: Array<{ id: string, matchers: Array<string>, startsAt: string, endsAt: string, comment: string, createdBy: { email: string } | null }> | null };

export type SilencePreviewQueryVariables = Exact<{
  matchers: Array<string> | string;
}>;


export type SilencePreviewQuery = { silencePreview: Array<{ fingerprint: string, state: AlertState, labels: Array<{ name: string, value: string }> }> | null };

export type CreateSilenceMutationVariables = Exact<{
  input: SilenceInput;
}>;


export type CreateSilenceMutation = { createSilence: { silence: { id: string } | null, userErrors: Array<{ code: UserErrorCode, message: string }> } };

export type ExpireSilenceMutationVariables = Exact<{
  id: string | number;
}>;


export type ExpireSilenceMutation = { expireSilence: { silence: { id: string } | null, userErrors: Array<{ code: UserErrorCode, message: string }> } };

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

export const SilencesDocument = new TypedDocumentString(`
    query Silences($active: Boolean!) {
  silences(active: $active) {
    id
    matchers
    startsAt
    endsAt
    comment
    createdBy {
      email
    }
  }
}
    `) as unknown as TypedDocumentString<SilencesQuery, SilencesQueryVariables>;
export const SilencePreviewDocument = new TypedDocumentString(`
    query SilencePreview($matchers: [String!]!) {
  silencePreview(matchers: $matchers) {
    fingerprint
    state
    labels {
      name
      value
    }
  }
}
    `) as unknown as TypedDocumentString<SilencePreviewQuery, SilencePreviewQueryVariables>;
export const CreateSilenceDocument = new TypedDocumentString(`
    mutation CreateSilence($input: SilenceInput!) {
  createSilence(input: $input) {
    silence {
      id
    }
    userErrors {
      code
      message
    }
  }
}
    `) as unknown as TypedDocumentString<CreateSilenceMutation, CreateSilenceMutationVariables>;
export const ExpireSilenceDocument = new TypedDocumentString(`
    mutation ExpireSilence($id: ID!) {
  expireSilence(id: $id) {
    silence {
      id
    }
    userErrors {
      code
      message
    }
  }
}
    `) as unknown as TypedDocumentString<ExpireSilenceMutation, ExpireSilenceMutationVariables>;