/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
export type AuditLogQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type AuditLogQuery = { namespace: { id: string, auditLog: { nodes: Array<{ id: string, at: string, action: string, target: string | null, detail: Record<string, unknown> | null, actor:
          | { __typename: 'ApiKeyPrincipal', id: string, key: { name: string } }
          | { __typename: 'User', email: string, id: string }
         | null }>, pageInfo: { endCursor: string | null, hasNextPage: boolean } } | null } };

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

export const AuditLogDocument = new TypedDocumentString(`
    query AuditLog($after: String) {
  namespace {
    id
    auditLog(first: 200, after: $after) {
      nodes {
        id
        at
        action
        target
        detail
        actor {
          __typename
          id
          ... on User {
            email
          }
          ... on ApiKeyPrincipal {
            key {
              name
            }
          }
        }
      }
      pageInfo {
        endCursor
        hasNextPage
      }
    }
  }
}
    `) as unknown as TypedDocumentString<AuditLogQuery, AuditLogQueryVariables>;