import type { ErrorCode, GatewayError } from '../../domain/errors.js'
import { STATUS } from '../error-reply.js'

/** How a socket is closed. The reason is a code of docs/conventions.md. */
export interface Closing {
  readonly code: number
  readonly reason: ErrorCode | 'stopping'
}

/** The service stops; clients connect again (RFC 6455, "going away"). */
export const STOPPING: Closing = { code: 1001, reason: 'stopping' }

// 44xx are those of the protocol (github.com/graphql/graphql-over-http, rfcs/GraphQLOverWebSocket.md).
const UNAUTHORIZED = 4401
const FORBIDDEN = 4403
const TRY_AGAIN_LATER = 1013
const INTERNAL = 4500
const BAD_REQUEST = 4400

/** The close code that shows clients how to react to an error. */
export function closingOf({ code }: GatewayError): Closing {
  const status = STATUS[code]
  if (status === 401) return { code: UNAUTHORIZED, reason: code }
  if (status === 403 || status === 404 || status === 410) return { code: FORBIDDEN, reason: code }
  if (status === 429 || status === 503 || status === 504) return { code: TRY_AGAIN_LATER, reason: code }
  return { code: status >= 500 ? INTERNAL : BAD_REQUEST, reason: code }
}
