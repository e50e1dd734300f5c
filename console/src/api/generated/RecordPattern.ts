/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** Whether a pattern of logs is new. */
export type PatternState =
  /** The window has no log of it. */
  | 'GONE'
  /** Its first log is older. */
  | 'KNOWN'
  /** Its first log is at most a day old. */
  | 'NEW';

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

export type RecordPatternQueryVariables = Exact<{
  id: string | number;
}>;


export type RecordPatternQuery = { logPattern: { id: string, template: string, count: number, firstSeen: string | null, state: PatternState, muted: boolean, note: string | null } | null };

export type PatternVariablesQueryVariables = Exact<{
  id: string | number;
}>;


export type PatternVariablesQuery = { logPattern: { variables: Array<{ name: string, kind: string, distinct: number, values: Array<{ value: string, count: number }> }> } | null };

export type UpdatePatternMutationVariables = Exact<{
  id: string | number;
  note?: string | null | undefined;
  muted?: boolean | null | undefined;
}>;


export type UpdatePatternMutation = { updatePattern: { userErrors: Array<{ code: UserErrorCode, message: string, field: Array<string> | null }> } };

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

export const RecordPatternDocument = new TypedDocumentString(`
    query RecordPattern($id: ID!) {
  logPattern(id: $id) {
    id
    template
    count
    firstSeen
    state
    muted
    note
  }
}
    `) as unknown as TypedDocumentString<RecordPatternQuery, RecordPatternQueryVariables>;
export const PatternVariablesDocument = new TypedDocumentString(`
    query PatternVariables($id: ID!) {
  logPattern(id: $id) {
    variables(values: 5) {
      name
      kind
      distinct
      values {
        value
        count
      }
    }
  }
}
    `) as unknown as TypedDocumentString<PatternVariablesQuery, PatternVariablesQueryVariables>;
export const UpdatePatternDocument = new TypedDocumentString(`
    mutation UpdatePattern($id: ID!, $note: String, $muted: Boolean) {
  updatePattern(id: $id, note: $note, muted: $muted) {
    userErrors {
      code
      message
      field
    }
  }
}
    `) as unknown as TypedDocumentString<UpdatePatternMutation, UpdatePatternMutationVariables>;