import { CHANNEL_FORMATS, CHANNEL_KINDS, MESSAGE_TYPES, SIGNATURE_SCHEMES } from '../../domain/alerts/channel.js'
import { DELIVERY_STATES } from '../../domain/alerts/delivery.js'
import { NO_CONTENT, SESSION_ONLY } from '../identity-schemas.js'
import {
  described,
  FLAG,
  list,
  NULLABLE_NUMBER,
  NULLABLE_TEXT,
  NUMBER,
  object,
  optional,
  requiring,
  type Static,
  TEXT
} from '../json-schema.js'
import { READ_HEADERS, READ_SECURITY, WINDOW_QUERY } from '../read-schemas.js'

const TAGS = { tags: ['notifications'], headers: READ_HEADERS }
/** The query string of routes that have the namespace alone in it. */
const NAMESPACE = optional({ namespace: WINDOW_QUERY.namespace })
const CHANNEL_PARAMS = object({ id: TEXT })

/** A channel in a response. */
const CHANNEL = object({
  id: TEXT,
  name: TEXT,
  kind: { type: 'string', enum: CHANNEL_KINDS } as const,
  target: {
    ...TEXT,
    description: 'The URL or e-mail address for admins, else its origin or domain. Of kind slack always the origin.'
  },
  format: { type: 'string', enum: CHANNEL_FORMATS } as const,
  signature: { type: 'string', enum: SIGNATURE_SCHEMES } as const,
  events: list({ type: 'string', enum: MESSAGE_TYPES } as const),
  enabled: FLAG,
  disabled_reason: { ...NULLABLE_TEXT, description: 'Why the service disabled it.' },
  last_delivery_at: NULLABLE_TEXT,
  last_error: NULLABLE_TEXT,
  updated_at: TEXT
})
const ISSUED = object({
  channel: CHANNEL,
  secret: { ...NULLABLE_TEXT, description: 'What verifies signatures, returned this once: `whsec_...`, or `whpk_...` for v1a.' }
})
const DELIVERY = object({
  id: { ...TEXT, description: 'Also the header `webhook-id` of every attempt.' },
  type: { type: 'string', enum: MESSAGE_TYPES } as const,
  state: { type: 'string', enum: DELIVERY_STATES } as const,
  group_key: NULLABLE_TEXT,
  created_at: TEXT,
  next_attempt_at: NULLABLE_TEXT,
  attempts: list(object({ at: TEXT, status: NULLABLE_NUMBER, reason: NULLABLE_TEXT, took_ms: NUMBER }))
})
export type ChannelReply = Static<typeof CHANNEL>
export type DeliveryReply = Static<typeof DELIVERY>

const CHANNEL_BODY = {
  name: { ...TEXT, minLength: 1, maxLength: 128 },
  kind: { ...TEXT, maxLength: 32, description: 'webhook, slack, email or alertmanager.' },
  target: {
    ...TEXT,
    maxLength: 2048,
    description: 'URL, or one e-mail address. Of kind alertmanager its address without /api/v2/alerts.'
  },
  format: { ...TEXT, maxLength: 32, description: 'standard or alertmanager; for kind webhook.' },
  signature: { ...TEXT, maxLength: 8, description: 'v1 (HMAC-SHA256) or v1a (ed25519); for kind webhook.' },
  events: list({ ...TEXT, maxLength: 32 }, { maxItems: MESSAGE_TYPES.length, description: 'Types of messages; default all.' }),
  enabled: FLAG
}

/** `GET /api/v1/channels`. */
export const LIST_CHANNELS = {
  ...TAGS,
  security: READ_SECURITY,
  operationId: 'listChannels',
  querystring: NAMESPACE,
  response: { 200: described('By name.', object({ channels: list(CHANNEL) })) }
}
/** `POST /api/v1/channels`. */
export const CREATE_CHANNEL = {
  ...TAGS,
  security: SESSION_ONLY,
  operationId: 'createChannel',
  querystring: NAMESPACE,
  body: requiring(['name', 'kind', 'target'], CHANNEL_BODY),
  response: { 201: described('The channel with its secret.', ISSUED) }
}
/** `GET /api/v1/channels/{id}`. */
export const GET_CHANNEL = {
  ...TAGS,
  security: READ_SECURITY,
  operationId: 'getChannel',
  params: CHANNEL_PARAMS,
  querystring: NAMESPACE,
  response: { 200: described('The channel.', object({ channel: CHANNEL })) }
}
/** `PUT /api/v1/channels/{id}`. */
export const REPLACE_CHANNEL = {
  ...TAGS,
  security: SESSION_ONLY,
  operationId: 'replaceChannel',
  params: CHANNEL_PARAMS,
  querystring: NAMESPACE,
  body: requiring(['name', 'kind'], CHANNEL_BODY),
  response: { 200: described('The channel; its secret if that is a new one.', ISSUED) }
}
/** `DELETE /api/v1/channels/{id}`. */
export const DELETE_CHANNEL = {
  ...TAGS,
  security: SESSION_ONLY,
  operationId: 'deleteChannel',
  params: CHANNEL_PARAMS,
  querystring: NAMESPACE,
  response: { 204: NO_CONTENT }
}
/** `POST /api/v1/channels/{id}/rotate`. */
export const ROTATE_CHANNEL = {
  ...TAGS,
  security: SESSION_ONLY,
  operationId: 'rotateChannelSecret',
  params: CHANNEL_PARAMS,
  querystring: NAMESPACE,
  response: { 200: described('The channel with its new secret.', ISSUED) }
}
/** `POST /api/v1/channels/{id}/test`. */
export const TEST_CHANNEL = {
  ...TAGS,
  security: SESSION_ONLY,
  operationId: 'testChannel',
  params: CHANNEL_PARAMS,
  querystring: NAMESPACE,
  response: { 202: described('The delivery, before its attempt.', object({ delivery: DELIVERY })) }
}
/** `GET /api/v1/channels/{id}/deliveries`. */
export const LIST_DELIVERIES = {
  ...TAGS,
  security: READ_SECURITY,
  operationId: 'listDeliveries',
  params: CHANNEL_PARAMS,
  querystring: optional({
    namespace: WINDOW_QUERY.namespace,
    limit: { type: 'integer', description: 'Deliveries of a page, 1 to 200; default 50.' } as const,
    after: { ...TEXT, maxLength: 64, description: '`next` of the previous page.' }
  }),
  response: { 200: described('Latest first.', object({ deliveries: list(DELIVERY), next: NULLABLE_TEXT })) }
}
/** `POST /api/v1/channels/{id}/deliveries/{delivery_id}/retry`. */
export const RETRY_DELIVERY = {
  ...TAGS,
  security: SESSION_ONLY,
  operationId: 'retryDelivery',
  params: object({ id: TEXT, delivery_id: TEXT }),
  querystring: NAMESPACE,
  response: { 202: described('The delivery, before its next attempt.', object({ delivery: DELIVERY })) }
}
