/** A failed request, in the words of the service where it responded. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  /** Code of the error catalogue; `network` when no response arrived. */
  readonly code: string
  /** HTTP status; 0 when no response arrived. */
  readonly status: number
  /** Identifies the request in the log of the service. */
  readonly requestId: string | null
  /** Time until a repetition can succeed; null when it cannot. */
  readonly retryAfterMs: number | null
  /** What the service proposes instead of the refused value. */
  readonly suggestions: readonly string[]
  /** Offset of the fault in a refused query; null when it has none. */
  readonly position: number | null
  /** Path of the argument that a mutation rejected, such as `retention.logs`; null for the whole request. */
  readonly field: string | null

  constructor(message: string, facts: ApiErrorFacts) {
    super(message)
    this.code = facts.code
    this.status = facts.status
    this.requestId = facts.requestId ?? null
    this.retryAfterMs = facts.retryAfterMs ?? null
    this.suggestions = facts.suggestions ?? []
    this.position = facts.position ?? null
    this.field = facts.field ?? null
  }
}

/** Whether a search was refused for its query: the query box shows such an error, under its character. */
export function isQueryFault(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 'invalid_query'
}

/** Whether a mutation was rejected for this argument, which the form shows next to its field. */
export function isFaultOf(error: unknown, field: string): error is ApiError {
  return error instanceof ApiError && error.field === field
}

/** Properties of an `ApiError` besides its message. */
export interface ApiErrorFacts {
  readonly code: string
  readonly status: number
  readonly requestId?: string | null
  readonly retryAfterMs?: number | null
  readonly suggestions?: readonly string[]
  readonly position?: number | null
  readonly field?: string | null
}

const DEFAULT_RETRY_MS = 2_000

interface ProblemBody {
  readonly detail?: unknown
  readonly code?: unknown
  readonly retryable?: unknown
  readonly suggestions?: unknown
  readonly errors?: unknown
}

function strings(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : []
}

function retryAfterMs(response: Response): number {
  const seconds = Number(response.headers.get('retry-after') ?? NaN)
  return Number.isFinite(seconds) ? seconds * 1_000 : DEFAULT_RETRY_MS
}

/** The first error of a GraphQL response, which has one also when its status is not 2xx; null for any other body. */
function graphqlErrorIn({ errors }: ProblemBody): GraphqlErrorBody | null {
  const first: unknown = Array.isArray(errors) ? errors[0] : null
  if (typeof first !== 'object' || first === null) return null
  return typeof (first as Partial<GraphqlErrorBody>).message === 'string' ? (first as GraphqlErrorBody) : null
}

/** The error of a response that is not 2xx: its RFC 9457 or GraphQL body, or its status when a proxy wrote it. */
export function errorOfResponse(response: Response, body: unknown): ApiError {
  const problem: ProblemBody = typeof body === 'object' && body !== null ? body : {}
  const refused = graphqlErrorIn(problem)
  if (refused) return errorOfGraphql(refused, response)
  const isRetryable = problem.retryable === true || [429, 502, 503, 504].includes(response.status)
  return new ApiError(
    typeof problem.detail === 'string' ? problem.detail : `the service responded with status ${response.status}`,
    {
      code: typeof problem.code === 'string' ? problem.code : 'unexpected_response',
      status: response.status,
      requestId: response.headers.get('x-request-id'),
      retryAfterMs: isRetryable ? retryAfterMs(response) : null,
      suggestions: strings(problem.suggestions)
    }
  )
}

interface GraphqlErrorBody {
  readonly message: string
  readonly extensions?: {
    readonly code?: unknown
    readonly retryable?: unknown
    readonly suggestions?: unknown
    readonly position?: unknown
  }
}

/** The first error of a GraphQL response. */
export function errorOfGraphql({ message, extensions = {} }: GraphqlErrorBody, response: Response): ApiError {
  return new ApiError(message, {
    code: typeof extensions.code === 'string' ? extensions.code : 'internal',
    status: response.status,
    requestId: response.headers.get('x-request-id'),
    retryAfterMs: extensions.retryable === true ? retryAfterMs(response) : null,
    suggestions: strings(extensions.suggestions),
    position: typeof extensions.position === 'number' ? extensions.position : null
  })
}

const CANCELLED = 'cancelled'

/** The error of a read that the user cancelled. */
export function cancelledError(): ApiError {
  return new ApiError('you cancelled this request', { code: CANCELLED, status: 0 })
}

/** Whether the user cancelled a read. */
export function isCancelled(error: unknown): boolean {
  return error instanceof ApiError && error.code === CANCELLED
}

/** The error of a request without a response. */
export function networkError(cause: unknown): ApiError {
  const error = new ApiError('the service cannot be reached', { code: 'network', status: 0, retryAfterMs: DEFAULT_RETRY_MS })
  error.cause = cause
  return error
}
