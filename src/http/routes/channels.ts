import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ChannelService } from '../../alerting/notify/manage/channel-service.js'
import type { DeliveryService } from '../../alerting/notify/manage/delivery-service.js'
import type { Principal, UserPrincipal } from '../../domain/principal.js'
import { typedRoutes } from '../json-schema.js'
import { channelJson, deliveryJson } from '../read-json/channel-json.js'
import { type ReadAccess, sendRead } from '../reader.js'
import {
  CREATE_CHANNEL,
  DELETE_CHANNEL,
  GET_CHANNEL,
  LIST_CHANNELS,
  LIST_DELIVERIES,
  REPLACE_CHANNEL,
  RETRY_DELIVERY,
  ROTATE_CHANNEL,
  TEST_CHANNEL
} from './channels-schemas.js'

const DEFAULT_PAGE_DELIVERIES = 50

/** Authentication of routes that readers read and signed-in users write. */
export interface NotificationAccess extends ReadAccess {
  readonly authenticator: {
    reader(req: FastifyRequest): Promise<Principal>
    session(req: FastifyRequest): Promise<UserPrincipal>
  }
}

/** Dependencies of `channelsRoutes`. */
export interface ChannelsDeps extends NotificationAccess {
  readonly channels: ChannelService
  readonly deliveries: DeliveryService
}

/** Registers `/api/v1/channels`. */
export function channelsRoutes(app: FastifyInstance, deps: ChannelsDeps): void {
  const routes = typedRoutes(app)
  const { authenticator, channels } = deps
  routes.get('/api/v1/channels', { schema: LIST_CHANNELS }, async (req, reply) => {
    const principal = await authenticator.reader(req)
    return sendRead(req, reply, deps, async ns => ({ channels: (await channels.list(principal, ns)).map(channelJson) }))
  })
  routes.post('/api/v1/channels', { schema: CREATE_CHANNEL }, async (req, reply) => {
    const principal = await authenticator.session(req)
    void reply.code(201).header('cache-control', 'no-store')
    return sendRead(req, reply, deps, async ns => {
      const { channel, secret } = await channels.save(principal, ns, req.body)
      return { channel: channelJson(channel), secret }
    })
  })
  routes.get('/api/v1/channels/:id', { schema: GET_CHANNEL }, async (req, reply) => {
    const principal = await authenticator.reader(req)
    return sendRead(req, reply, deps, async ns => ({ channel: channelJson(await channels.get(principal, ns, req.params.id)) }))
  })
  routes.put('/api/v1/channels/:id', { schema: REPLACE_CHANNEL }, async (req, reply) => {
    const principal = await authenticator.session(req)
    void reply.header('cache-control', 'no-store')
    return sendRead(req, reply, deps, async ns => {
      const { channel, secret } = await channels.save(principal, ns, req.body, req.params.id)
      return { channel: channelJson(channel), secret }
    })
  })
  routes.delete('/api/v1/channels/:id', { schema: DELETE_CHANNEL }, async (req, reply) => {
    const principal = await authenticator.session(req)
    await sendRead(req, reply, deps, ns => channels.remove(principal, ns, req.params.id))
    return reply.code(204).send()
  })
  routes.post('/api/v1/channels/:id/rotate', { schema: ROTATE_CHANNEL }, async (req, reply) => {
    const principal = await authenticator.session(req)
    void reply.header('cache-control', 'no-store')
    return sendRead(req, reply, deps, async ns => {
      const { channel, secret } = await channels.rotate(principal, ns, req.params.id)
      return { channel: channelJson(channel), secret }
    })
  })
  deliveryRoutes(app, deps)
}

/** Tests of channels and the log of deliveries. */
function deliveryRoutes(app: FastifyInstance, deps: ChannelsDeps): void {
  const routes = typedRoutes(app)
  const { authenticator, deliveries } = deps
  routes.post('/api/v1/channels/:id/test', { schema: TEST_CHANNEL }, async (req, reply) => {
    const principal = await authenticator.session(req)
    void reply.code(202)
    return sendRead(req, reply, deps, async ns => ({
      delivery: deliveryJson(await deliveries.test(principal, ns, req.params.id))
    }))
  })
  routes.get('/api/v1/channels/:id/deliveries', { schema: LIST_DELIVERIES }, async (req, reply) =>
    sendRead(req, reply, deps, async ns => {
      const { limit: first = DEFAULT_PAGE_DELIVERIES, after } = req.query
      const page = await deliveries.list(ns, req.params.id, { first, after })
      return { deliveries: page.deliveries.map(deliveryJson), next: page.next }
    })
  )
  routes.post('/api/v1/channels/:id/deliveries/:delivery_id/retry', { schema: RETRY_DELIVERY }, async (req, reply) => {
    const principal = await authenticator.session(req)
    void reply.code(202)
    const { id, delivery_id: deliveryId } = req.params
    return sendRead(req, reply, deps, async ns => ({
      delivery: deliveryJson(await deliveries.retry(principal, ns, deliveryId, id))
    }))
  })
}
