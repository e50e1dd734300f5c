import { randomBytes } from 'node:crypto'
import { LOCAL_SEAT } from '../access/fair-queue.js'
import { OPERATOR_EMAIL } from '../access/first-start.js'
import { DEFAULT_SCRYPT_COST, PasswordHasher } from '../access/passwords.js'
import { SecretSource } from '../access/secrets.js'
import type { Clock } from '../ports/clock.js'
import type { ControlStore } from '../ports/control-store.js'
import { firstRunPassword, removeFirstRun } from './first-run.js'

/** What watching the file of the first start needs. */
export interface FirstRunWatchDeps {
  readonly dataDir: string
  readonly store: Pick<ControlStore, 'users'>
  readonly passwords: Pick<PasswordHasher, 'verify'>
}

/**
 * Removes `first-run.txt` once the password in it is no longer that of the operator, however it was changed: by the
 * operator, by the administrator, on another gateway, while the service was stopped.
 */
export class FirstRunWatch {
  readonly #deps: FirstRunWatchDeps
  // Checking a password costs a tenth of a second: once for each hash.
  #checkedHash: string | null = null

  constructor(deps: FirstRunWatchDeps) {
    this.#deps = deps
  }

  /** To be called at the start, after each change of a password, and now and then. */
  async check(): Promise<void> {
    const { dataDir, store, passwords } = this.#deps
    const shown = await firstRunPassword(dataDir)
    if (shown === null) return
    const user = await store.users.byEmail(OPERATOR_EMAIL)
    if (user && user.passwordHash === this.#checkedHash) return
    if (!user || !(await passwords.verify(shown, user.passwordHash, LOCAL_SEAT))) return removeFirstRun(dataDir)
    this.#checkedHash = user.passwordHash
  }
}

/** A watch over the file in `dataDir`, with a queue of password checks of its own. */
export function createFirstRunWatch(store: FirstRunWatchDeps['store'], dataDir: string, clock: Clock): FirstRunWatch {
  const passwords = new PasswordHasher(new SecretSource(randomBytes), DEFAULT_SCRYPT_COST, clock)
  return new FirstRunWatch({ dataDir, store, passwords })
}
