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

const RESPONSE = {
  type: 'object',
  properties: { data: { type: ['object', 'null'] }, errors: { type: 'array', items: ERROR } }
} as const

const REFUSED = { ...RESPONSE, required: ['errors'] } as const

/** Documentation of `POST /api/v1/graphql`; the handler validates the body, and responds in GraphQL's own form. */
export const ROUTE_SCHEMA = {
  tags: ['GraphQL'],
  operationId: 'graphql',
  security: [{ session: [] }, { query_key: [] }],
  headers: {
    type: 'object',
    properties: { 'x-namespace-id': { type: 'string', description: 'A namespace of the caller; default the active namespace.' } }
  },
  response: {
    200: RESPONSE,
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
