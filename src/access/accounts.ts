import { GatewayError } from '../domain/errors.js'
import type { NamespaceId, UserId } from '../domain/ids.js'
import type { Namespace } from '../domain/namespace.js'
import { DEFAULT_RETENTION } from '../domain/namespace.js'
import type { Role } from '../domain/role.js'
import { DEFAULT_STORAGE } from '../domain/storage-plan.js'
import type { Clock } from '../ports/clock.js'
import type { ControlPorts } from '../ports/control-store.js'
import type { User } from '../ports/users.js'
import type { AuditTrail } from './audit-service.js'
import { tombstone, tombstoneKey } from './name-tombstone.js'
import type { SecretSource } from './secrets.js'

const MAX_EMAIL = 254
const MAX_NAME = 128
const EMAIL = /^[^\s@]+@[^\s@]+$/
const PERSONAL_SUFFIX_LENGTH = 6
const PERSONAL_STEM_LENGTH = 40

/** A namespace to work in, and the user's role there. */
export interface Seat {
  readonly namespace: Namespace
  readonly role: Role
}

/** The address, trimmed; `invalid_field` if it is not an address. */
export function parseEmail(text: string): string {
  const email = text.trim()
  if (email.length <= MAX_EMAIL && EMAIL.test(email)) return email
  throw new GatewayError('invalid_field', 'email must be an e-mail address', { field: 'email' })
}

/** A name to show, null when it is empty. */
export function parseName(text: string | undefined, field = 'name'): string | null {
  const name = text?.trim() ?? ''
  if (name.length > MAX_NAME)
    throw new GatewayError('invalid_field', `${field} must have at most ${MAX_NAME} characters`, { field })
  return name === '' ? null : name
}

function homeAmong(seats: readonly Seat[]): Seat | undefined {
  return seats.find(({ namespace }) => namespace.kind === 'personal') ?? seats[0]
}

/** Makes users and personal namespaces, within the caller's transaction. */
export class Accounts {
  readonly #clock: Clock
  readonly #secrets: SecretSource
  readonly #audit: AuditTrail

  constructor(clock: Clock, secrets: SecretSource, audit: AuditTrail) {
    this.#clock = clock
    this.#secrets = secrets
    this.#audit = audit
  }

  async addUser(ports: ControlPorts, input: Omit<User, 'id' | 'createdAtMs'>): Promise<User> {
    const user: User = { ...input, id: this.#secrets.id() as UserId, createdAtMs: this.#clock.nowMs() }
    await ports.users.insert(user)
    return user
  }

  /** A namespace of which the user is the first admin. */
  async addNamespace(
    ports: ControlPorts,
    user: User['id'],
    input: Pick<Namespace, 'name' | 'kind'> & Partial<Namespace>
  ): Promise<Seat> {
    const now = this.#clock.nowMs()
    const id = this.#secrets.id() as NamespaceId
    const defaults = { retention: DEFAULT_RETENTION, storage: DEFAULT_STORAGE[input.kind] }
    const namespace: Namespace = { ...defaults, ...input, id, state: 'active', createdAtMs: now }
    const key = await tombstoneKey(ports)
    await ports.namespaces.insert(namespace, key === null ? undefined : tombstone(key, namespace.name))
    await ports.members.add({ namespaceId: id, userId: user, role: 'admin', sinceMs: now })
    await this.#audit.record(ports, {
      action: 'namespace.created',
      namespaceId: id,
      actor: user,
      target: id,
      detail: { name: input.name }
    })
    return { namespace, role: 'admin' }
  }

  addPersonalNamespace(ports: ControlPorts, user: User): Promise<Seat> {
    return this.addNamespace(ports, user.id, { name: this.#personalName(user.email), kind: 'personal' })
  }

  /**
   * Where the user goes on: `preferred` when still a member there, else at home; a user who has no membership left gets a
   * personal namespace again.
   */
  async seatOf(ports: ControlPorts, user: User, preferred?: NamespaceId): Promise<Seat> {
    const seats = await this.#seatsOf(ports, user.id)
    return seats.find(seat => seat.namespace.id === preferred) ?? homeAmong(seats) ?? this.addPersonalNamespace(ports, user)
  }

  /** The user's own personal namespace, else that of the oldest membership: what concerns the user alone is written down there. */
  async homeOf(ports: ControlPorts, user: User['id']): Promise<NamespaceId | null> {
    return homeAmong(await this.#seatsOf(ports, user))?.namespace.id ?? null
  }

  /** Of namespaces that are not deleted, oldest membership first. */
  async #seatsOf(ports: ControlPorts, user: User['id']): Promise<readonly Seat[]> {
    const seats: Seat[] = []
    for (const member of await ports.members.ofUser(user)) {
      const namespace = await ports.namespaces.byId(member.namespaceId)
      if (namespace?.state === 'active' || namespace?.state === 'suspended') seats.push({ namespace, role: member.role })
    }
    return seats
  }

  #personalName(email: string): string {
    const stem = email
      .split('@')[0]!
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-+|-+$/g, '')
      .slice(0, PERSONAL_STEM_LENGTH)
    return `${stem || 'user'}-${this.#secrets.id(PERSONAL_SUFFIX_LENGTH)}`
  }
}
