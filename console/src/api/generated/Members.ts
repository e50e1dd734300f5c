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

export type MembersQueryVariables = Exact<{ [key: string]: never; }>;


export type MembersQuery = { namespace: { id: string, members: { totalCount: number, nodes: Array<{ id: string, role: Role, since: string, user: { id: string, email: string, name: string | null } }> }, invitations: Array<{ id: string, role: Role, expiresAt: string, invitedBy: { email: string } | null }> | null } };

export type CreateInvitationMutationVariables = Exact<{
  role: Role;
}>;


export type CreateInvitationMutation = { inviteMember: { token: string | null, userErrors: Array<{ code: UserErrorCode, message: string }> } };

export type RevokeInvitationMutationVariables = Exact<{
  id: string | number;
}>;


export type RevokeInvitationMutation = { revokeInvitation: { userErrors: Array<{ code: UserErrorCode, message: string }> } };

export type SetMemberRoleMutationVariables = Exact<{
  userId: string | number;
  role: Role;
}>;


export type SetMemberRoleMutation = { setMemberRole: { userErrors: Array<{ code: UserErrorCode, message: string }> } };

export type RemoveMemberMutationVariables = Exact<{
  userId: string | number;
}>;


export type RemoveMemberMutation = { removeMember: { userErrors: Array<{ code: UserErrorCode, message: string }> } };

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

export const MembersDocument = new TypedDocumentString(`
    query Members {
  namespace {
    id
    members(first: 500) {
      totalCount
      nodes {
        id
        role
        since
        user {
          id
          email
          name
        }
      }
    }
    invitations {
      id
      role
      expiresAt
      invitedBy {
        email
      }
    }
  }
}
    `) as unknown as TypedDocumentString<MembersQuery, MembersQueryVariables>;
export const CreateInvitationDocument = new TypedDocumentString(`
    mutation CreateInvitation($role: Role!) {
  inviteMember(role: $role) {
    token
    userErrors {
      code
      message
    }
  }
}
    `) as unknown as TypedDocumentString<CreateInvitationMutation, CreateInvitationMutationVariables>;
export const RevokeInvitationDocument = new TypedDocumentString(`
    mutation RevokeInvitation($id: ID!) {
  revokeInvitation(id: $id) {
    userErrors {
      code
      message
    }
  }
}
    `) as unknown as TypedDocumentString<RevokeInvitationMutation, RevokeInvitationMutationVariables>;
export const SetMemberRoleDocument = new TypedDocumentString(`
    mutation SetMemberRole($userId: ID!, $role: Role!) {
  setMemberRole(userId: $userId, role: $role) {
    userErrors {
      code
      message
    }
  }
}
    `) as unknown as TypedDocumentString<SetMemberRoleMutation, SetMemberRoleMutationVariables>;
export const RemoveMemberDocument = new TypedDocumentString(`
    mutation RemoveMember($userId: ID!) {
  removeMember(userId: $userId) {
    userErrors {
      code
      message
    }
  }
}
    `) as unknown as TypedDocumentString<RemoveMemberMutation, RemoveMemberMutationVariables>;