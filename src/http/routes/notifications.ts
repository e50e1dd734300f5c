import type { FastifyInstance } from 'fastify'
import type { AckService } from '../../alerting/notify/manage/ack-service.js'
import type { MuteTimeService } from '../../alerting/notify/manage/mute-time-service.js'
import type { RoutingService } from '../../alerting/notify/manage/routing-service.js'
import type { SilenceService } from '../../alerting/notify/manage/silence-service.js'
import type { Silence } from '../../domain/alerts/silence.js'
import { bareObject } from '../../domain/bare-object.js'
import { GatewayError } from '../../domain/errors.js'
import type { Label } from '../../domain/metric-point.js'
import { parseWrittenTimeNs } from '../../domain/timestamp.js'
import type { Clock } from '../../ports/clock.js'
import { typedRoutes } from '../json-schema.js'
import { sendRead } from '../reader.js'
import type { NotificationAccess } from './channels.js'
import {
  ACK_ALERTS,
  CREATE_SILENCE,
  DELETE_MUTE_TIME,
  EXPIRE_SILENCE,
  GET_ROUTING,
  LIST_MUTE_TIMES,
  LIST_SILENCES,
  PREVIEW_SILENCE,
  SAVE_MUTE_TIME,
  SET_ROUTING,
  type SilenceReply
} from './notifications-schemas.js'

const NS_PER_MS = 1_000_000n

/** Dependencies of `notificationsRoutes`. */
export interface NotificationsDeps extends NotificationAccess {
  readonly alertRouting: RoutingService
  readonly silences: SilenceService
  readonly muteTimes: MuteTimeService
  readonly alertAcks: AckService
  readonly clock: Pick<Clock, 'nowMs'>
}

function instantMs(text: string, field: string): number {
  const ns = parseWrittenTimeNs(text)
  if (ns !== null) return Number(ns / NS_PER_MS)
  throw new GatewayError('invalid_field', `${field} must be an RFC 3339 time such as 2030-01-31T00:00:00Z`, { field })
}

function silenceJson({ id, matchers, startsAtMs, endsAtMs, comment, createdBy }: Silence, nowMs: number): SilenceReply {
  return {
    ...{ id, matchers, comment },
    starts_at: new Date(startsAtMs).toISOString(),
    ends_at: new Date(endsAtMs).toISOString(),
    created_by: createdBy,
    state: endsAtMs <= nowMs ? 'expired' : startsAtMs <= nowMs ? 'active' : 'pending'
  }
}

function labelsJson(labels: readonly Label[]): Readonly<Record<string, string>> {
  const json = bareObject<string>()
  for (const { name, value } of labels) json[name] = value
  return json
}

/** Registers `/api/v1/routing`, `/api/v1/silences`, `/api/v1/mute-times` and `/api/v1/alerts/ack`. */
export function notificationsRoutes(app: FastifyInstance, deps: NotificationsDeps): void {
  routingRoutes(app, deps)
  silenceRoutes(app, deps)
  muteTimeRoutes(app, deps)
  typedRoutes(app).post('/api/v1/alerts/ack', { schema: ACK_ALERTS }, async (req, reply) => {
    const principal = await deps.authenticator.session(req)
    return sendRead(req, reply, deps, async ns => ({
      acknowledged: await deps.alertAcks.ack(principal, ns, req.body.group_key)
    }))
  })
}

function routingRoutes(app: FastifyInstance, deps: NotificationsDeps): void {
  const routes = typedRoutes(app)
  routes.get('/api/v1/routing', { schema: GET_ROUTING }, async (req, reply) =>
    sendRead(req, reply, deps, ns => deps.alertRouting.get(ns))
  )
  routes.put('/api/v1/routing', { schema: SET_ROUTING }, async (req, reply) => {
    const principal = await deps.authenticator.session(req)
    return sendRead(req, reply, deps, ns => deps.alertRouting.set(principal, ns, req.body))
  })
}

function silenceRoutes(app: FastifyInstance, deps: NotificationsDeps): void {
  const routes = typedRoutes(app)
  const { authenticator, silences, clock } = deps
  routes.get('/api/v1/silences', { schema: LIST_SILENCES }, async (req, reply) =>
    sendRead(req, reply, deps, async ns => ({
      silences: (await silences.list(ns, req.query.active ?? true)).map(silence => silenceJson(silence, clock.nowMs()))
    }))
  )
  routes.post('/api/v1/silences', { schema: CREATE_SILENCE }, async (req, reply) => {
    const principal = await authenticator.session(req)
    const { matchers, starts_at: from, ends_at: to, comment } = req.body
    void reply.code(201)
    return sendRead(req, reply, deps, async ns => {
      const times = {
        startsAtMs: from === undefined ? undefined : instantMs(from, 'starts_at'),
        endsAtMs: instantMs(to, 'ends_at')
      }
      return { silence: silenceJson(await silences.create(principal, ns, { matchers, comment, ...times }), clock.nowMs()) }
    })
  })
  routes.delete('/api/v1/silences/:id', { schema: EXPIRE_SILENCE }, async (req, reply) => {
    const principal = await authenticator.session(req)
    return sendRead(req, reply, deps, async ns => ({
      silence: silenceJson(await silences.expire(principal, ns, req.params.id), clock.nowMs())
    }))
  })
  routes.post('/api/v1/silences/preview', { schema: PREVIEW_SILENCE }, async (req, reply) =>
    sendRead(req, reply, deps, async ns => {
      const hidden = await silences.preview(ns, req.body.matchers)
      return {
        alerts: hidden.map(({ fingerprint, labels, state, value }) => ({
          ...{ fingerprint, state },
          labels: labelsJson(labels),
          value: value !== null && Number.isFinite(value) ? value : null
        }))
      }
    })
  )
}

function muteTimeRoutes(app: FastifyInstance, deps: NotificationsDeps): void {
  const routes = typedRoutes(app)
  const { authenticator, muteTimes } = deps
  routes.get('/api/v1/mute-times', { schema: LIST_MUTE_TIMES }, async (req, reply) =>
    sendRead(req, reply, deps, async ns => ({ mute_times: await muteTimes.list(ns) }))
  )
  routes.put('/api/v1/mute-times/:name', { schema: SAVE_MUTE_TIME }, async (req, reply) => {
    const principal = await authenticator.session(req)
    return sendRead(req, reply, deps, async ns => ({
      mute_time: await muteTimes.save(principal, ns, { name: req.params.name, intervals: req.body.intervals })
    }))
  })
  routes.delete('/api/v1/mute-times/:name', { schema: DELETE_MUTE_TIME }, async (req, reply) => {
    const principal = await authenticator.session(req)
    await sendRead(req, reply, deps, ns => muteTimes.remove(principal, ns, req.params.name))
    return reply.code(204).send()
  })
}
