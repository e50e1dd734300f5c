import { randomBytes } from 'node:crypto'
import type { Access, AccessDeps } from '../../src/access/access.js'
import { openAccess } from '../../src/access/access.js'
import type { FirstCredentials } from '../../src/access/first-start.js'
import { firstStart } from '../../src/access/first-start.js'
import type { ScryptCost } from '../../src/access/passwords.js'
import type { SessionPrincipal, TokenGrant } from '../../src/access/sessions.js'
import type { NamespaceId } from '../../src/domain/ids.js'
import type { ControlStore } from '../../src/ports/control-store.js'
import type { Timers } from '../../src/ports/timers.js'
import { openSqliteControlStore } from '../../src/stores/control/open-sqlite.js'
import { ManualTime } from './manual-time.js'
import { quietJobs } from './quiet-jobs.js'

/** Cheap enough for tests. */
export const TEST_COST: ScryptCost = { logN: 4, r: 8, p: 1 }

/** Timers that fall due at once. */
const IMMEDIATE: Timers = {
  after: (_ms, run) => {
    run()
    return () => undefined
  }
}

/** Identity over a real SQLite database in memory, or the store of `changes`. */
export interface OpenedAccess {
  readonly access: Access
  readonly deps: AccessDeps
  readonly store: ControlStore
  readonly clock: ManualTime
  readonly first: FirstCredentials
  /** Namespaces whose data was requested to be removed. */
  readonly dropped: NamespaceId[]
  readonly faults: unknown[]
  /** The next so many removals of data fail. */
  failDrops(count: number): void
  close(): Promise<void>
}

export async function openTestAccess(changes: Partial<AccessDeps> = {}): Promise<OpenedAccess> {
  const store = changes.store ?? (await openSqliteControlStore({ file: ':memory:' }))
  const clock = new ManualTime()
  const dropped: NamespaceId[] = []
  const faults: unknown[] = []
  let failing = 0
  const first = await firstStart({ store, clock, randomBytes, scryptCost: TEST_COST })
  const deps: AccessDeps = {
    store,
    clock,
    timers: IMMEDIATE,
    randomBytes,
    registration: 'open',
    issuer: 'alidade',
    dropData: ns => {
      if (failing-- > 0) return Promise.reject(new Error('down'))
      dropped.push(ns)
      return Promise.resolve()
    },
    sizes: () => Promise.resolve({ namespaces: [], missing: [] }),
    jobs: quietJobs((_job, error) => faults.push(error)),
    scryptCost: TEST_COST,
    ...changes
  }
  const access = await openAccess(deps)
  const close = async (): Promise<void> => {
    await access.close()
    await store.close()
  }
  return { access, deps, store, clock, first: first!, dropped, faults, failDrops: count => (failing = count), close }
}

export const PASSWORD = 'correct horse battery'

/** Registers a user and responds to the grant with its principal. */
export async function registered(
  { access }: OpenedAccess,
  name: string,
  invitationToken?: string
): Promise<{ readonly grant: TokenGrant; readonly principal: SessionPrincipal }> {
  const invitation = invitationToken === undefined ? {} : { invitationToken }
  // Each from an address of their own: an address may register 5 a minute.
  const person = { email: `${name}@example.com`, password: PASSWORD, name, address: name }
  const grant = await access.signIn.register({ ...person, ...invitation })
  return { grant, principal: await access.sessions.verify(grant.accessToken) }
}
