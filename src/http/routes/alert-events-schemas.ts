import { COUNT, FLAG, list, NULLABLE_NUMBER, object, optional, type Static, TEXT } from '../json-schema.js'
import { listSchema, WINDOW_QUERY } from '../read-schemas.js'
import { READ, STATE, STRINGS } from './alerts-schemas.js'

const EVENT = object({
  id: TEXT,
  at: { ...TEXT, description: 'The evaluation time.' },
  rule_id: TEXT,
  rule_version: COUNT,
  fingerprint: TEXT,
  from: STATE,
  to: STATE,
  starts_at: TEXT,
  late: { ...FLAG, description: 'Evaluated more than an interval after its time.' },
  value: NULLABLE_NUMBER,
  labels: STRINGS,
  annotations: STRINGS
})
/** A transition in a response. */
export type EventReply = Static<typeof EVENT>

/** `GET /api/v1/alerts/events`. */
export const LIST_EVENTS = {
  ...READ,
  operationId: 'listAlertEvents',
  querystring: optional({
    ...WINDOW_QUERY,
    rule_id: { type: 'array', items: TEXT, description: 'Only events of these rules; repeatable.' } as const,
    fingerprint: { ...TEXT, description: 'Only events of this alert.' },
    limit: { ...COUNT, description: 'Events; default 50, maximum 500.' },
    cursor: { ...TEXT, description: '`page.next_cursor` of the page before.' }
  }),
  response: { 200: listSchema('Events, newest first; of the last 24 hours by default.', { events: list(EVENT) }) }
}
