import { Arg, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql'
import { UserType } from '../schema/access.type.js'
import { AlertInstanceType } from '../schema/alert.type.js'
import { COST_OF_A_LINK, COST_OF_A_SEARCH } from '../schema/cost.js'
import { SilenceInput } from '../schema/notification.input.js'
import { MuteTimePayload, SilencePayload } from '../schema/notification.payload.js'
import { MuteTimeType, SilenceType } from '../schema/notification.type.js'
import { DeletePayload } from '../schema/payload.type.js'
import { JSONObject } from '../schema/scalars.js'
import { type Context, signedIn } from './context.js'
import { instantMs } from './instant.js'
import { payload } from './refusals.js'
import { toUser } from './to-access.js'
import { toAlertInstance } from './to-alert.js'
import { activeAlertsOnce, toSilence } from './to-notification.js'

/** Queries and mutations of silences. */
@Resolver(() => SilenceType)
export class SilenceResolver {
  @Query(() => [SilenceType], { nullable: true, description: 'Silences, those that end first before others.' })
  async silences(
    @Arg('active', () => Boolean, { nullable: true, defaultValue: true, description: 'Only silences that are not over.' })
    active: boolean | null,
    @Ctx() context: Context
  ): Promise<SilenceType[]> {
    const activeAlerts = activeAlertsOnce(context)
    const silences = await context.use.silences.list(await context.namespace(), active ?? true)
    return silences.map(silence => toSilence(silence, activeAlerts))
  }

  @FieldResolver(() => UserType, {
    nullable: true,
    complexity: COST_OF_A_LINK,
    description: 'Who made it; null for a user who left the namespace.'
  })
  async createdBy(@Root() { createdById }: SilenceType, @Ctx() context: Context): Promise<UserType | null> {
    const members = await context.loaders.members.load((await context.namespace()).id)
    const user = members.find(member => member.user.id === createdById)?.user
    return user === undefined ? null : toUser(user)
  }

  @FieldResolver(() => [AlertInstanceType], {
    complexity: COST_OF_A_SEARCH,
    description: 'Present alerts that match, at most 1,000.'
  })
  async hides(@Root() { matchers, activeAlerts }: SilenceType, @Ctx() { use }: Context): Promise<AlertInstanceType[]> {
    return use.silences.hidden(await activeAlerts(), matchers).map(toAlertInstance)
  }

  @Query(() => [AlertInstanceType], {
    nullable: true,
    complexity: COST_OF_A_SEARCH,
    description: 'Present alerts that a silence with these matchers would hide, at most 1,000.'
  })
  async silencePreview(
    @Arg('matchers', () => [String], { description: 'Matchers such as `severity="critical"`; all must match.' })
    matchers: string[],
    @Ctx() { use, namespace }: Context
  ): Promise<AlertInstanceType[]> {
    return (await use.silences.preview(await namespace(), matchers)).map(toAlertInstance)
  }

  @Mutation(() => SilencePayload, {
    description: 'Makes a silence. Requires role MEMBER. A namespace has at most 200 at a time.'
  })
  async createSilence(
    @Arg('input', () => SilenceInput, { description: 'Content of the silence.' }) input: SilenceInput,
    @Ctx() context: Context
  ): Promise<SilencePayload> {
    const user = signedIn(context)
    const namespace = await context.namespace()
    return payload(async () => {
      const { matchers, comment, startsAt, endsAt } = input
      const nowMs = context.nowMs()
      const startsAtMs = startsAt == null ? undefined : instantMs(startsAt, nowMs, 'startsAt')
      const times = { startsAtMs, endsAtMs: instantMs(endsAt, nowMs, 'endsAt') }
      const silence = await context.use.silences.create(user, namespace, { matchers, comment, ...times })
      return { silence: toSilence(silence, activeAlertsOnce(context)) }
    })
  }

  @Mutation(() => SilencePayload, { description: 'Ends a silence now. Requires role MEMBER.' })
  async expireSilence(
    @Arg('id', () => ID, { description: 'Value of `Silence.id`.' }) id: string,
    @Ctx() context: Context
  ): Promise<SilencePayload> {
    const user = signedIn(context)
    const namespace = await context.namespace()
    return payload(async () => {
      const silence = await context.use.silences.expire(user, namespace, id)
      return { silence: toSilence(silence, activeAlertsOnce(context)) }
    })
  }

  @Query(() => [MuteTimeType], { nullable: true, description: 'Mute times, by name.' })
  async muteTimes(@Ctx() { use, namespace }: Context): Promise<MuteTimeType[]> {
    return [...(await use.muteTimes.list(await namespace()))]
  }

  @Mutation(() => MuteTimePayload, {
    description: 'Stores a mute time, or replaces the one of this name. Requires role MEMBER. A namespace has at most 100.'
  })
  async saveMuteTime(
    @Arg('name', () => ID, { description: 'Name, at most 128 characters.' }) name: string,
    @Arg('intervals', () => [JSONObject], { description: 'Intervals, as `MuteTime.intervals` has them.' }) intervals: object[],
    @Ctx() context: Context
  ): Promise<MuteTimePayload> {
    const user = signedIn(context)
    const namespace = await context.namespace()
    return payload(async () => ({ muteTime: await context.use.muteTimes.save(user, namespace, { name, intervals }) }))
  }

  @Mutation(() => DeletePayload, { description: 'Deletes a mute time that the routing does not use. Requires role MEMBER.' })
  async deleteMuteTime(
    @Arg('name', () => ID, { description: 'Value of `MuteTime.name`.' }) name: string,
    @Ctx() context: Context
  ): Promise<DeletePayload> {
    const user = signedIn(context)
    const namespace = await context.namespace()
    return payload(async () => {
      await context.use.muteTimes.remove(user, namespace, name)
      return { deletedId: name }
    })
  }
}
