import { type ErrorCode, GatewayError, isGatewayError } from '../../../domain/errors.js'
import type { WireError } from './calls.js'

const DISK_FULL = /No space left on device|ENOSPC|disk quota exceeded|EDQUOT/i

/** Series of a request are not known by their ids any more; nothing of it is stored, and it may be sent with their names. */
export class UnknownSeries extends Error {}

/** The code of an error that DuckDB or the file system threw. */
function codeOf(message: string): ErrorCode {
  return DISK_FULL.test(message) ? 'storage_full' : 'internal'
}

/** Any thrown value as it crosses the pipe. */
export function toWireError(error: unknown): WireError {
  if (isGatewayError(error)) {
    const { code, message, retryAfterS } = error
    return retryAfterS === undefined ? { code, message } : { code, message, retryAfterS }
  }
  const message = error instanceof Error ? error.message : String(error)
  const code = codeOf(message)
  if (code === 'storage_full') return { code, message: 'the disk of the store is full', retryAfterS: 30 }
  return { code, message }
}

/** The error that a caller of the store sees. */
export function fromWireError({ code, message, retryAfterS }: WireError): GatewayError {
  return new GatewayError(code, message, retryAfterS === undefined ? {} : { retryAfterS })
}
