import type { Clock } from '../ports/clock.js'
import type { ControlStore } from '../ports/control-store.js'

/** Gives the user a new password (made up unless given) and ends all their sessions. `not_found` for an unknown address. */
export function resetPassword(
  _deps: { readonly store: ControlStore; readonly clock: Clock; readonly randomBytes: (n: number) => Uint8Array },
  _input: { readonly email: string; readonly password?: string }
): Promise<{ readonly password: string }> {
  throw new Error('unbuilt')
}
