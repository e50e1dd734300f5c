import { Arg, Args, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql'
import { PageArgs } from '../schema/access.input.js'
import { COST_OF_A_LINK } from '../schema/cost.js'
import { NotificationChannelInput } from '../schema/notification.input.js'
import { DeliveryPayload, NotificationChannelPayload } from '../schema/notification.payload.js'
import { DeliveryConnectionType, NotificationChannelType } from '../schema/notification.type.js'
import { DeletePayload } from '../schema/payload.type.js'
import type { ChannelInput } from '../src/alerting/notify/manage/channel-input.js'
import { type Context, signedIn } from './context.js'
import { toConnection } from './page.js'
import { payload } from './refusals.js'
import { toChannel, toDelivery } from './to-notification.js'

function toInput({ name, kind, target, format, signature, events, enabled }: NotificationChannelInput): ChannelInput {
  return {
    ...{ name, kind },
    target: target ?? undefined,
    format: format ?? undefined,
    signature: signature ?? undefined,
    events: events ?? undefined,
    enabled: enabled ?? undefined
  }
}

/** Queries and mutations of notification channels. */
@Resolver(() => NotificationChannelType)
export class ChannelResolver {
  @Query(() => [NotificationChannelType], { nullable: true, description: 'Notification channels, by name.' })
  async notificationChannels(@Ctx() { use, principal, namespace }: Context): Promise<NotificationChannelType[]> {
    return (await use.channels.list(principal, await namespace())).map(toChannel)
  }

  @FieldResolver(() => DeliveryConnectionType, { complexity: COST_OF_A_LINK, description: 'What was sent to it, latest first.' })
  async deliveries(
    @Root() channel: NotificationChannelType,
    @Args(() => PageArgs) { first, after }: PageArgs,
    @Ctx() { use, namespace }: Context
  ): Promise<DeliveryConnectionType> {
    const list = await use.deliveries.list(await namespace(), channel.id, { first, after: after ?? undefined })
    return toConnection(list.deliveries.map(toDelivery), { hasMore: list.next !== null, after }, ({ id }) => id)
  }

  @Mutation(() => NotificationChannelPayload, {
    description: 'Stores a notification channel, or replaces the one with `id`. Requires role ADMIN. A namespace has at most 100.'
  })
  async saveNotificationChannel(
    @Arg('input', () => NotificationChannelInput, { description: 'Content of the channel.' }) input: NotificationChannelInput,
    @Arg('id', () => ID, { nullable: true, description: 'Channel to replace; absent for a new one.' }) id: string | undefined,
    @Ctx() context: Context
  ): Promise<NotificationChannelPayload> {
    const user = signedIn(context)
    const namespace = await context.namespace()
    return payload(async () => {
      const { channel, secret } = await context.use.channels.save(user, namespace, toInput(input), id ?? undefined)
      return { channel: toChannel(channel), secret }
    })
  }

  @Mutation(() => NotificationChannelPayload, {
    description: 'Gives a webhook a new secret; for 24 hours both sign. Requires role ADMIN.'
  })
  async rotateChannelSecret(
    @Arg('id', () => ID, { description: 'Value of `NotificationChannel.id`.' }) id: string,
    @Ctx() context: Context
  ): Promise<NotificationChannelPayload> {
    const user = signedIn(context)
    const namespace = await context.namespace()
    return payload(async () => {
      const { channel, secret } = await context.use.channels.rotate(user, namespace, id)
      return { channel: toChannel(channel), secret }
    })
  }

  @Mutation(() => DeletePayload, {
    description: 'Deletes a notification channel that the routing does not use, with its deliveries. Requires role ADMIN.'
  })
  async deleteNotificationChannel(
    @Arg('id', () => ID, { description: 'Value of `NotificationChannel.id`.' }) id: string,
    @Ctx() context: Context
  ): Promise<DeletePayload> {
    const user = signedIn(context)
    const namespace = await context.namespace()
    return payload(async () => {
      await context.use.channels.remove(user, namespace, id)
      return { deletedId: id }
    })
  }

  @Mutation(() => DeliveryPayload, {
    description: 'Sends a test to a channel, in one attempt; at most 5 a minute. Requires role MEMBER.'
  })
  async testNotificationChannel(
    @Arg('id', () => ID, { description: 'Value of `NotificationChannel.id`.' }) id: string,
    @Ctx() context: Context
  ): Promise<DeliveryPayload> {
    const user = signedIn(context)
    const namespace = await context.namespace()
    return payload(async () => ({ delivery: toDelivery(await context.use.deliveries.test(user, namespace, id)) }))
  }

  @Mutation(() => DeliveryPayload, {
    description: 'Starts the attempts of a delivery again that has not arrived. Requires role MEMBER.'
  })
  async retryDelivery(
    @Arg('id', () => ID, { description: 'Value of `Delivery.id`.' }) id: string,
    @Ctx() context: Context
  ): Promise<DeliveryPayload> {
    const user = signedIn(context)
    const namespace = await context.namespace()
    return payload(async () => ({ delivery: toDelivery(await context.use.deliveries.retry(user, namespace, id)) }))
  }
}
