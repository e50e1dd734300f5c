import { isGatewayError } from '../domain/errors.js'
import type { CallCommand } from './own-commands.js'

/** How often in a row a call waits. */
export const MAX_WAITS = 30
const WAIT_S = 1
const MS_PER_S = 1_000

/** Repeats calls that a store was too busy for, after the time that it states; the last error is thrown. */
export function patientCalls(call: CallCommand, wait: (ms: number) => Promise<void>): CallCommand {
  return async (command, input) => {
    for (let waits = 0; ; waits++) {
      try {
        return await call(command, input)
      } catch (error) {
        if (waits === MAX_WAITS || !isGatewayError(error, 'overloaded')) throw error
        await wait((error.retryAfterS ?? WAIT_S) * MS_PER_S)
      }
    }
  }
}
