/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** Permissions in a namespace. Each role includes the preceding ones. */
export type Role =
  /** Manages keys, members, retention and the namespace itself. */
  | 'ADMIN'
  /** Changes shared state such as that of error groups. */
  | 'MEMBER'
  /** Reads telemetry. */
  | 'VIEWER';

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

export type NamespaceFactsQueryVariables = Exact<{ [key: string]: never; }>;


export type NamespaceFactsQuery = { namespace: { id: string, name: string, personal: boolean, createdAt: string, members: { nodes: Array<{ id: string, role: Role, user: { email: string } }> } } };

export type AddNamespaceMutationVariables = Exact<{
  name: string;
}>;


export type AddNamespaceMutation = { createNamespace: { namespace: { name: string } | null, userErrors: Array<{ code: UserErrorCode, message: string }> } };

export type DeleteNamespaceMutationVariables = Exact<{
  id: string | number;
  confirmName: string;
}>;


export type DeleteNamespaceMutation = { deleteNamespace: { deletedId: string | null, userErrors: Array<{ code: UserErrorCode, message: string }> } };

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

export const NamespaceFactsDocument = new TypedDocumentString(`
    query NamespaceFacts {
  namespace {
    id
    name
    personal
    createdAt
    members(first: 500) {
      nodes {
        id
        role
        user {
          email
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<NamespaceFactsQuery, NamespaceFactsQueryVariables>;
export const AddNamespaceDocument = new TypedDocumentString(`
    mutation AddNamespace($name: String!) {
  createNamespace(name: $name) {
    namespace {
      name
    }
    userErrors {
      code
      message
    }
  }
}
    `) as unknown as TypedDocumentString<AddNamespaceMutation, AddNamespaceMutationVariables>;
export const DeleteNamespaceDocument = new TypedDocumentString(`
    mutation DeleteNamespace($id: ID!, $confirmName: String!) {
  deleteNamespace(id: $id, confirmName: $confirmName) {
    deletedId
    userErrors {
      code
      message
    }
  }
}
    `) as unknown as TypedDocumentString<DeleteNamespaceMutation, DeleteNamespaceMutationVariables>;