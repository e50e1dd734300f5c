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

/** The given strings only: null means the same as left out. */
function given(input: RetentionInputType): RetentionInput {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value != null))
}

/** Mutations of namespaces. */
@Resolver()
export class NamespaceMutations {
  @Mutation(() => CreateNamespacePayload, { description: 'Creates a team namespace with the caller as admin.' })
  async createNamespace(
    @Arg('name', () => String, { description: '1 to 63 characters of a-z, 0-9 and -, the first not a hyphen.' }) name: string,
    @Ctx() context: Context
  ): Promise<CreateNamespacePayload> {
    const user = signedIn(context)
    return payload(async () => ({ namespace: toNamespace(await context.use.namespaces.create(user, { name })) }))
  }

  @Mutation(() => DeletePayload, {
    description: 'Deletes a namespace. Reads and writes fail at once, data is removed in the background. Requires role ADMIN.'
  })
  async deleteNamespace(
    @Arg('id', () => ID, { description: 'Id or name of the namespace.' }) id: string,
    @Arg('confirmName', () => String, { description: 'Name of the namespace, as a safeguard.' }) confirmName: string,
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

  @Mutation(() => SwitchNamespacePayload, { description: 'Makes another namespace the active one of the session.' })
  async switchNamespace(
    @Arg('id', () => ID, { description: 'Id or name of the namespace.' }) id: string,
    @Ctx() context: Context
  ): Promise<SwitchNamespacePayload> {
    const user = signedIn(context)
    return payload(async () => {
      const { namespace, accessToken } = await context.use.sessions.switchTo(user, id)
      return { namespace: toNamespace(namespace), accessToken }
    })
  }

  @Mutation(() => NamespacePayload, { description: 'Changes the retention of the active namespace. Requires role ADMIN.' })
  async setRetention(
    @Arg('input', () => RetentionInputType, { description: 'New durations.' }) input: RetentionInputType,
    @Ctx() context: Context
  ): Promise<NamespacePayload> {
    const user = signedIn(context)
    const { id } = await context.namespace()
    return payload(async () => ({ namespace: toNamespace(await context.use.namespaces.setRetention(user, id, given(input))) }))
  }

  @Mutation(() => NamespacePayload, {
    description:
      'Changes how new indices of the active namespace find substrings of messages. Requires role ADMIN, or an operator.'
  })
  async setSubstringSearch(
    @Arg('search', () => SubstringSearch, { description: 'New method.' }) search: ValueOf<typeof SubstringSearch>,
    @Ctx() context: Context
  ): Promise<NamespacePayload> {
    const user = signedIn(context)
    const { id } = await context.namespace()
    return payload(async () => ({ namespace: toNamespace(await context.use.namespaces.setSearch(user, id, search)) }))
  }
}

/** Mutations of members. */
@Resolver()
export class MemberMutations {
  @Mutation(() => InvitationPayload, {
    description: 'Creates an invitation to the active namespace; at most 100 are open. Requires role ADMIN.'
  })
  async inviteMember(
    @Arg('role', () => Role, { description: 'Role that the invited user receives.' }) role: ValueOf<typeof Role>,
    @Ctx() context: Context
  ): Promise<InvitationPayload> {
    const user = signedIn(context)
    const { id } = await context.namespace()
    return payload(async () => {
      const { invitation, token } = await context.use.invitations.create(user, id, role)
      return { invitation: toInvitation(invitation), token }
    })
  }

  @Mutation(() => MembershipPayload, { description: 'Makes the caller a member of the namespace that issued the invitation.' })
  async acceptInvitation(
    @Arg('token', () => String, { description: 'Value of `InvitationPayload.token`; valid once, for 7 days.' }) token: string,
    @Ctx() context: Context
  ): Promise<MembershipPayload> {
    const user = signedIn(context)
    return payload(async () => ({ membership: toMembership(await context.use.invitations.accept(user, token)) }))
  }

  @Mutation(() => DeletePayload, { description: 'Invalidates an open invitation. Requires role ADMIN.' })
  async revokeInvitation(
    @Arg('id', () => ID, { description: 'Value of `Invitation.id`.' }) id: string,
    @Ctx() context: Context
  ): Promise<DeletePayload> {
    const user = signedIn(context)
    const namespace = await context.namespace()
    return payload(async () => {
      await context.use.invitations.revoke(user, namespace.id, id)
      return { deletedId: id }
    })
  }

  @Mutation(() => MembershipPayload, { description: 'Changes the role of a member. Requires role ADMIN.' })
  async setMemberRole(
    @Arg('userId', () => ID, { description: 'Value of `User.id`.' }) userId: string,
    @Arg('role', () => Role, { description: 'New role.' }) role: ValueOf<typeof Role>,
    @Ctx() context: Context
  ): Promise<MembershipPayload> {
    const user = signedIn(context)
    const { id } = await context.namespace()
    const change = async () => ({ membership: toMembership(await context.use.members.setRole(user, id, userId, role)) })
    return payload(change, 'LAST_ADMIN')
  }

  @Mutation(() => DeletePayload, {
    description: 'Removes a member from the active namespace. Requires role ADMIN, except for oneself.'
  })
  async removeMember(
    @Arg('userId', () => ID, { description: 'Value of `User.id`.' }) userId: string,
    @Ctx() context: Context
  ): Promise<DeletePayload> {
    const user = signedIn(context)
    const { id } = await context.namespace()
    const change = async (): Promise<{ deletedId: string }> => {
      await context.use.members.remove(user, id, userId)
      return { deletedId: userId }
    }
    return payload(change, 'LAST_ADMIN')
  }
}
