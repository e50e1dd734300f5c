import { ALERT_STATES } from '../../domain/alerts/alert-state.js'
import { NO_CONTENT, SESSION_ONLY } from '../identity-schemas.js'
import {
  COUNT,
  described,
  FLAG,
  list,
  NULLABLE_NUMBER,
  object,
  optional,
  requiring,
  type Static,
  TEXT,
  typed
} from '../json-schema.js'
import { READ_HEADERS, READ_SECURITY, WINDOW_QUERY } from '../read-schemas.js'

const TAGS = { tags: ['notifications'], headers: READ_HEADERS }
const NAMESPACE = optional({ namespace: WINDOW_QUERY.namespace })
/** Any object; its content is checked by the use case, which names the faulty member. */
const FREE_OBJECT = typed<object>({ type: 'object', additionalProperties: true })
const STRINGS = typed<Readonly<Record<string, string>>>({ type: 'object', additionalProperties: TEXT })
const MATCHERS = list(
  { ...TEXT, maxLength: 2048 },
  { maxItems: 20, description: 'In the text form of Alertmanager: `severity="critical"`, with = != =~ !~.' }
)
const INSTANT_TEXT = { ...TEXT, maxLength: 64, description: 'RFC 3339.' }

/** The routing in a response. */
const ROUTING = object({
  version: COUNT,
  document: FREE_OBJECT,
  warnings: list(TEXT)
})
/** A silence in a response. */
const SILENCE = object({
  id: TEXT,
  matchers: list(TEXT),
  starts_at: TEXT,
  ends_at: TEXT,
  comment: TEXT,
  created_by: TEXT,
  state: { type: 'string', enum: ['pending', 'active', 'expired'] } as const
})
const HIDDEN_ALERT = object({
  fingerprint: TEXT,
  labels: STRINGS,
  state: { type: 'string', enum: ALERT_STATES } as const,
  value: { ...NULLABLE_NUMBER, description: 'Null without one, and for NaN and infinities.' }
})
const MUTE_TIME = object({ name: TEXT, intervals: list(FREE_OBJECT) })
export type SilenceReply = Static<typeof SILENCE>

/** `GET /api/v1/routing`. */
export const GET_ROUTING = {
  ...TAGS,
  security: READ_SECURITY,
  operationId: 'getRouting',
  querystring: NAMESPACE,
  response: { 200: described('The routing tree and inhibitions.', ROUTING) }
}
/** `PUT /api/v1/routing`. */
export const SET_ROUTING = {
  ...TAGS,
  security: SESSION_ONLY,
  operationId: 'setRouting',
  querystring: NAMESPACE,
  body: requiring(['version', 'document'], {
    version: { ...COUNT, description: 'The version that was read.' },
    document: FREE_OBJECT
  }),
  response: { 200: described('The new routing.', ROUTING) }
}
/** `GET /api/v1/silences`. */
export const LIST_SILENCES = {
  ...TAGS,
  security: READ_SECURITY,
  operationId: 'listSilences',
  querystring: optional({
    namespace: WINDOW_QUERY.namespace,
    active: { ...FLAG, default: true, description: 'Only silences that are not over.' }
  }),
  response: { 200: described('Silences.', object({ silences: list(SILENCE) })) }
}
/** `POST /api/v1/silences`. */
export const CREATE_SILENCE = {
  ...TAGS,
  security: SESSION_ONLY,
  operationId: 'createSilence',
  querystring: NAMESPACE,
  body: requiring(['matchers', 'ends_at', 'comment'], {
    matchers: MATCHERS,
    starts_at: { ...INSTANT_TEXT, description: 'RFC 3339; default now.' },
    ends_at: INSTANT_TEXT,
    comment: { ...TEXT, minLength: 1, maxLength: 1000 }
  }),
  response: { 201: described('The silence.', object({ silence: SILENCE })) }
}
/** `DELETE /api/v1/silences/{id}`. */
export const EXPIRE_SILENCE = {
  ...TAGS,
  security: SESSION_ONLY,
  operationId: 'expireSilence',
  params: object({ id: TEXT }),
  querystring: NAMESPACE,
  response: { 200: described('The silence, which is over.', object({ silence: SILENCE })) }
}
/** `POST /api/v1/silences/preview`. */
export const PREVIEW_SILENCE = {
  ...TAGS,
  security: READ_SECURITY,
  operationId: 'previewSilence',
  querystring: NAMESPACE,
  body: requiring(['matchers'], { matchers: MATCHERS, namespace: WINDOW_QUERY.namespace }),
  response: { 200: described('Alerts that the silence would hide now; at most 1,000.', object({ alerts: list(HIDDEN_ALERT) })) }
}
/** `GET /api/v1/mute-times`. */
export const LIST_MUTE_TIMES = {
  ...TAGS,
  security: READ_SECURITY,
  operationId: 'listMuteTimes',
  querystring: NAMESPACE,
  response: { 200: described('By name.', object({ mute_times: list(MUTE_TIME) })) }
}
/** `PUT /api/v1/mute-times/{name}`. */
export const SAVE_MUTE_TIME = {
  ...TAGS,
  security: SESSION_ONLY,
  operationId: 'saveMuteTime',
  params: object({ name: TEXT }),
  querystring: NAMESPACE,
  body: requiring(['intervals'], { intervals: list(FREE_OBJECT, { maxItems: 50 }) }),
  response: { 200: described('The mute time.', object({ mute_time: MUTE_TIME })) }
}
/** `DELETE /api/v1/mute-times/{name}`. */
export const DELETE_MUTE_TIME = {
  ...TAGS,
  security: SESSION_ONLY,
  operationId: 'deleteMuteTime',
  params: object({ name: TEXT }),
  querystring: NAMESPACE,
  response: { 204: NO_CONTENT }
}
/** `POST /api/v1/alerts/ack`. */
export const ACK_ALERTS = {
  ...TAGS,
  security: SESSION_ONLY,
  operationId: 'ackAlerts',
  querystring: NAMESPACE,
  body: requiring(['group_key'], { group_key: { ...TEXT, maxLength: 65536, description: '`groupKey` of a notification.' } }),
  response: { 200: described('Whether a group with active alerts has this key.', object({ acknowledged: FLAG })) }
}
