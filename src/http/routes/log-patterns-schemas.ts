import { FILTERS_TEXT, listSchema, LOG_REPLY, MANY, QUERY_TEXT, wholeFacts, WINDOW_QUERY } from '../read-schemas.js'
import { COUNT, FLAG, list, NULLABLE_TEXT, object, optional, TEXT, typed } from '../json-schema.js'
import { MAX_NOTE_CHARS } from '../../access/pattern-service.js'
import { COMMON, each } from './logs-query-schemas.js'

const VALUES = {
  type: 'array',
  items: { type: 'object', required: ['value', 'count'], properties: { value: TEXT, count: COUNT } }
} as const

const CHANGE = {
  type: ['object', 'null'],
  description: 'Significant difference from the other window; null without one.',
  required: ['kind', 'base_count', 'base_total', 'effect', 'q'],
  properties: {
    kind: { type: 'string', enum: ['new', 'vanished', 'more', 'less'] },
    base_count: { ...COUNT, description: 'Logs of the pattern in the other window.' },
    base_total: { ...COUNT, description: 'Matching logs of the other window that have a pattern.' },
    effect: { type: 'number', description: 'Binary logarithm of the ratio of both shares: 1 is twice as much.' },
    q: { type: 'number', description: 'p-value of both shares being equal, corrected by Benjamini and Hochberg.' }
  }
} as const

const VARIABLES = {
  type: 'array',
  description: 'Variable parts of the template, in its order; only with the parameter `variables`.',
  items: {
    type: 'object',
    required: ['name', 'kind', 'values', 'distinct'],
    properties: {
      name: { ...TEXT, description: 'Key of the value, else its place: `$1` is the first.' },
      kind: { ...TEXT, description: 'As in the template: `num`, `ip`; `*` for any.' },
      values: VALUES,
      distinct: { ...COUNT, description: 'Different values.' }
    }
  }
} as const

/** As `patternJson` makes it. */
const PATTERN = typed<Readonly<Record<string, unknown>>>({
  type: 'object',
  required: ['pattern_id', 'template', 'count', 'share', 'services', 'levels', 'state', 'trend', 'samples', 'change'],
  properties: {
    pattern_id: { ...TEXT, description: 'Valid in `pattern:` of the search language, forever.' },
    template: { ...TEXT, description: 'Message with its variable parts replaced by their kinds.' },
    count: { ...COUNT, description: 'Logs of the window; exact.' },
    share: { type: 'number', description: 'Of all matching logs of the window.' },
    services: VALUES,
    levels: VALUES,
    first_seen: {
      ...NULLABLE_TEXT,
      description: 'Event time of the log that arrived first, whatever the window; older logs that arrive later do not change it.'
    },
    last_seen: { ...NULLABLE_TEXT, description: 'Event time of the latest log in the window.' },
    state: {
      type: 'string',
      enum: ['new', 'known', 'gone'],
      description: 'new: first seen within a day; gone: not in the window.'
    },
    muted: FLAG,
    note: NULLABLE_TEXT,
    trend: {
      type: 'object',
      required: ['start', 'step_ms', 'counts'],
      properties: { start: TEXT, step_ms: COUNT, counts: { type: 'array', items: COUNT } }
    },
    samples: { type: 'array', items: LOG_REPLY, description: 'Latest logs, at most three.' },
    change: CHANGE,
    variables: VARIABLES,
    variables_of: { ...COUNT, description: 'Latest logs that `variables` were read from, at most 1,000.' }
  }
})

const { namespace: NAMESPACE } = WINDOW_QUERY
const BUCKETS = { ...COUNT, description: 'Buckets of each trend; default 30, maximum 200.' }

/** `GET /api/v1/logs/patterns`. */
export const PATTERNS = {
  ...COMMON,
  operationId: 'listLogPatterns',
  querystring: optional({
    ...WINDOW_QUERY,
    limit: { ...COUNT, description: 'Patterns; default 20, maximum 100.' },
    buckets: BUCKETS,
    variables: { ...COUNT, description: 'Also read so many values of each variable part, 1 to 20; of at most 20 patterns.' },
    compare_start: { ...TEXT, description: 'Start of another window to compare with.' },
    compare_end: { ...TEXT, description: 'End of that window.' },
    ...each(MANY),
    query: QUERY_TEXT,
    filters: FILTERS_TEXT
  }),
  response: {
    200: listSchema('Patterns, most frequent first; with another window, significant changes first.', {
      patterns: list(PATTERN),
      logs: { ...COUNT, description: 'Matching logs of the window; exact.' },
      unassigned: { ...COUNT, description: 'Matching logs without a pattern.' },
      tested: { ...COUNT, description: 'Patterns that were tested against the other window.' }
    })
  }
}

const ID = object({ pattern_id: { ...TEXT, description: 'Any id that the pattern had.' } })
const ONE = wholeFacts('The pattern over the whole retention; `gone` when no log of it is left.', { pattern: PATTERN })

/** `GET /api/v1/logs/patterns/{pattern_id}`. */
export const ONE_PATTERN = {
  ...COMMON,
  operationId: 'getLogPattern',
  params: ID,
  querystring: optional({
    namespace: NAMESPACE,
    buckets: BUCKETS,
    variables: { ...COUNT, description: 'Also read so many values of each variable part, 1 to 20.' }
  }),
  response: { 200: ONE }
}

/** `PATCH /api/v1/logs/patterns/{pattern_id}`. */
export const UPDATE_PATTERN = {
  ...COMMON,
  security: [{ session: [] }],
  operationId: 'updateLogPattern',
  params: ID,
  querystring: optional({ namespace: NAMESPACE }),
  body: optional({
    note: {
      ...NULLABLE_TEXT,
      description: `At most ${MAX_NOTE_CHARS.toLocaleString('en')} characters; empty or null removes it.`
    },
    muted: FLAG
  }),
  response: { 200: ONE }
}
