import swagger from '@fastify/swagger'
import type { FastifyInstance, FastifySchema } from 'fastify'
import { ERROR_CODES } from '../domain/errors.js'
import { PROBLEM_TYPE } from './error-reply.js'
import { type DescribedDocument, describeOperations } from './operation-docs/describe-operations.js'

/** Where the document is served. */
const OPENAPI_PATH = '/api/v1/openapi.json'

const ERROR_ITEM = {
  $id: 'ErrorItem',
  type: 'object',
  description: 'Why one record of a batch, one field or one word of a query was rejected.',
  required: ['code', 'detail'],
  properties: {
    index: { type: 'integer', description: 'Position in the batch.' },
    code: { type: 'string', enum: [...ERROR_CODES] },
    field: { type: 'string', description: 'Dotted path of the invalid field.' },
    detail: { type: 'string' }
  }
}

const PROBLEM = {
  $id: 'Problem',
  type: 'object',
  description: 'RFC 9457 problem details.',
  required: ['type', 'title', 'status', 'code', 'detail', 'instance', 'retryable', 'errors', 'suggestions'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    code: { type: 'string', enum: [...ERROR_CODES] },
    detail: { type: 'string' },
    instance: { type: 'string' },
    retryable: { type: 'boolean' },
    errors: { type: 'array', items: { $ref: 'ErrorItem#' } },
    suggestions: { type: 'array', items: { type: 'string' } },
    accepted: { type: 'integer' },
    rejected: { type: 'integer' }
  },
  additionalProperties: true
}

/** Schemas that every route may name: `{ $ref: 'Problem#' }`, `{ $ref: 'ErrorItem#' }`. */
export const SHARED_SCHEMAS: Readonly<Record<string, object>> = { ErrorItem: ERROR_ITEM, Problem: PROBLEM }

const problemResponse = (description: string): object => ({
  description,
  content: { [PROBLEM_TYPE]: { schema: { $ref: 'Problem#' } } }
})

/** Every operation may return a problem; a route names only its own successes. */
function withProblems(schema: FastifySchema): FastifySchema {
  const response = (schema.response ?? {}) as Record<string, unknown>
  return {
    ...schema,
    response: {
      ...response,
      '4XX': problemResponse('The request is invalid.'),
      '5XX': problemResponse('The service failed, or cannot serve the request now.'),
      ...response
    }
  }
}

const SECURITY_SCHEMES = {
  session: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'Access token of register, login or refresh.' },
  query_key: { type: 'http', scheme: 'bearer', description: 'API key of kind query; also taken as X-API-Key.' },
  api_key: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'API key of kind ingest, query or rum.' },
  rum_key: { type: 'apiKey', in: 'query', name: 'key', description: 'Public key of kind rum, for beacons.' }
} as const

const DESCRIPTION =
  'Logs, metrics, page timings and errors in; searches, series and summaries out. Every record belongs to exactly one namespace.'

/** Gathers the document from the schemas of the routes that are registered after it. */
export async function describeRoutes(app: FastifyInstance, version: string): Promise<void> {
  for (const schema of Object.values(SHARED_SCHEMAS)) app.addSchema(schema)
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Alidade', version, description: DESCRIPTION },
      servers: [{ url: '/' }],
      components: { securitySchemes: SECURITY_SCHEMES }
    },
    refResolver: {
      buildLocalReference: (json, _baseUri, _fragment, i) => (typeof json['$id'] === 'string' ? json['$id'] : `def-${i}`)
    },
    transform: ({ schema, url }) => ({ schema: schema?.hide === true ? schema : withProblems(schema ?? {}), url })
  })
}

/** Serves the document at `/api/v1/openapi.json`. */
export function openapiRoute(app: FastifyInstance): void {
  let document: string | null = null
  app.get(
    OPENAPI_PATH,
    {
      schema: {
        operationId: 'getOpenApi',
        tags: ['operations'],
        response: {
          200: { description: 'OpenAPI 3.1', type: 'object', required: ['openapi', 'paths'], additionalProperties: true }
        }
      }
    },
    async (_request, reply) => {
      document ??= JSON.stringify(describeOperations(app.swagger() as DescribedDocument))
      return reply.header('content-type', 'application/json; charset=utf-8').send(document)
    }
  )
}
