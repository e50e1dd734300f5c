import { unwrapResolverError } from '@apollo/server/errors'
import { GraphQLError, type GraphQLFormattedError } from 'graphql'
import { ERROR_CODES, type ErrorCode, GatewayError } from '../domain/errors.js'
import { toProblem } from './error-reply.js'
import { toGatewayError } from './error-translation.js'

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
