import { unwrapResolverError } from '@apollo/server/errors'
import { GraphQLError, type GraphQLFormattedError } from 'graphql'
import { ERROR_CODES, type ErrorCode, GatewayError } from '../domain/errors.js'
import { toProblem } from './error-reply.js'
import { toGatewayError } from './error-translation.js'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { namedMediaType } from './accept.js'
import { logFault } from './log-fault.js'

/** Codes that GraphQL clients act on by themselves; Apollo's names of them are the common ones. */
type ClientCode = 'GRAPHQL_VALIDATION_FAILED' | 'PERSISTED_QUERY_NOT_SUPPORTED'

/** A request that is refused with a code of GraphQL's clients instead of one of ours. */
export class GraphqlRefusal extends Error {
  readonly code: ClientCode
  readonly status: number

  constructor(code: ClientCode, status: number, message: string) {
    super(message)
    this.name = 'GraphqlRefusal'
    this.code = code
    this.status = status
  }
}

/**
 * Clients recognize this message or code and send the full query from then on. The status is that of Apollo Server, because
 * some clients ignore the body of any other.
 */
export function persistedQueryNotSupported(): GraphqlRefusal {
  return new GraphqlRefusal('PERSISTED_QUERY_NOT_SUPPORTED', 200, 'PersistedQueryNotSupported')
}

/** Subscriptions have a transport of their own; stock execution would report an error of the server. */
export function noSubscriptions(): GraphqlRefusal {
  const message = 'subscriptions are served over WebSocket on this path, by the subprotocol graphql-transport-ws'
  return new GraphqlRefusal('GRAPHQL_VALIDATION_FAILED', 400, message)
}

// Apollo's own codes in the words of "Errors" in docs/conventions.md; a code that is not here is our fault.
const CODES: Readonly<Record<string, ErrorCode>> = {
  GRAPHQL_PARSE_FAILED: 'invalid_query',
  GRAPHQL_VALIDATION_FAILED: 'invalid_query',
  OPERATION_RESOLUTION_FAILURE: 'invalid_query',
  BAD_USER_INPUT: 'invalid_field',
  BAD_REQUEST: 'invalid_query'
}
const KNOWN: ReadonlySet<unknown> = new Set(ERROR_CODES)

/** Extensions of an error in a response of GraphQL. */
export interface ErrorExtensions {
  readonly code: ErrorCode
  readonly [member: string]: unknown
}

/** The one error type as GraphQL clients see it; the cause of an `internal` one stays in the log. */
export function toGraphqlError(error: GatewayError): { readonly message: string; readonly extensions: ErrorExtensions } {
  const { detail, retryable, errors, suggestions } = toProblem(error, '').body
  return {
    message: detail,
    extensions: {
      code: error.code,
      ...(retryable ? { retryable } : {}),
      ...(error.retryAfterS === undefined ? {} : { retryAfterS: error.retryAfterS }),
      ...(errors.length > 0 ? { errors } : {}),
      ...(suggestions.length > 0 ? { suggestions } : {}),
      ...(error.code === 'internal' ? {} : error.members)
    }
  }
}

/** Whether an error came out of a resolver and not out of the query's own text or variables. */
function thrownByUs(thrown: unknown): boolean {
  const original = unwrapResolverError(thrown)
  return !(original instanceof GraphQLError)
}

/** An error of parsing, validation or execution as the one error type. */
export function fromGraphql(thrown: unknown): GatewayError {
  if (thrownByUs(thrown)) return toGatewayError(unwrapResolverError(thrown))
  const error = unwrapResolverError(thrown) as GraphQLError
  const code = error.extensions['code']
  if (KNOWN.has(code)) return new GatewayError(code as ErrorCode, error.message)
  const known = typeof code === 'string' ? CODES[code] : undefined
  return new GatewayError(known ?? 'internal', error.message, { cause: error })
}

/** Apollo's hook: keeps place and path, replaces message and extensions. */
export function formatError(formatted: GraphQLFormattedError, thrown: unknown): GraphQLFormattedError {
  const { locations, path } = formatted
  return { ...toGraphqlError(fromGraphql(thrown)), ...(locations ? { locations } : {}), ...(path ? { path } : {}) }
}

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
