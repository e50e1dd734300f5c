import { randomBytes } from 'node:crypto'
import { resetPassword } from '../access/reset-password.js'
import type { AdminCommands } from './admin-channel.js'
import { storeHealth } from './store-health.js'
import { GatewayError } from '../domain/errors.js'
import type { Clock } from '../ports/clock.js'
import type { OpenedStores } from '../stores/assemble/open.js'

function text(input: Readonly<Record<string, unknown>>, name: string): string {
  const value = input[name]
  if (typeof value !== 'string' || value === '') throw new GatewayError('missing_field', `${name} is required`, { field: name })
  return value
}

/** The commands, over open stores: those of the running service, or those that the command opened itself. */
export function createAdminCommands(stores: OpenedStores, clock: Clock, onPasswordChanged: () => Promise<void>): AdminCommands {
  return {
    health: async () => ({ stores: await storeHealth(stores) }),
    backup: async input => {
      const folder = text(input, 'folder')
      return { folder, not_included: await stores.backup(folder) }
    },
    'reset-password': async input => {
      const email = text(input, 'email')
      const { password } = await resetPassword({ store: stores.control, clock, randomBytes }, { email })
      await onPasswordChanged()
      return { email, password }
    }
  }
}
