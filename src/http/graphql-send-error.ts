import type { FastifyReply, FastifyRequest } from 'fastify'
import { toProblem } from './error-reply.js'
import { toGatewayError } from './error-translation.js'
import { namedMediaType } from './accept.js'
import { toGraphqlError } from './graphql-errors.js'
import { GraphqlRefusal } from './graphql-refusal.js'
import { logFault } from './log-fault.js'

// GraphQL over HTTP (graphql.github.io/graphql-over-http): the older type for clients that do not name the newer one.
const JSON_TYPE = 'application/json'
const RESPONSE_TYPE = 'application/graphql-response+json'

/** The content type of a response to a GraphQL client, by its `Accept` header. */
function contentType(request: FastifyRequest): string {
  return `${namedMediaType(request.headers.accept, [RESPONSE_TYPE, JSON_TYPE]) ?? JSON_TYPE}; charset=utf-8`
}

/** Returns what is refused before execution in the shape and the media type that GraphQL clients read. */
export function sendGraphqlError(thrown: Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  void reply.header('content-type', contentType(request))
  if (thrown instanceof GraphqlRefusal) {
    const { status, code, message } = thrown
    const errors = [{ message, extensions: { code } }]
    return reply.code(status).header('cache-control', 'no-store').send(JSON.stringify({ errors }))
  }
  const error = toGatewayError(thrown)
  const { status, headers } = toProblem(error, request.id)
  if (status >= 500) logFault(request.log, { request_id: request.id }, error, 'GraphQL request failed')
  const { message, extensions } = toGraphqlError(error)
  const body = { errors: [{ message, extensions: status >= 500 ? { ...extensions, requestId: request.id } : extensions }] }
  return reply
    .code(status)
    .headers({ ...headers, 'content-type': contentType(request) })
    .send(JSON.stringify(body))
}
