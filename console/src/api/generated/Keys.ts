/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** Properties of a new API key. */
export type ApiKeyInput = {
  /** Required for kind RUM and rejected for others; at most 100 origins. */
  allowedOrigins?: Array<string> | null | undefined;
  /** Future time at which the key expires; default never. */
  expiresAt?: string | null | undefined;
  /** What the key is authorized for. */
  kind: ApiKeyKind;
  /** Display name. */
  name: string;
  /** Ids or names, at most 100; default the active namespace. RUM keys have exactly one. */
  namespaceIds?: Array<string | number> | null | undefined;
};

/** What an API key is authorized for. */
export type ApiKeyKind =
  /** Writes telemetry. */
  | 'INGEST'
  /** Reads telemetry with the permissions of a viewer. */
  | 'QUERY'
  /** Writes page views from allowed origins. This key is public. */
  | 'RUM';

/** Position in the life cycle of an API key. */
export type ApiKeyState =
  /** Valid. */
  | 'ACTIVE'
  /** Invalid since `expiresAt`. */
  | 'EXPIRED'
  /** Invalid since `revokedAt`. */
  | 'REVOKED'
  /** Valid, and so is the previous secret until the end of the overlap. */
  | 'ROTATING';

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

export type KeysQueryVariables = Exact<{ [key: string]: never; }>;


export type KeysQuery = { namespace: { id: string, name: string, apiKeys: Array<{ id: string, name: string, kind: ApiKeyKind, state: ApiKeyState, prefix: string, createdAt: string, lastUsedAt: string | null, expiresAt: string | null, revokedAt: string | null, allowedOrigins: Array<string>, createdBy: { email: string } | null, namespaces: Array<{ id: string, name: string }> }> | null } };

export type CreateKeyMutationVariables = Exact<{
  input: ApiKeyInput;
}>;


export type CreateKeyMutation = { createApiKey: { secret: string | null, apiKey: { id: string } | null, userErrors: Array<{ code: UserErrorCode, message: string }> } };

export type RotateKeyMutationVariables = Exact<{
  id: string | number;
  overlap: string;
}>;


export type RotateKeyMutation = { rotateApiKey: { secret: string | null, userErrors: Array<{ code: UserErrorCode, message: string }> } };

export type RevokeKeyMutationVariables = Exact<{
  id: string | number;
}>;


export type RevokeKeyMutation = { revokeApiKey: { userErrors: Array<{ code: UserErrorCode, message: string }> } };

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

export const KeysDocument = new TypedDocumentString(`
    query Keys {
  namespace {
    id
    name
    apiKeys {
      id
      name
      kind
      state
      prefix
      createdAt
      createdBy {
        email
      }
      lastUsedAt
      expiresAt
      revokedAt
      allowedOrigins
      namespaces {
        id
        name
      }
    }
  }
}
    `) as unknown as TypedDocumentString<KeysQuery, KeysQueryVariables>;
export const CreateKeyDocument = new TypedDocumentString(`
    mutation CreateKey($input: ApiKeyInput!) {
  createApiKey(input: $input) {
    apiKey {
      id
    }
    secret
    userErrors {
      code
      message
    }
  }
}
    `) as unknown as TypedDocumentString<CreateKeyMutation, CreateKeyMutationVariables>;
export const RotateKeyDocument = new TypedDocumentString(`
    mutation RotateKey($id: ID!, $overlap: Duration!) {
  rotateApiKey(id: $id, overlap: $overlap) {
    secret
    userErrors {
      code
      message
    }
  }
}
    `) as unknown as TypedDocumentString<RotateKeyMutation, RotateKeyMutationVariables>;
export const RevokeKeyDocument = new TypedDocumentString(`
    mutation RevokeKey($id: ID!) {
  revokeApiKey(id: $id) {
    userErrors {
      code
      message
    }
  }
}
    `) as unknown as TypedDocumentString<RevokeKeyMutation, RevokeKeyMutationVariables>;