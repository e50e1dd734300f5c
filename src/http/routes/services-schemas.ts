import { FILTERS_TEXT, listSchema, MANY, QUERY_TEXT, READ_HEADERS, READ_SECURITY, WINDOW_QUERY } from '../read-schemas.js'

const TEXT = { type: 'string' } as const
const NULLABLE_TEXT = { type: ['string', 'null'] }
const NULLABLE_NUMBER = { type: ['number', 'null'] }
const COUNT = { type: 'integer', minimum: 0 } as const
const COUNTS = { type: 'array', items: COUNT }
const COMMON = { tags: ['apm'], security: READ_SECURITY, headers: READ_HEADERS }

const RED = {
  calls: COUNT,
  rate_per_second: { type: 'number' },
  errors: COUNT,
  error_rate: { type: 'number', description: 'Errors over calls.' },
  p50_ms: NULLABLE_NUMBER,
  p90_ms: NULLABLE_NUMBER,
  p95_ms: NULLABLE_NUMBER,
  p99_ms: NULLABLE_NUMBER
}

function whole(properties: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return { type: 'object', required: Object.keys(properties), properties }
}

const SERVICE = whole({
  name: TEXT,
  ...RED,
  requests: {
    enum: ['server_consumer', 'root', 'none'],
    description: 'Spans that count as requests: kinds server and consumer; else spans without a parent.'
  },
  apdex: {
    ...NULLABLE_NUMBER,
    description: 'Satisfied plus half of the tolerated requests, divided by all requests; errors are never satisfied.'
  },
  spans: { ...COUNT, description: 'Spans of any kind.' },
  last_seen: TEXT,
  state: { enum: ['active', 'stale', 'gone'], description: 'A span in the last 5 minutes, in the last 24 hours, or none.' },
  language: { ...NULLABLE_TEXT, description: '`telemetry.sdk.language` of its latest spans.' },
  version: { ...NULLABLE_TEXT, description: '`service.version` of its latest spans.' },
  trend: { type: ['object', 'null'], required: ['calls', 'errors'], properties: { calls: COUNTS, errors: COUNTS } },
  change: {
    type: ['object', 'null'],
    description: 'Compared with the preceding window of the same length: ratios of calls and p95, difference of the error rates.',
    required: ['calls', 'error_rate', 'p95'],
    properties: { calls: NULLABLE_NUMBER, error_rate: NULLABLE_NUMBER, p95: NULLABLE_NUMBER }
  }
})

const GRID = {
  type: ['object', 'null'],
  required: ['start', 'step_s', 'length'],
  properties: { start: TEXT, step_s: { type: 'number' }, length: COUNT }
}

const SHAPE = {
  apdex_ms: { type: 'integer', description: 'Threshold of apdex; default 500. Up to four times as long is tolerated.' },
  buckets: { type: 'integer', description: 'Points of the trend, 0 to 500; default 30.' },
  compare: { type: 'boolean', description: 'Whether to compare with the preceding window; default true.' }
}

/** `GET /api/v1/apm/services`. */
const ORDER = { enum: ['name', 'rate', 'error_rate', 'p95', 'p99'] } as const

export const SERVICES = {
  ...COMMON,
  operationId: 'listServices',
  querystring: {
    type: 'object',
    additionalProperties: false,
    properties: {
      ...WINDOW_QUERY,
      service: MANY,
      contains: { ...TEXT, description: 'Only services whose name contains this, case-insensitive.' },
      query: QUERY_TEXT,
      filters: FILTERS_TEXT,
      ...SHAPE,
      order: { ...ORDER, description: 'Default name; else largest first.' },
      limit: COUNT
    }
  },
  response: {
    200: listSchema('Services.', { services: { type: 'array', items: SERVICE }, grid: GRID, apdex_ms: COUNT })
  }
}

const FACTS = {
  type: 'array',
  items: whole({ value: TEXT, spans: COUNT, last_seen: TEXT })
}

/** `GET /api/v1/apm/services/{name}`. */
export const SERVICE_BY_NAME = {
  ...COMMON,
  operationId: 'getService',
  params: { type: 'object', required: ['name'], properties: { name: TEXT } },
  querystring: {
    type: 'object',
    additionalProperties: false,
    properties: {
      ...WINDOW_QUERY,
      ...SHAPE,
      operations: { type: 'integer', description: 'Operations, 0 to 1000; default 50.' },
      order: { ...ORDER, description: 'Which operations come first; default rate (most calls).' }
    }
  },
  response: {
    200: listSchema('The service.', {
      service: SERVICE,
      grid: GRID,
      apdex_ms: COUNT,
      operations: { type: 'array', items: whole({ name: TEXT, kind: TEXT, ...RED }) },
      versions: FACTS,
      languages: FACTS,
      hosts: FACTS
    })
  }
}

/** A map of services: who calls whom. */
export const MAP_MEMBERS = {
  nodes: {
    type: 'array',
    items: whole({ id: TEXT, name: TEXT, kind: { enum: ['service', 'database', 'queue', 'external'] }, ...RED })
  },
  edges: {
    type: 'array',
    description: 'Most calls first; `source` and `target` are ids of nodes.',
    items: whole({ source: TEXT, target: TEXT, protocol: NULLABLE_TEXT, ...RED })
  }
} as const

/** `GET /api/v1/apm/service-map`. */
export const SERVICE_MAP = {
  ...COMMON,
  operationId: 'getServiceMap',
  querystring: {
    type: 'object',
    additionalProperties: false,
    properties: {
      ...WINDOW_QUERY,
      service: { ...TEXT, description: 'Only callers and callees of this service, at most `depth` calls away.' },
      depth: { type: 'integer', description: '1 to 10; default 2.' },
      limit: { type: 'integer', description: 'Edges, 1 to 5000; default 1000.' }
    }
  },
  response: {
    200: listSchema('Nodes and edges.', MAP_MEMBERS)
  }
}
