import { MAX_VIEWS_OF_PAGE, VIEW_SIGNALS } from '../../access/saved-view-service.js'
import { COUNT, described, list, NULLABLE_TEXT, object, optional, requiring, type Static, TEXT, typed } from '../json-schema.js'
import { PAGE, READ_HEADERS, READ_SECURITY, WINDOW_QUERY } from '../read-schemas.js'

const READ = { tags: ['views'], security: READ_SECURITY, headers: READ_HEADERS }
const WRITE = { ...READ, security: [{ session: [] }] }
const NAMESPACE = optional({ namespace: WINDOW_QUERY.namespace })
const ID = object({ id: TEXT })

const SIGNAL = { type: 'string', enum: VIEW_SIGNALS, description: 'Telemetry that the page shows.' } as const
const STATE = typed<object>({ type: 'object', additionalProperties: true, description: 'State of the page.' })

const VIEW = object({
  id: { ...TEXT, description: 'Opaque id, for short links.' },
  name: { ...NULLABLE_TEXT, description: 'Null for a view that only shortens a link.' },
  signal: SIGNAL,
  state: STATE,
  created_by: { ...NULLABLE_TEXT, description: 'Id of a user; null for views from before this was stored.' },
  updated_by: TEXT,
  updated_at: TEXT
})
/** A saved view in a response. */
export type ViewReply = Static<typeof VIEW>

const BODY = requiring(['signal', 'state'], {
  name: { ...NULLABLE_TEXT, description: 'At most 128 characters; absent for a short link.' },
  signal: SIGNAL,
  state: { ...STATE, description: 'State of the page, at most 16 KiB of JSON.' }
})

/** `GET /api/v1/views`. */
export const LIST_VIEWS = {
  ...READ,
  operationId: 'listViews',
  querystring: optional({
    namespace: WINDOW_QUERY.namespace,
    signal: { ...SIGNAL, description: 'Only views of this telemetry.' },
    limit: { ...COUNT, description: `Views; default 100, maximum ${MAX_VIEWS_OF_PAGE}.` },
    cursor: { ...TEXT, description: '`page.next_cursor` of the page before.' }
  }),
  response: { 200: described('Saved views with a name, by name.', object({ views: list(VIEW), page: PAGE })) }
}

/** `POST /api/v1/views`. */
export const CREATE_VIEW = {
  ...WRITE,
  operationId: 'createView',
  querystring: NAMESPACE,
  body: BODY,
  response: { 200: described('The view.', VIEW) }
}

/** `GET /api/v1/views/{id}`. */
export const GET_VIEW = {
  ...READ,
  operationId: 'getView',
  querystring: NAMESPACE,
  params: ID,
  response: { 200: described('The view.', VIEW) }
}

/** `PUT /api/v1/views/{id}`. */
export const REPLACE_VIEW = {
  ...WRITE,
  operationId: 'replaceView',
  querystring: NAMESPACE,
  params: ID,
  body: BODY,
  response: { 200: described('The view.', VIEW) }
}

/** `DELETE /api/v1/views/{id}`. */
export const DELETE_VIEW = {
  ...WRITE,
  operationId: 'deleteView',
  querystring: NAMESPACE,
  params: ID,
  response: { 200: described('Deleted.', object({ deleted: TEXT })) }
}
