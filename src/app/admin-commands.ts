import { randomBytes } from 'node:crypto'
import { resetPassword } from '../access/reset-password.js'
import type { AdminCommands } from './admin-channel.js'
import { storeHealth } from './store-health.js'
import { GatewayError } from '../domain/errors.js'
import type { Namespace } from '../domain/namespace.js'
import type { PatternKeeper } from '../ingest/patterns/pattern-keeper.js'
import { StoredLogPatterns } from '../ingest/patterns/stored-log-patterns.js'
import type { Clock } from '../ports/clock.js'
import type { ServiceStores } from './open-service-stores.js'

type Input = Readonly<Record<string, unknown>>

function text(input: Input, name: string): string {
  const value = input[name]
  if (typeof value !== 'string' || value === '') throw new GatewayError('missing_field', `${name} is required`, { field: name })
  return value
}

function wholeNumber(input: Input, name: string, least: number): number {
  const value = input[name]
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= least) return value
  throw new GatewayError('invalid_field', `${name} must be a whole number of at least ${least}`, { field: name })
}

/** What commands work with besides stores. */
export interface AdminCommandDeps {
  readonly clock: Clock
  readonly patterns: Pick<PatternKeeper, 'find'>
  readonly onPasswordChanged: () => Promise<void>
}

function namespaceOf(input: Input, { directory }: ServiceStores): Namespace {
  const name = text(input, 'namespace')
  const namespace = directory.byName(name)
  if (namespace !== null && namespace.state !== 'deleting' && namespace.state !== 'deleted') return namespace
  throw new GatewayError('not_found', `no namespace is named ${name}`, { field: 'namespace' })
}

/** Each call does one bounded step: how far it came is in what it returns. */
function patternCommands(stores: ServiceStores, { clock, patterns: keeper }: AdminCommandDeps): AdminCommands {
  const { telemetry, control } = stores
  const patterns = new StoredLogPatterns({ logs: telemetry.logs, keeper, catalog: control.patterns, clock })
  return {
    'unassigned-logs': async input => ({ parts: await patterns.parts(namespaceOf(input, stores).id) }),
    'assign-patterns': async input => {
      const from = { part: text(input, 'part'), after: wholeNumber(input, 'after', -1) }
      return patterns.assign(namespaceOf(input, stores).id, from)
    }
  }
}

/** The commands, over open stores: those of the running service, or those that the command opened itself. */
export function createAdminCommands(stores: ServiceStores, deps: AdminCommandDeps): AdminCommands {
  return {
    ...patternCommands(stores, deps),
    health: async () => ({ stores: await storeHealth(stores) }),
    backup: async input => {
      const folder = text(input, 'folder')
      return { folder, not_included: await stores.backup(folder) }
    },
    'reset-password': async input => {
      const email = text(input, 'email')
      const { password } = await resetPassword({ store: stores.control, clock: deps.clock, randomBytes }, { email })
      await deps.onPasswordChanged()
      return { email, password }
    }
  }
}
