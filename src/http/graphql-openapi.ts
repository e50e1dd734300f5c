const ERROR = {
  type: 'object',
  required: ['message', 'extensions'],
  properties: {
    message: { type: 'string' },
    locations: { type: 'array', items: { type: 'object' } },
    path: { type: 'array' },
    extensions: { type: 'object', required: ['code'], properties: { code: { type: 'string' } } }
  }
} as const

const ANSWER = {
  type: 'object',
  properties: { data: { type: ['object', 'null'] }, errors: { type: 'array', items: ERROR } }
} as const

const REFUSED = { ...ANSWER, required: ['errors'] } as const

/** Documentation of `POST /api/v1/graphql`; the body is checked by the handler, which answers in GraphQL's own shape. */
export const ROUTE_SCHEMA = {
  tags: ['GraphQL'],
  summary: 'Asks or changes anything in GraphQL',
  operationId: 'graphql',
  description:
    'The schema stands in schema/schema.graphql and answers introspection. Errors carry the codes of the REST interface in extensions.code. A persisted operation is named by documentId.',
  security: [{ session: [] }, { query_key: [] }],
  headers: {
    type: 'object',
    properties: { 'x-namespace-id': { type: 'string', description: 'A namespace of the caller, instead of the active one.' } }
  },
  response: {
    200: ANSWER,
    400: REFUSED,
    401: REFUSED,
    403: REFUSED,
    404: REFUSED,
    413: REFUSED,
    415: REFUSED,
    429: REFUSED,
    503: REFUSED,
    504: REFUSED
  }
} as const
