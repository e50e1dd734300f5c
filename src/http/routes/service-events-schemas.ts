import {
  COUNT,
  described,
  FLAG,
  list,
  NULLABLE_TEXT,
  object,
  objectWith,
  optional,
  requiring,
  type Schema,
  type Static,
  TEXT,
  typed
} from '../json-schema.js'
import { INSTANT, listSchema, READ_HEADERS, READ_SECURITY, WINDOW_QUERY } from '../read-schemas.js'
import { NAMESPACE_HEADER, NAMESPACE_PARAMETER } from './ingest-schemas.js'

const TAGS = ['alerts']
const STRINGS = typed<Readonly<Record<string, string>>>({ type: 'object', additionalProperties: TEXT })

const text = (description: string): Schema => ({ ...NULLABLE_TEXT, description })

// It documents; the checks are those of src/ingest/service-events.
const SENT_EVENT = described(
  'Something that was done to a service. Members that are not known are ignored.',
  objectWith(['type'], {
    type: {
      ...TEXT,
      description:
        'deploy, or another word of lower-case letters, digits, _ and -, at most 64. Types with a dot are of the service itself.'
    },
    id: text(
      'Unique in the namespace, at most 128 characters: a repeat is not stored again. Default: a new one. It must not begin with `log.gap:`.'
    ),
    timestamp: { ...INSTANT, description: 'RFC 3339, or Unix s, ms, us or ns; default: now. At most 90 days ago.' },
    service: text('Service, at most 255 characters.'),
    version: text('Release that the service has from then on, at most 255 characters.'),
    environment: text('Deployment environment, at most 255 characters.'),
    title: text('Title that charts show, at most 1,024 characters.'),
    url: text('An http or https URL of details, at most 2,048 characters.'),
    attributes: { type: 'object', additionalProperties: TEXT, description: 'At most 32 strings of 1,024 characters.' } as const,
    namespace: text('Name of the namespace; step 1 of namespace resolution (docs/conventions.md).')
  })
)

/** `POST /api/v1/events`. */
export const POST_EVENT = {
  operationId: 'reportEvent',
  tags: TAGS,
  security: [{ api_key: [] }],
  querystring: optional({
    namespace: NAMESPACE_PARAMETER,
    dry_run: { ...FLAG, default: false, description: 'Checks the event without storing it.' }
  }),
  headers: {
    type: 'object',
    properties: {
      'X-Service-Namespace': NAMESPACE_HEADER,
      'Content-Encoding': { type: 'string', enum: ['gzip', 'deflate', 'br', 'identity'] }
    }
  },
  body: { content: { 'application/json': { schema: SENT_EVENT } } },
  response: {
    200: described(
      'The event is stored.',
      requiring(['status', 'namespace', 'namespace_source', 'event', 'duplicate'], {
        status: { enum: ['ok'] } as const,
        namespace: TEXT,
        namespace_source: { enum: ['body', 'header', 'query', 'api_key', 'session', 'default'] } as const,
        event: requiring(['id', 'type', 'timestamp'], { id: TEXT, type: TEXT, timestamp: TEXT }),
        duplicate: { ...FLAG, description: 'An event of this id was stored before, and this one was not.' },
        dry_run: FLAG
      })
    )
  }
}

const EVENT = object({
  id: TEXT,
  type: TEXT,
  at: TEXT,
  service: NULLABLE_TEXT,
  version: NULLABLE_TEXT,
  environment: NULLABLE_TEXT,
  title: NULLABLE_TEXT,
  url: NULLABLE_TEXT,
  attributes: STRINGS
})
/** An event in a response. */
export type ServiceEventJson = Static<typeof EVENT>

/** `GET /api/v1/events`. */
export const LIST_SERVICE_EVENTS = {
  tags: TAGS,
  security: READ_SECURITY,
  headers: READ_HEADERS,
  operationId: 'listEvents',
  querystring: optional({
    ...WINDOW_QUERY,
    type: {
      type: 'array',
      items: TEXT,
      description:
        'Only events of these types; repeatable. Default: all types that senders report. `log.gap`: lines that are missing from log streams.'
    } as const,
    service: { ...TEXT, description: 'Only events of this service.' },
    environment: { ...TEXT, description: 'Only events of this environment.' },
    limit: { ...COUNT, description: 'Events; default 50, maximum 500.' },
    cursor: { ...TEXT, description: '`page.next_cursor` of the page before.' }
  }),
  response: { 200: listSchema('Events, newest first; of the last 24 hours by default.', { events: list(EVENT) }) }
}
