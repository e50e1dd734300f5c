import { Arg, Ctx, ID, Mutation, Resolver } from 'type-graphql'
import { GatewayError } from '../src/domain/errors.js'
import type { RetentionInput } from '../src/access/namespace-service.js'
import { RetentionInputType } from '../schema/access.input.js'
import { Role, SubstringSearch, type ValueOf } from '../schema/enums.js'
import {
  CreateNamespacePayload,
  DeletePayload,
  InvitationPayload,
  MembershipPayload,
  NamespacePayload,
  SwitchNamespacePayload
} from '../schema/payload.type.js'
import { type Context, signedIn } from './context.js'
import { payload } from './refusals.js'
import { toInvitation, toMembership, toNamespace } from './to-access.js'

/** The given texts only: null means the same as left out. */
function given(input: RetentionInputType): RetentionInput {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value != null))
}

@Resolver()
export class NamespaceMutations {
  @Mutation(() => CreateNamespacePayload)
  async createNamespace(@Arg('name', () => String) name: string, @Ctx() context: Context): Promise<CreateNamespacePayload> {
    const user = signedIn(context)
    return payload(async () => ({ namespace: toNamespace(await context.use.namespaces.create(user, { name })) }))
  }

  @Mutation(() => DeletePayload)
  async deleteNamespace(
    @Arg('id', () => ID) id: string,
    @Arg('confirmName', () => String) confirmName: string,
    @Ctx() context: Context
  ): Promise<DeletePayload> {
    const user = signedIn(context)
    return payload(async () => {
      const { name } = await context.use.namespaces.get(user, id)
      if (name !== confirmName) {
        throw new GatewayError('invalid_field', 'confirmName is not the name of this namespace', { field: 'confirmName' })
      }
      return { deletedId: (await context.use.namespaces.remove(user, id)).id }
    })
  }

  @Mutation(() => SwitchNamespacePayload)
  async switchNamespace(@Arg('id', () => ID) id: string, @Ctx() context: Context): Promise<SwitchNamespacePayload> {
    const user = signedIn(context)
    return payload(async () => {
      const { namespace, accessToken } = await context.use.sessions.switchTo(user, id)
      return { namespace: toNamespace(namespace), accessToken }
    })
  }

  @Mutation(() => NamespacePayload)
  async setRetention(
    @Arg('input', () => RetentionInputType) input: RetentionInputType,
    @Ctx() context: Context
  ): Promise<NamespacePayload> {
    const user = signedIn(context)
    const { id } = await context.namespace()
    return payload(async () => ({ namespace: toNamespace(await context.use.namespaces.setRetention(user, id, given(input))) }))
  }

  @Mutation(() => NamespacePayload, { description: 'How substrings of messages are found in indices made from now on.' })
  async setSubstringSearch(
    @Arg('search', () => SubstringSearch) search: ValueOf<typeof SubstringSearch>,
    @Ctx() context: Context
  ): Promise<NamespacePayload> {
    const user = signedIn(context)
    const { id } = await context.namespace()
    return payload(async () => ({ namespace: toNamespace(await context.use.namespaces.setSearch(user, id, search)) }))
  }
}

@Resolver()
export class MemberMutations {
  @Mutation(() => InvitationPayload)
  async inviteMember(@Arg('role', () => Role) role: ValueOf<typeof Role>, @Ctx() context: Context): Promise<InvitationPayload> {
    const user = signedIn(context)
    const { id } = await context.namespace()
    return payload(async () => {
      const { invitation, token } = await context.use.invitations.create(user, id, role)
      return { invitation: toInvitation(invitation), token }
    })
  }

  @Mutation(() => MembershipPayload)
  async acceptInvitation(@Arg('token', () => String) token: string, @Ctx() context: Context): Promise<MembershipPayload> {
    const user = signedIn(context)
    return payload(async () => ({ membership: toMembership(await context.use.invitations.accept(user, token)) }))
  }

  @Mutation(() => DeletePayload)
  async revokeInvitation(@Arg('id', () => ID) id: string, @Ctx() context: Context): Promise<DeletePayload> {
    const user = signedIn(context)
    const namespace = await context.namespace()
    return payload(async () => {
      await context.use.invitations.revoke(user, namespace.id, id)
      return { deletedId: id }
    })
  }

  @Mutation(() => MembershipPayload)
  async setMemberRole(
    @Arg('userId', () => ID) userId: string,
    @Arg('role', () => Role) role: ValueOf<typeof Role>,
    @Ctx() context: Context
  ): Promise<MembershipPayload> {
    const user = signedIn(context)
    const { id } = await context.namespace()
    const change = async () => ({ membership: toMembership(await context.use.members.setRole(user, id, userId, role)) })
    return payload(change, 'LAST_ADMIN')
  }

  @Mutation(() => DeletePayload)
  async removeMember(@Arg('userId', () => ID) userId: string, @Ctx() context: Context): Promise<DeletePayload> {
    const user = signedIn(context)
    const { id } = await context.namespace()
    const change = async (): Promise<{ deletedId: string }> => {
      await context.use.members.remove(user, id, userId)
      return { deletedId: userId }
    }
    return payload(change, 'LAST_ADMIN')
  }
}
