import type { NamespaceId, UserId } from '../domain/ids.js'
import type { Role } from '../domain/role.js'
import type { Clock } from '../ports/clock.js'
import type { ControlStore } from '../ports/control-store.js'
import type { User } from '../ports/users.js'
import type { CacheAge } from './cache-age.js'
import { ReadThroughCache } from './read-through-cache.js'

const MAX_ROLES = 50_000
const MAX_USERS = 20_000
const MAX_MISSES = 10_000

type Pair = `${NamespaceId} ${UserId}`

/** Roles and users from memory, current at every request. */
export class Roles {
  readonly #roles: ReadThroughCache<Pair, Role>
  readonly #operators: ReadThroughCache<UserId, User>

  constructor(store: ControlStore, clock: Clock, maxAgeMs: CacheAge) {
    const loadRole = async (pair: Pair): Promise<Role | null> => {
      const [ns, user] = pair.split(' ') as [NamespaceId, UserId]
      return (await store.members.find(ns, user))?.role ?? null
    }
    this.#roles = new ReadThroughCache(loadRole, { hits: MAX_ROLES, misses: MAX_MISSES, maxAgeMs }, clock)
    this.#operators = new ReadThroughCache(id => store.users.byId(id), { hits: MAX_USERS, misses: MAX_MISSES, maxAgeMs }, clock)
  }

  /** The user's role in the namespace, null for none. */
  of(ns: NamespaceId, user: UserId): Promise<Role | null> {
    return this.#roles.get(`${ns} ${user}`)
  }

  /** Must be called after a change of membership is committed and before its response. */
  changed(ns: NamespaceId, user: UserId): void {
    this.#roles.forget(`${ns} ${user}`)
  }

  /** Whether the user is an operator; null for an unknown user. */
  async isOperator(user: UserId): Promise<boolean | null> {
    return (await this.#operators.get(user))?.isOperator ?? null
  }

  /** To be called after a user was made or changed. */
  userChanged(user: UserId): void {
    this.#operators.forget(user)
  }

  /** To be called when anything may have changed. */
  forgetAll(): void {
    this.#roles.clear()
    this.#operators.clear()
  }
}
