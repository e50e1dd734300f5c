/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
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

export type AlertRoutingQueryVariables = Exact<{ [key: string]: never; }>;


export type AlertRoutingQuery = { alertRouting: { version: number, document: Record<string, unknown> } | null, notificationChannels: Array<{ id: string, name: string }> | null };

export type SetAlertRoutingMutationVariables = Exact<{
  version: number;
  document: Record<string, unknown>;
}>;


export type SetAlertRoutingMutation = { setAlertRouting: { routing: { version: number } | null, userErrors: Array<{ code: UserErrorCode, message: string }> } };

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

export const AlertRoutingDocument = new TypedDocumentString(`
    query AlertRouting {
  alertRouting {
    version
    document
  }
  notificationChannels {
    id
    name
  }
}
    `) as unknown as TypedDocumentString<AlertRoutingQuery, AlertRoutingQueryVariables>;
export const SetAlertRoutingDocument = new TypedDocumentString(`
    mutation SetAlertRouting($version: Int!, $document: JSONObject!) {
  setAlertRouting(version: $version, document: $document) {
    routing {
      version
    }
    userErrors {
      code
      message
    }
  }
}
    `) as unknown as TypedDocumentString<SetAlertRoutingMutation, SetAlertRoutingMutationVariables>;