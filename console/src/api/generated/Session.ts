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

export type SessionQueryVariables = Exact<{ [key: string]: never; }>;


export type SessionQuery = { viewer: { role: Role | null, principal:
      | { __typename: 'ApiKeyPrincipal', id: string }
      | { __typename: 'User', email: string, name: string | null, id: string }
    , namespace: { id: string, name: string, personal: boolean, retention: { logs: string | null, traces: string | null, metrics: string | null, rum: string | null, errors: string | null, rejected: string | null } }, memberships: Array<{ role: Role, since: string, namespace: { id: string, name: string } }> }, stores: Array<{ name: string, kind: string, healthy: boolean, latencyMs: number | null, detail: string | null }> | null };

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

export const SessionDocument = new TypedDocumentString(`
    query Session {
  viewer {
    principal {
      __typename
      id
      ... on User {
        email
        name
      }
    }
    role
    namespace {
      id
      name
      personal
      retention {
        logs
        traces
        metrics
        rum
        errors
        rejected
      }
    }
    memberships {
      role
      since
      namespace {
        id
        name
      }
    }
  }
  stores {
    name
    kind
    healthy
    latencyMs
    detail
  }
}
    `) as unknown as TypedDocumentString<SessionQuery, SessionQueryVariables>;