import { GatewayError } from '../../../../domain/errors.js'
import type { ReadFault } from './messages.js'

/** For the message to the other thread. */
export function faultOf(error: unknown): ReadFault {
  if (error instanceof GatewayError) {
    const { code, message, diagnosis, retryAfterS } = error
    return { code, message, ...(diagnosis !== undefined && { diagnosis }), ...(retryAfterS !== undefined && { retryAfterS }) }
  }
  return { code: null, message: error instanceof Error ? (error.stack ?? error.message) : String(error) }
}

/** The error again, on the thread that asked. */
export function errorOf({ code, message, ...extras }: ReadFault): Error {
  return code === null ? new Error(`reading of InfluxDB failed: ${message}`) : new GatewayError(code, message, extras)
}
