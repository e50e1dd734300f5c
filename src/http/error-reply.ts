import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ErrorCode, ErrorItem, GatewayError } from '../domain/errors.js'

/** Media type of every error body of the REST interface (RFC 9457). */
export const PROBLEM_TYPE = 'application/problem+json'

/** The one table of "Errors" in docs/conventions.md. */
export const STATUS: Readonly<Record<ErrorCode, number>> = {
  invalid_json: 400,
  missing_field: 400,
  invalid_field: 400,
  timestamp_too_old: 400,
  timestamp_in_future: 400,
  label_limit: 400,
  record_too_large: 400,
  invalid_time_range: 400,
  invalid_query: 400,
  missing_credential: 401,
  invalid_credential: 401,
  expired_credential: 401,
  role_required: 403,
  scope_required: 403,
  namespace_not_allowed: 403,
  origin_not_allowed: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  name_taken: 409,
  name_reserved: 409,
  conflict: 409,
  idempotency_in_progress: 409,
  namespace_deleted: 410,
  payload_too_large: 413,
  unsupported_media_type: 415,
  query_unsupported: 422,
  unsupported_by_store: 422,
  idempotency_mismatch: 422,
  rate_limited: 429,
  quota_exceeded: 429,
  internal: 500,
  not_implemented: 501,
  store_unavailable: 503,
  overloaded: 503,
  storage_full: 503,
  query_timeout: 504
}

/** Statuses after which the same request may succeed later. */
const RETRYABLE: ReadonlySet<number> = new Set([408, 429, 503, 504])
const DEFAULT_RETRY_AFTER_S = 1
const INTERNAL_DETAIL = 'the service failed; search its log for the request id'

/** An RFC 9457 problem with the members that this service adds. */
export interface Problem {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly code: ErrorCode
  readonly detail: string
  readonly instance: string
  readonly retryable: boolean
  readonly errors: readonly ErrorItem[]
  readonly suggestions: readonly string[]
  readonly [member: string]: unknown
}

/** Status, headers and body of one error response, for the edges that write it themselves. */
export interface ProblemReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Problem
}

function title(code: ErrorCode): string {
  const words = code.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

// RFC 6750 section 3: no error attribute when no credential came.
function challenge(code: ErrorCode): string {
  if (code === 'missing_credential') return 'Bearer realm="alidade"'
  const description = code === 'expired_credential' ? 'the credential has expired' : 'the credential is not valid'
  return `Bearer realm="alidade", error="invalid_token", error_description="${description}"`
}

function problemHeaders(error: GatewayError, status: number): Record<string, string> {
  const headers: Record<string, string> = { 'content-type': PROBLEM_TYPE, 'cache-control': 'no-store' }
  if (status === 401) headers['www-authenticate'] = challenge(error.code)
  if (status === 429 || status === 503) headers['retry-after'] = String(Math.ceil(error.retryAfterS ?? DEFAULT_RETRY_AFTER_S))
  return headers
}

/** The RFC 9457 response for an error. The message of an `internal` one stays in the log. */
export function toProblem(error: GatewayError, requestId: string): ProblemReply {
  const status = STATUS[error.code]
  const isInternal = error.code === 'internal'
  const fieldItems = error.field === undefined ? [] : [{ code: error.code, field: error.field, detail: error.message }]
  const body: Problem = {
    type: `/problems/${error.code.replaceAll('_', '-')}`,
    title: title(error.code),
    status,
    code: error.code,
    detail: isInternal ? INTERNAL_DETAIL : error.message,
    instance: `/requests/${requestId}`,
    retryable: RETRYABLE.has(status),
    errors: error.errors.length > 0 ? error.errors : fieldItems,
    suggestions: error.suggestions,
    ...(isInternal ? {} : error.members)
  }
  return { status, headers: problemHeaders(error, status), body }
}

/** Writes the response for an error and takes the place of the route's own. */
export function sendProblem(request: FastifyRequest, reply: FastifyReply, error: GatewayError): FastifyReply {
  const { status, headers, body } = toProblem(error, request.id)
  return reply
    .code(status)
    .headers(headers)
    .send(Buffer.from(JSON.stringify(body)))
}
