import { GatewayError } from '../domain/errors.js'
import type { Clock } from '../ports/clock.js'
import type { ControlStore } from '../ports/control-store.js'
import { AuditTrail } from './audit-service.js'
import type { ScryptCost } from './passwords.js'
import { checkPassword, DEFAULT_SCRYPT_COST, PasswordHasher } from './passwords.js'
import { LOCAL_SEAT } from './fair-queue.js'
import { SecretSource } from './secrets.js'

const PASSWORD_LENGTH = 24

/** Dependencies of `resetPassword`. */
export interface ResetDeps {
  readonly store: ControlStore
  readonly clock: Clock
  readonly randomBytes: (n: number) => Uint8Array
  readonly scryptCost?: ScryptCost
}

/** Gives the user a new password (made up unless given) and ends all their sessions. `not_found` for an unknown address. */
export async function resetPassword(
  { store, clock, randomBytes, scryptCost }: ResetDeps,
  input: { readonly email: string; readonly password?: string }
): Promise<{ readonly password: string }> {
  const secrets = new SecretSource(randomBytes)
  const user = await store.users.byEmail(input.email.trim())
  if (!user) throw new GatewayError('not_found', 'no user has this e-mail address')
  const password = input.password ?? secrets.id(PASSWORD_LENGTH)
  checkPassword(password)
  const hash = await new PasswordHasher(secrets, scryptCost ?? DEFAULT_SCRYPT_COST, clock).hash(password, LOCAL_SEAT)
  const audit = new AuditTrail(clock, secrets)
  await store.transaction(async ports => {
    await ports.users.setPassword(user.id, hash)
    await ports.refreshTokens.revokeUser(user.id, clock.nowMs())
    await audit.record(ports, { action: 'user.password_reset', namespaceId: null, actor: null, target: user.id })
  })
  return { password }
}
