import { Arg, Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql'
import { resolveWindow } from '../src/domain/time-range.js'
import { formatNs } from '../src/domain/timestamp.js'
import { PageArgs } from '../schema/access.input.js'
import { ApiKeyType, AuditEntryConnectionType, InvitationType, MembershipConnectionType } from '../schema/access.type.js'
import { NamespaceType, UsagePointType } from '../schema/namespace.type.js'
import { TimeRangeInput } from '../schema/shared.input.js'
import { type Context, signedIn } from './context.js'
import { cutPage, pageSize, toConnection } from './page.js'
import { nullWithoutRights } from './refusals.js'
import { nsOfMs, toApiKey, toAuditEntry, toInvitation, toMembership } from './to-access.js'

const DEFAULT_PAGE = 50
const DAY_LENGTH = 10

/** Fields of the GraphQL type `Namespace`. */
@Resolver(() => NamespaceType)
export class NamespaceResolver {
  @FieldResolver(() => [UsagePointType], { description: 'Ingested volume per day and signal, for at most 366 days.' })
  async usage(
    @Root() namespace: NamespaceType,
    @Arg('range', () => TimeRangeInput, { description: 'Window; whole UTC days are counted.' }) range: TimeRangeInput,
    @Ctx() context: Context
  ): Promise<UsagePointType[]> {
    const window = resolveWindow(range.from, range.to, nsOfMs(context.nowMs()), 0)
    const days = {
      from: formatNs(window.startNs).slice(0, DAY_LENGTH),
      to: formatNs(window.endNs - 1n).slice(0, DAY_LENGTH)
    }
    const { rows } = await context.use.usage.of(context.principal, namespace.id, days)
    return rows.map(({ day, signal, stored, bytes, rejected, dropped }) => ({
      day: `${day}T00:00:00.000000000Z`,
      signal,
      items: stored,
      bytes,
      ...{ rejected, dropped }
    }))
  }

  @FieldResolver(() => MembershipConnectionType, {
    description: 'Users of the namespace and their roles, oldest membership first.'
  })
  async members(
    @Root() namespace: NamespaceType,
    @Args(() => PageArgs) args: PageArgs,
    @Ctx() context: Context
  ): Promise<MembershipConnectionType> {
    const members = (await context.loaders.members.load(namespace.id)).map(toMembership)
    return { ...cutPage(members, args, member => member.id), totalCount: members.length }
  }

  @FieldResolver(() => [InvitationType], { nullable: true, description: 'Open invitations; null unless the caller is an admin.' })
  async invitations(@Root() namespace: NamespaceType, @Ctx() context: Context): Promise<InvitationType[] | null> {
    return nullWithoutRights(async () => (await context.use.invitations.list(signedIn(context), namespace.id)).map(toInvitation))
  }

  @FieldResolver(() => [ApiKeyType], {
    nullable: true,
    description: 'API keys including revoked ones, latest first; null unless the caller is an admin.'
  })
  async apiKeys(@Root() namespace: NamespaceType, @Ctx() context: Context): Promise<ApiKeyType[] | null> {
    return nullWithoutRights(async () =>
      (await context.use.apiKeys.list(signedIn(context), namespace.id)).map(key => toApiKey(key, namespace.id))
    )
  }

  @FieldResolver(() => AuditEntryConnectionType, {
    nullable: true,
    description: 'Security-relevant actions, latest first; null unless the caller is an admin.'
  })
  async auditLog(
    @Root() namespace: NamespaceType,
    @Args(() => PageArgs) args: PageArgs,
    @Ctx() context: Context
  ): Promise<AuditEntryConnectionType | null> {
    const limit = pageSize(args.first, DEFAULT_PAGE)
    return nullWithoutRights(async () => {
      const page = { limit, ...(args.after == null ? {} : { before: args.after }) }
      const { entries, hasMore } = await context.use.audit.list(signedIn(context), namespace.id, page)
      return toConnection(entries.map(toAuditEntry), { hasMore, after: args.after }, entry => entry.id)
    })
  }
}
