import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql'
import { isGatewayError } from '../src/domain/errors.js'
import type { NamespaceId } from '../src/domain/ids.js'
import { ApiKeyType, AuditEntryType, InvitationType, MembershipType, PrincipalType, UserType } from '../schema/access.type.js'
import { NamespaceType } from '../schema/namespace.type.js'
import type { Context } from './context.js'
import { toKeyPrincipal, toNamespace, toUser } from './to-access.js'

/** A user of whom only the id is known; null for one who has left the namespace. */
async function memberUser(context: Context, namespaceId: NamespaceId, userId: string): Promise<UserType | null> {
  const member = (await context.loaders.members.load(namespaceId)).find(({ user }) => user.id === userId)
  return member ? toUser(member.user) : null
}

/** Those of the namespaces that the caller may read now. */
async function readable({ use, principal }: Context, ids: readonly NamespaceId[]): Promise<NamespaceType[]> {
  const found = await Promise.all(
    ids.map(id =>
      use.authorizer.readNamespace(principal, { id }).catch((error: unknown) => {
        if (isGatewayError(error, 'not_found')) return null
        throw error
      })
    )
  )
  return found.flatMap(namespace => namespace ?? []).map(toNamespace)
}

/** Fields of the GraphQL type `Membership`. */
@Resolver(() => MembershipType)
export class MembershipResolver {
  @FieldResolver(() => NamespaceType, { description: 'Where the user has the role.' })
  async namespace(@Root() membership: MembershipType, @Ctx() context: Context): Promise<NamespaceType> {
    // The list that the membership is from: its namespace may be deleted in between.
    const own = context.principal.kind === 'user' ? (await context.loaders.namespaces()).get(membership.namespaceId) : undefined
    return toNamespace(own ?? (await context.use.authorizer.readNamespace(context.principal, { id: membership.namespaceId })))
  }
}

/** Fields of the GraphQL type `Invitation`. */
@Resolver(() => InvitationType)
export class InvitationResolver {
  @FieldResolver(() => UserType, {
    nullable: true,
    description: 'Admin who created the invitation; null after that user left the namespace.'
  })
  async invitedBy(@Root() invitation: InvitationType, @Ctx() context: Context): Promise<UserType | null> {
    return memberUser(context, invitation.namespaceId, invitation.invitedById)
  }
}

/** Fields of the GraphQL type `ApiKey`. */
@Resolver(() => ApiKeyType)
export class ApiKeyResolver {
  @FieldResolver(() => [NamespaceType], { description: 'Namespaces of the key that the caller can read.' })
  async namespaces(@Root() key: ApiKeyType, @Ctx() context: Context): Promise<NamespaceType[]> {
    if (context.principal.kind === 'key') return readable(context, key.namespaceIds)
    const own = await context.loaders.namespaces()
    return key.namespaceIds.flatMap(id => own.get(id) ?? []).map(toNamespace)
  }

  @FieldResolver(() => UserType, {
    nullable: true,
    description: 'User who created the key; null for an API key as caller, and after that user left the namespace.'
  })
  async createdBy(@Root() key: ApiKeyType, @Ctx() context: Context): Promise<UserType | null> {
    return key.listedIn === null ? null : memberUser(context, key.listedIn, key.createdById)
  }
}

/** Fields of the GraphQL type `AuditEntry`. */
@Resolver(() => AuditEntryType)
export class AuditEntryResolver {
  @FieldResolver(() => PrincipalType, {
    nullable: true,
    description: 'User or API key that acted; null when it is not known in the namespace any more.'
  })
  async actor(@Root() entry: AuditEntryType, @Ctx() context: Context): Promise<PrincipalType | null> {
    if (entry.actorId === null || entry.namespaceId === null) return null
    const user = await memberUser(context, entry.namespaceId, entry.actorId)
    if (user) return user
    const keys = await context.loaders.apiKeys.load(entry.namespaceId).catch((error: unknown) => {
      if (isGatewayError(error, 'role_required')) return []
      throw error
    })
    const key = keys.find(({ id }) => id === entry.actorId)
    return key ? toKeyPrincipal(key, entry.namespaceId) : null
  }
}
