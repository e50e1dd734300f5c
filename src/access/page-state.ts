import { GatewayError } from '../domain/errors.js'

/** Bytes of JSON of a view, and of a user's preferences. */
export const MAX_STATE_BYTES = 16 * 1024

/** The JSON of what a page stores. `invalid_field` beyond `MAX_STATE_BYTES`. */
export function stateText(state: object, field: string): string {
  const text = JSON.stringify(state)
  const bytes = Buffer.byteLength(text)
  if (bytes <= MAX_STATE_BYTES) return text
  throw new GatewayError('invalid_field', `${field} exceeds ${MAX_STATE_BYTES} bytes of JSON (got ${bytes})`, { field })
}

/** What `stateText` wrote. */
export function readState(text: string): object {
  return JSON.parse(text) as object
}
