/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** A view to store. */
export type SavedViewInput = {
  /** Name, at most 128 characters; absent for a short link. */
  name?: string | null | undefined;
  /** Telemetry that the page shows. */
  signal: Signal;
  /** State of the page, at most 16 KiB of JSON. */
  state: Record<string, unknown>;
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

export type SavedViewsQueryVariables = Exact<{
  signal?: Signal | null | undefined;
}>;


export type SavedViewsQuery = { savedViews: Array<{ id: string, name: string | null, signal: Signal, state: Record<string, unknown> }> | null };

export type SavedViewNamesQueryVariables = Exact<{ [key: string]: never; }>;


export type SavedViewNamesQuery = { savedViews: Array<{ id: string, name: string | null, signal: Signal }> | null };

export type SaveViewMutationVariables = Exact<{
  input: SavedViewInput;
}>;


export type SaveViewMutation = { saveView: { savedView: { id: string } | null, userErrors: Array<{ code: UserErrorCode, message: string, field: Array<string> | null }> } };

export type DeleteViewMutationVariables = Exact<{
  id: string | number;
}>;


export type DeleteViewMutation = { deleteView: { userErrors: Array<{ code: UserErrorCode, message: string, field: Array<string> | null }> } };

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

export const SavedViewsDocument = new TypedDocumentString(`
    query SavedViews($signal: Signal) {
  savedViews(signal: $signal) {
    id
    name
    signal
    state
  }
}
    `) as unknown as TypedDocumentString<SavedViewsQuery, SavedViewsQueryVariables>;
export const SavedViewNamesDocument = new TypedDocumentString(`
    query SavedViewNames {
  savedViews {
    id
    name
    signal
  }
}
    `) as unknown as TypedDocumentString<SavedViewNamesQuery, SavedViewNamesQueryVariables>;
export const SaveViewDocument = new TypedDocumentString(`
    mutation SaveView($input: SavedViewInput!) {
  saveView(input: $input) {
    savedView {
      id
    }
    userErrors {
      code
      message
      field
    }
  }
}
    `) as unknown as TypedDocumentString<SaveViewMutation, SaveViewMutationVariables>;
export const DeleteViewDocument = new TypedDocumentString(`
    mutation DeleteView($id: ID!) {
  deleteView(id: $id) {
    userErrors {
      code
      message
      field
    }
  }
}
    `) as unknown as TypedDocumentString<DeleteViewMutation, DeleteViewMutationVariables>;