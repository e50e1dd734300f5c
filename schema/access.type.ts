import { Field, ID, Int, InterfaceType, ObjectType } from 'type-graphql'
import type { NamespaceId } from '../src/domain/ids.js'
import { ApiKeyKind, ApiKeyState, Role, type ValueOf } from './enums.js'
import { JSONObject, Timestamp } from './scalars.js'
import { PageInfoType } from './shared.type.js'

@InterfaceType('Principal', { resolveType: value => ('email' in value ? 'User' : 'ApiKeyPrincipal') })
export abstract class PrincipalType {
  @Field(() => ID) id!: string
}

@ObjectType('User', { implements: PrincipalType })
export class UserType extends PrincipalType {
  @Field(() => String) email!: string
  @Field(() => String, { nullable: true }) name!: string | null
  @Field(() => Timestamp) createdAt!: bigint
}

@ObjectType('ApiKey')
export class ApiKeyType {
  @Field(() => ID) id!: string
  @Field(() => String) name!: string
  @Field(() => ApiKeyKind) kind!: ValueOf<typeof ApiKeyKind>
  @Field(() => ApiKeyState) state!: ValueOf<typeof ApiKeyState>
  @Field(() => String, { description: 'The first characters: the secret itself is shown once, when the key is made.' })
  prefix!: string
  @Field(() => [String]) allowedOrigins!: readonly string[]
  @Field(() => Timestamp) createdAt!: bigint
  @Field(() => Timestamp, { nullable: true }) lastUsedAt!: bigint | null
  @Field(() => Timestamp, { nullable: true }) expiresAt!: bigint | null
  @Field(() => Timestamp, { nullable: true }) revokedAt!: bigint | null
  /** Looked up when selected: fields `namespaces` and `createdBy` of the resolver. */
  namespaceIds!: readonly NamespaceId[]
  createdById!: string
  listedIn!: NamespaceId | null
}

@ObjectType('ApiKeyPrincipal', { implements: PrincipalType })
export class ApiKeyPrincipalType extends PrincipalType {
  @Field(() => ApiKeyType) key!: ApiKeyType
}

@ObjectType('Membership')
export class MembershipType {
  @Field(() => ID) id!: string
  @Field(() => Role) role!: ValueOf<typeof Role>
  @Field(() => Timestamp) since!: bigint
  @Field(() => UserType) user!: UserType
  /** Looked up when selected: field `namespace` of the resolver. */
  namespaceId!: NamespaceId
}

@ObjectType('MembershipEdge')
export class MembershipEdgeType {
  @Field(() => String) cursor!: string
  @Field(() => MembershipType) node!: MembershipType
}

@ObjectType('MembershipConnection')
export class MembershipConnectionType {
  @Field(() => [MembershipEdgeType]) edges!: readonly MembershipEdgeType[]
  @Field(() => [MembershipType]) nodes!: readonly MembershipType[]
  @Field(() => PageInfoType) pageInfo!: PageInfoType
  @Field(() => Int) totalCount!: number
}

@ObjectType('Invitation')
export class InvitationType {
  @Field(() => ID) id!: string
  @Field(() => Role) role!: ValueOf<typeof Role>
  @Field(() => Timestamp) expiresAt!: bigint
  /** Looked up when selected: field `invitedBy` of the resolver. */
  namespaceId!: NamespaceId
  invitedById!: string
}

@ObjectType('AuditEntry')
export class AuditEntryType {
  @Field(() => ID) id!: string
  @Field(() => Timestamp) at!: bigint
  @Field(() => String) action!: string
  @Field(() => String, { nullable: true }) target!: string | null
  @Field(() => JSONObject, { nullable: true }) detail!: object | null
  /** Looked up when selected: field `actor` of the resolver. */
  namespaceId!: NamespaceId | null
  actorId!: string | null
}

@ObjectType('AuditEntryEdge')
export class AuditEntryEdgeType {
  @Field(() => String) cursor!: string
  @Field(() => AuditEntryType) node!: AuditEntryType
}

@ObjectType('AuditEntryConnection')
export class AuditEntryConnectionType {
  @Field(() => [AuditEntryEdgeType]) edges!: readonly AuditEntryEdgeType[]
  @Field(() => [AuditEntryType]) nodes!: readonly AuditEntryType[]
  @Field(() => PageInfoType) pageInfo!: PageInfoType
}

@ObjectType('Viewer')
export class ViewerType {
  @Field(() => PrincipalType) principal!: PrincipalType
}
