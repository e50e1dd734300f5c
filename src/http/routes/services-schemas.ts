import {
  COUNT,
  FLAG,
  list,
  NULLABLE_NUMBER,
  NULLABLE_TEXT,
  NUMBER,
  object,
  objectOrNull,
  optional,
  TEXT
} from '../json-schema.js'
import { FILTERS_TEXT, listSchema, MANY, QUERY_TEXT, READ_HEADERS, READ_SECURITY, WINDOW_QUERY } from '../read-schemas.js'

const COUNTS = list(COUNT)
const COMMON = { tags: ['apm'], security: READ_SECURITY, headers: READ_HEADERS }

/** Rate, errors and durations of calls. */
export const RED = {
  calls: COUNT,
  rate_per_second: NUMBER,
  errors: COUNT,
  error_rate: { ...NUMBER, description: 'Errors over calls.' },
  p50_ms: NULLABLE_NUMBER,
  p90_ms: NULLABLE_NUMBER,
  p95_ms: NULLABLE_NUMBER,
  p99_ms: NULLABLE_NUMBER
}

/** A service in a response. */
export const SERVICE = object({
  name: TEXT,
  ...RED,
  requests: {
    enum: ['server_consumer', 'root', 'none'],
    description: 'Spans that count as requests: kinds server and consumer; else spans without a parent.'
  } as const,
  apdex: {
    ...NULLABLE_NUMBER,
    description: 'Satisfied plus half of the tolerated requests, divided by all requests; errors are never satisfied.'
  },
  spans: { ...COUNT, description: 'Spans of any kind.' },
  last_seen: TEXT,
  state: {
    enum: ['active', 'stale', 'gone'],
    description: 'A span in the last 5 minutes, in the last 24 hours, or none.'
  } as const,
  language: { ...NULLABLE_TEXT, description: '`telemetry.sdk.language` of its latest spans.' },
  version: { ...NULLABLE_TEXT, description: '`service.version` of its latest spans.' },
  trend: objectOrNull(object({ calls: COUNTS, errors: COUNTS })),
  change: objectOrNull(
    object(
      { calls: NULLABLE_NUMBER, error_rate: NULLABLE_NUMBER, p95: NULLABLE_NUMBER },
      {
        description:
          'Compared with the preceding window of the same length: ratios of calls and p95, difference of the error rates.'
      }
    )
  )
})

/** The grid of trends; null without one. */
export const GRID = objectOrNull(object({ start: TEXT, step_s: NUMBER, length: COUNT }))

const SHAPE = {
  apdex_ms: { type: 'integer', description: 'Threshold of apdex; default 500. Up to four times as long is tolerated.' },
  buckets: { type: 'integer', description: 'Points of the trend, 0 to 500; default 30.' },
  compare: { ...FLAG, description: 'Whether to compare with the preceding window; default true.' }
} as const

const ORDER = { enum: ['name', 'rate', 'error_rate', 'p95', 'p99'] } as const

/** Services without the members of every list. */
export const SERVICES_MEMBERS = { services: list(SERVICE), grid: GRID, apdex_ms: COUNT }

/** `GET /api/v1/apm/services`. */
export const SERVICES = {
  ...COMMON,
  operationId: 'listServices',
  querystring: optional({
    ...WINDOW_QUERY,
    service: MANY,
    contains: { ...TEXT, description: 'Only services whose name contains this, case-insensitive.' },
    query: QUERY_TEXT,
    filters: FILTERS_TEXT,
    ...SHAPE,
    order: { ...ORDER, description: 'Default name; else largest first.' },
    limit: COUNT
  }),
  response: {
    200: listSchema('Services.', SERVICES_MEMBERS)
  }
}

const FACTS = list(object({ value: TEXT, spans: COUNT, last_seen: TEXT }))

/** A service without the members of every response. */
export const SERVICE_MEMBERS = {
  service: SERVICE,
  grid: GRID,
  apdex_ms: COUNT,
  operations: list(object({ name: TEXT, kind: TEXT, ...RED })),
  versions: FACTS,
  languages: FACTS,
  hosts: FACTS
}

/** `GET /api/v1/apm/services/{name}`. */
export const SERVICE_BY_NAME = {
  ...COMMON,
  operationId: 'getService',
  params: object({ name: TEXT }),
  querystring: optional({
    ...WINDOW_QUERY,
    ...SHAPE,
    operations: { type: 'integer', description: 'Operations, 0 to 1000; default 50.' } as const,
    order: { ...ORDER, description: 'Which operations come first; default rate (most calls).' }
  }),
  response: { 200: listSchema('The service.', SERVICE_MEMBERS) }
}

/** A map of services: who calls whom. */
export const MAP_MEMBERS = {
  nodes: list(object({ id: TEXT, name: TEXT, kind: { enum: ['service', 'database', 'queue', 'external'] } as const, ...RED })),
  edges: list(object({ source: TEXT, target: TEXT, protocol: NULLABLE_TEXT, ...RED }), {
    description: 'Most calls first; `source` and `target` are ids of nodes.'
  })
}

/** `GET /api/v1/apm/service-map`. */
export const SERVICE_MAP = {
  ...COMMON,
  operationId: 'getServiceMap',
  querystring: optional({
    ...WINDOW_QUERY,
    service: { ...TEXT, description: 'Only callers and callees of this service, at most `depth` calls away.' },
    depth: { type: 'integer', description: '1 to 10; default 2.' } as const,
    limit: { type: 'integer', description: 'Edges, 1 to 5000; default 1000.' } as const
  }),
  response: { 200: listSchema('Nodes and edges.', MAP_MEMBERS) }
}
