import { Arg, Ctx, Int, Mutation, Query, Resolver } from 'type-graphql'
import { AlertRoutingPayload } from '../schema/notification.payload.js'
import { AlertRoutingType } from '../schema/notification.type.js'
import { DeletePayload } from '../schema/payload.type.js'
import { JSONObject } from '../schema/scalars.js'
import { GatewayError } from '../src/domain/errors.js'
import { type Context, signedIn } from './context.js'
import { payload } from './refusals.js'

/** The routing of a namespace, and acknowledgements of its groups. */
@Resolver()
export class AlertRoutingResolver {
  @Query(() => AlertRoutingType, { nullable: true, description: 'Routing tree and inhibitions.' })
  async alertRouting(@Ctx() { use, namespace }: Context): Promise<AlertRoutingType> {
    return use.alertRouting.get(await namespace())
  }

  @Mutation(() => AlertRoutingPayload, {
    description: 'Replaces the routing. A stale `version` is rejected with CONFLICT. Requires role MEMBER.'
  })
  async setAlertRouting(
    @Arg('version', () => Int, { description: 'Version that was read; 0 for the first routing.' }) version: number,
    @Arg('document', () => JSONObject, { description: 'Members `route` and `inhibit`, at most 64 KiB of JSON.' })
    document: object,
    @Ctx() context: Context
  ): Promise<AlertRoutingPayload> {
    const user = signedIn(context)
    const namespace = await context.namespace()
    return payload(async () => ({ routing: await context.use.alertRouting.set(user, namespace, { version, document }) }))
  }

  @Mutation(() => DeletePayload, {
    description: 'Stops the repetitions of a group of alerts until one of them fires or resolves. Requires role MEMBER.'
  })
  async ackAlerts(
    @Arg('groupKey', () => String, { description: '`groupKey` of a notification.' }) groupKey: string,
    @Ctx() context: Context
  ): Promise<DeletePayload> {
    const user = signedIn(context)
    const namespace = await context.namespace()
    return payload(async () => {
      const isAcked = await context.use.alertAcks.ack(user, namespace, groupKey)
      if (!isAcked) throw new GatewayError('not_found', 'no group with active alerts has this key', { field: 'groupKey' })
      return { deletedId: groupKey }
    })
  }
}
