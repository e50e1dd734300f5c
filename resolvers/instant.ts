import { GatewayError } from '../src/domain/errors.js'
import { resolveWindow } from '../src/domain/time-range.js'
import { nsOfMs } from './to-access.js'

const NS_PER_MS = 1_000_000n

/** Unix milliseconds of a time that a caller wrote. `invalid_field` before 1970. */
export function instantMs(text: string, nowMs: number, field: string): number {
  try {
    return Number(resolveWindow('0', text, nsOfMs(nowMs), 0).endNs / NS_PER_MS)
  } catch (cause) {
    throw new GatewayError('invalid_field', `${field} is not a time after 1970`, { field, cause })
  }
}
