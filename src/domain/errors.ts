/**
 * Every error code of the service. The table of statuses is at the HTTP edge (`http/error-reply.ts`); a code that is missing
 * there does not compile.
 */
export const ERROR_CODES = [
  'invalid_json',
  'missing_field',
  'invalid_field',
  'timestamp_too_old',
  'timestamp_in_future',
  'label_limit',
  'record_too_large',
  'invalid_time_range',
  'invalid_query',
  'missing_credential',
  'invalid_credential',
  'expired_credential',
  'role_required',
  'scope_required',
  'namespace_not_allowed',
  'origin_not_allowed',
  'not_found',
  'method_not_allowed',
  'request_timeout',
  'name_taken',
  'name_reserved',
  'conflict',
  'idempotency_in_progress',
  'namespace_deleted',
  'payload_too_large',
  'unsupported_media_type',
  'query_unsupported',
  'unsupported_by_store',
  'idempotency_mismatch',
  'rate_limited',
  'quota_exceeded',
  'internal',
  'not_implemented',
  'store_unavailable',
  'overloaded',
  'storage_full',
  'query_timeout'
] as const

/** One of the closed set of codes above. */
export type ErrorCode = (typeof ERROR_CODES)[number]

/** Why one item of a batch, one field of a body or one word of a query was refused. */
export interface ErrorItem {
  /** Position in the batch; absent when the whole request is meant. */
  readonly index?: number
  readonly code: ErrorCode
  /** Dotted path of the invalid field. */
  readonly field?: string
  readonly detail: string
}

/** What an error may carry besides its code and sentence. */
export interface ErrorExtras {
  readonly cause?: unknown
  /**
   * The sentence for operators (log, `admin health`, doctor): it may name servers, indices, buckets and files. Callers
   * never get it; absent if `message` is complete.
   */
  readonly diagnosis?: string | undefined
  /** The store is there and refuses this one request; an outage of it would concern all. */
  readonly isResponse?: boolean
  readonly field?: string
  readonly errors?: readonly ErrorItem[]
  readonly suggestions?: readonly string[]
  /** Seconds after which a repeat may succeed (the `Retry-After` header). */
  readonly retryAfterS?: number
  /** Further members of the problem document, e.g. `accepted` and `rejected`. */
  readonly members?: Readonly<Record<string, unknown>>
}

/**
 * The one error type that use cases and adapters throw on purpose. `message` is shown to the caller for client faults
 * and only logged for `internal`; anything else that is thrown counts as `internal`.
 */
export class GatewayError extends Error {
  readonly code: ErrorCode
  readonly diagnosis: string | undefined
  readonly isResponse: boolean
  readonly field: string | undefined
  readonly errors: readonly ErrorItem[]
  readonly suggestions: readonly string[]
  readonly retryAfterS: number | undefined
  readonly members: Readonly<Record<string, unknown>>

  constructor(code: ErrorCode, message: string, extras: ErrorExtras = {}) {
    super(message, extras.cause === undefined ? undefined : { cause: extras.cause })
    this.name = 'GatewayError'
    this.code = code
    this.diagnosis = extras.diagnosis
    this.isResponse = extras.isResponse ?? false
    this.field = extras.field
    this.errors = extras.errors ?? []
    this.suggestions = extras.suggestions ?? []
    this.retryAfterS = extras.retryAfterS
    this.members = extras.members ?? {}
  }
}

/** Whether a thrown value is a `GatewayError`, optionally of one code. */
export function isGatewayError(error: unknown, code?: ErrorCode): error is GatewayError {
  return error instanceof GatewayError && (code === undefined || error.code === code)
}

/** The message of a failure for callers. An unexpected failure gets a fixed one: its own may name servers and files. */
export function sentenceOf(error: unknown): string {
  return isGatewayError(error) ? error.message : 'the request failed; the log has the cause'
}

/** The message of a failure for operators. */
export function diagnosisOf(error: unknown): string {
  if (isGatewayError(error) && error.diagnosis !== undefined) return error.diagnosis
  return error instanceof Error ? error.message : String(error)
}

/** The end of an exhaustive switch: a new member of the union is a compile error here. */
export function unreachable(value: never): never {
  throw new Error(`unreachable: ${JSON.stringify(value)}`)
}
