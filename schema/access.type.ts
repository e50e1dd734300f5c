import { Field, ID, Int, InterfaceType, ObjectType } from 'type-graphql'
import type { NamespaceId } from '../src/domain/ids.js'
import { PAGE } from './descriptions.js'
import { ApiKeyKind, ApiKeyState, Role, type ValueOf } from './enums.js'
import { JSONObject, Timestamp } from './scalars.js'
import { PageInfoType } from './shared.type.js'

@InterfaceType('Principal', {
  resolveType: value => ('email' in value ? 'User' : 'ApiKeyPrincipal'),
  description: 'The caller: a user or an API key.'
})
export abstract class PrincipalType {
  @Field(() => ID, { description: 'Id of the user or of the API key.' }) id!: string
}

@ObjectType('User', { implements: PrincipalType, description: 'A user account.' })
export class UserType extends PrincipalType {
  @Field(() => String, { description: 'E-mail address for signing in.' }) email!: string
  @Field(() => String, { nullable: true, description: 'Display name; null when the user set none.' }) name!: string | null
  @Field(() => Timestamp, { description: 'Time of registration.' }) createdAt!: bigint
}

@ObjectType('ApiKey', { description: 'An API key without its secret.' })
export class ApiKeyType {
  @Field(() => ID, { description: 'Identifier for `rotateApiKey` and `revokeApiKey`.' }) id!: string
  @Field(() => String, { description: 'Display name.' }) name!: string
  @Field(() => ApiKeyKind, { description: 'What the key is authorized for.' }) kind!: ValueOf<typeof ApiKeyKind>
  @Field(() => ApiKeyState, { description: 'Position in the life cycle of the key.' }) state!: ValueOf<typeof ApiKeyState>
  @Field(() => String, {
    description: 'First characters of the secret. The secret itself appears once, in the result of its creation.'
  })
  prefix!: string
  @Field(() => [String], { description: 'Origins that a key of kind RUM accepts; empty for other kinds.' })
  allowedOrigins!: readonly string[]
  @Field(() => Timestamp, { description: 'Creation time.' }) createdAt!: bigint
  @Field(() => Timestamp, {
    nullable: true,
    description: 'Time of the latest use, at most a minute late; null for an unused key.'
  })
  lastUsedAt!: bigint | null
  @Field(() => Timestamp, { nullable: true, description: 'Time at which the key expires; null for never.' })
  expiresAt!: bigint | null
  @Field(() => Timestamp, { nullable: true, description: 'Time of revocation; null for a key that is not revoked.' })
  revokedAt!: bigint | null
  /** Looked up when selected: fields `namespaces` and `createdBy` of the resolver. */
  namespaceIds!: readonly NamespaceId[]
  createdById!: string
  listedIn!: NamespaceId | null
}

@ObjectType('ApiKeyPrincipal', {
  implements: PrincipalType,
  description: 'An API key as the caller or as the actor of an audit entry.'
})
export class ApiKeyPrincipalType extends PrincipalType {
  @Field(() => ApiKeyType, { description: 'Properties of the API key.' }) key!: ApiKeyType
}

@ObjectType('Membership', { description: 'Role of a user in a namespace.' })
export class MembershipType {
  @Field(() => ID, { description: 'Namespace id and user id, joined by a dot.' }) id!: string
  @Field(() => Role, { description: 'Permissions of the user in the namespace.' }) role!: ValueOf<typeof Role>
  @Field(() => Timestamp, { description: 'Time at which the user joined.' }) since!: bigint
  @Field(() => UserType, { description: 'The member.' }) user!: UserType
  /** Looked up when selected: field `namespace` of the resolver. */
  namespaceId!: NamespaceId
}

@ObjectType('MembershipEdge', { description: 'A membership with its cursor.' })
export class MembershipEdgeType {
  @Field(() => String, { description: PAGE.cursor }) cursor!: string
  @Field(() => MembershipType, { description: 'Member at this position.' }) node!: MembershipType
}

@ObjectType('MembershipConnection', { description: 'Members of a namespace, oldest membership first.' })
export class MembershipConnectionType {
  @Field(() => [MembershipEdgeType], { description: PAGE.edges }) edges!: readonly MembershipEdgeType[]
  @Field(() => [MembershipType], { description: PAGE.nodes }) nodes!: readonly MembershipType[]
  @Field(() => PageInfoType, { description: PAGE.pageInfo }) pageInfo!: PageInfoType
  @Field(() => Int, { description: 'Number of members on all pages.' }) totalCount!: number
}

@ObjectType('Invitation', { description: 'An open invitation to a namespace.' })
export class InvitationType {
  @Field(() => ID, { description: 'Identifier for `revokeInvitation`.' }) id!: string
  @Field(() => Role, { description: 'Role that the invited user receives.' }) role!: ValueOf<typeof Role>
  @Field(() => Timestamp, { description: 'Time at which the token expires, 7 days after creation.' }) expiresAt!: bigint
  /** Looked up when selected: field `invitedBy` of the resolver. */
  namespaceId!: NamespaceId
  invitedById!: string
}

@ObjectType('AuditEntry', { description: 'An entry of the audit log.' })
export class AuditEntryType {
  @Field(() => ID, { description: 'ULID; entries sort by it.' }) id!: string
  @Field(() => Timestamp, { description: 'Time of the action.' }) at!: bigint
  @Field(() => String, { description: 'Action name, for example `key.created`.' }) action!: string
  @Field(() => String, { nullable: true, description: 'Id of the affected user, key, namespace, invitation or error group.' })
  target!: string | null
  @Field(() => JSONObject, { nullable: true, description: 'Parameters of the action; never secrets.' }) detail!: object | null
  /** Looked up when selected: field `actor` of the resolver. */
  namespaceId!: NamespaceId | null
  actorId!: string | null
}

@ObjectType('AuditEntryEdge', { description: 'An audit entry with its cursor.' })
export class AuditEntryEdgeType {
  @Field(() => String, { description: PAGE.cursor }) cursor!: string
  @Field(() => AuditEntryType, { description: 'Audit entry at this position.' }) node!: AuditEntryType
}

@ObjectType('AuditEntryConnection', { description: 'Audit entries, latest first.' })
export class AuditEntryConnectionType {
  @Field(() => [AuditEntryEdgeType], { description: PAGE.edges }) edges!: readonly AuditEntryEdgeType[]
  @Field(() => [AuditEntryType], { description: PAGE.nodes }) nodes!: readonly AuditEntryType[]
  @Field(() => PageInfoType, { description: PAGE.pageInfo }) pageInfo!: PageInfoType
}

@ObjectType('Viewer', { description: 'The caller and its active namespace.' })
export class ViewerType {
  @Field(() => PrincipalType, { description: 'User or API key of the request.' }) principal!: PrincipalType
}
