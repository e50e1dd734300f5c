import { Ctx, FieldResolver, Query, Resolver, Arg, Mutation } from 'type-graphql'
import { isGone } from '../src/access/requested-namespace.js'
import type { MemberView } from '../src/access/views.js'
import { MembershipType, PrincipalType, ViewerType } from '../schema/access.type.js'
import { Role } from '../schema/enums.js'
import { NamespaceType } from '../schema/namespace.type.js'
import { type Context, signedIn } from './context.js'
import { toKeyPrincipal, toMembership, toNamespace, toUser } from './to-access.js'
import { ChangePasswordPayload } from '../schema/payload.type.js'
import { payload } from './refusals.js'

/** The caller's own memberships. A namespace whose deletion is in progress is listed, but cannot be read. */
async function ownMemberships(context: Context): Promise<readonly MemberView[]> {
  const { userId } = signedIn(context)
  const namespaces = [...(await context.loaders.namespaces()).values()].filter(
    namespace => namespace.role !== null && !isGone(namespace)
  )
  const members = await Promise.all(namespaces.map(async namespace => context.loaders.members.load(namespace.id)))
  return members.flatMap(list => list.filter(member => member.user.id === userId))
}

/** Fields of the GraphQL type `Viewer`. */
@Resolver(() => ViewerType)
export class ViewerResolver {
  @Query(() => ViewerType, { description: 'Describes the caller.' })
  viewer(): object {
    return {}
  }

  @Query(() => NamespaceType, { description: 'The active namespace, or the one of the header `X-Namespace-ID`.' })
  async namespace(@Ctx() context: Context): Promise<NamespaceType> {
    return toNamespace(await context.namespace())
  }

  @FieldResolver(() => PrincipalType, { description: 'User or API key of the request.' })
  async principal(@Ctx() context: Context): Promise<PrincipalType> {
    const { principal, use } = context
    // Who made the key is for members to see.
    return principal.kind === 'key'
      ? toKeyPrincipal(await use.apiKeys.self(principal), null)
      : toUser(await use.members.self(principal))
  }

  @FieldResolver(() => NamespaceType, {
    name: 'namespace',
    description: 'The active namespace, or the one of the header `X-Namespace-ID`.'
  })
  async activeNamespace(@Ctx() context: Context): Promise<NamespaceType> {
    return toNamespace(await context.namespace())
  }

  @FieldResolver(() => Role, { nullable: true, description: 'Role of the caller in that namespace; null without one.' })
  async role(@Ctx() context: Context): Promise<string | null> {
    return context.use.authorizer.roleIn(context.principal, (await context.namespace()).id)
  }

  @FieldResolver(() => [MembershipType], {
    description: 'All memberships of the user, that of the active namespace included; empty for API keys.'
  })
  async memberships(@Ctx() context: Context): Promise<MembershipType[]> {
    if (context.principal.kind === 'key') return []
    return (await ownMemberships(context)).map(toMembership)
  }
}

const FIELDS = { current: 'currentPassword', next: 'newPassword' }

/** Mutations of passwords. */
@Resolver()
export class PasswordMutations {
  @Mutation(() => ChangePasswordPayload, {
    description: "Changes the caller's password and ends their other sessions. Limited to 5 attempts a minute, sign-ins included."
  })
  async changePassword(
    @Arg('currentPassword', () => String, { description: 'Password until now.' }) currentPassword: string,
    @Arg('newPassword', () => String, { description: 'Password from now on, 8 to 256 characters.' }) newPassword: string,
    @Ctx() context: Context
  ): Promise<ChangePasswordPayload> {
    const user = signedIn(context)
    const { address, use } = context
    return payload(async () => {
      await use.passwordChange.change(user, { currentPassword, newPassword, address }, FIELDS)
      return { user: toUser(await use.members.self(user)) }
    })
  }
}
