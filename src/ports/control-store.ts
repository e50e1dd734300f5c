import type { IngestId, KeyId, NamespaceId, UserId } from '../domain/ids.js'
import type { Namespace, NamespaceState, Retention } from '../domain/namespace.js'
import type { KeyKind } from '../domain/principal.js'
import type { Role } from '../domain/role.js'
import type { SubstringSearch } from '../domain/storage-plan.js'
import type { ControlChanges } from './control-changes.js'
import type { ErrorGroupDecisions } from './error-groups.js'
import type { IndexCatalog } from './index-catalog.js'
import type { ExemplarStore, MetricFactsCatalog } from './metric-notes.js'
import type { SeriesCatalog, StorePlaces } from './series-catalog.js'
import type { StoreHealth } from './stores.js'
import type { WaitingBoard } from './waiting-board.js'

// The control plane: small ports over one database, so that one transaction can span them.
// All times are Unix milliseconds. Writes resolve once they are crash-safe.

export interface User {
  readonly id: UserId
  readonly email: string
  readonly name: string | null
  /** `scrypt$...`; never leaves the access use cases. */
  readonly passwordHash: string
  readonly isOperator: boolean
  readonly createdAtMs: number
}

export interface Users {
  /** E-mail addresses are unique without regard to case. `conflict` when taken. */
  insert(user: User): Promise<void>
  byId(id: UserId): Promise<User | null>
  /** Those that exist, in no order. */
  byIds(ids: readonly UserId[]): Promise<readonly User[]>
  byEmail(email: string): Promise<User | null>
  count(): Promise<number>
  setPassword(id: UserId, passwordHash: string): Promise<void>
}

/** One rotating refresh token; all tokens that descend from one login share `familyId`. */
export interface RefreshToken {
  readonly id: string
  readonly familyId: string
  readonly userId: UserId
  readonly namespaceId: NamespaceId
  /** SHA-256 of the secret, hex. */
  readonly secretHash: string
  readonly createdAtMs: number
  readonly expiresAtMs: number
  /** Set once the token was exchanged; a second use ends the family. */
  readonly usedAtMs: number | null
  readonly revokedAtMs: number | null
}

export interface RefreshTokens {
  insert(token: RefreshToken): Promise<void>
  byHash(secretHash: string): Promise<RefreshToken | null>
  /** Marks it used; false when it was already used or revoked (the compare-and-set of rotation). */
  markUsed(id: string, atMs: number): Promise<boolean>
  /** Whether any token of the family is not revoked: access tokens of the session hold only as long. */
  isFamilyLive(familyId: string): Promise<boolean>
  revokeFamily(familyId: string, atMs: number): Promise<void>
  /** All families of the user, or all but one. */
  revokeUser(userId: UserId, atMs: number, exceptFamilyId?: string): Promise<void>
  deleteExpired(beforeMs: number): Promise<void>
}

/** A signing key of session tokens. */
export interface SigningKey {
  readonly kid: string
  /** The private JWK as JSON, or sealed by the access use cases; opaque here. */
  readonly privateKey: string
  readonly publicJwk: Readonly<Record<string, unknown>>
  readonly createdAtMs: number
  readonly retiredAtMs: number | null
}

export interface SigningKeys {
  all(): Promise<readonly SigningKey[]>
  insert(key: SigningKey): Promise<void>
  retire(kid: string, atMs: number): Promise<void>
  setPrivate(kid: string, privateKey: string): Promise<void>
}

/** A namespace with what is left of its hold on its name once it is deleted. */
export interface NamespaceRecord extends Namespace {
  /** Until when nobody else may take the name; null while it is not deleted. */
  readonly nameHeldUntilMs: number | null
}

export interface Namespaces {
  /**
   * `name_taken` when an undeleted namespace has the name, `name_reserved` while a deleted one still holds it (judged at
   * `createdAtMs`), by its name or by the `tombstone` that stands for it.
   */
  insert(namespace: Namespace, tombstone?: string): Promise<void>
  byId(id: NamespaceId): Promise<NamespaceRecord | null>
  all(): Promise<readonly NamespaceRecord[]>
  /** `deleted` keeps the name held for `NAME_HELD_MS` and forgets the namespace's series and decisions about errors. */
  setState(id: NamespaceId, state: NamespaceState, atMs: number): Promise<void>
  /**
   * Puts `tombstone` in the place of a deleted namespace's name, and empties what else tells of it: details of its audit
   * entries, names and origins of keys that have no other namespace left, answers kept for repeats.
   */
  forgetNames(id: NamespaceId, tombstone: string): Promise<void>
  /** Prolongs the hold of a deleted namespace on its name; never shortens it. */
  holdName(id: NamespaceId, untilMs: number): Promise<void>
  setRetention(id: NamespaceId, retention: Retention): Promise<void>
  setSearch(id: NamespaceId, search: SubstringSearch): Promise<void>
}

export interface Member {
  readonly namespaceId: NamespaceId
  readonly userId: UserId
  readonly role: Role
  readonly sinceMs: number
}

export interface Members {
  /** Adds the user or raises an existing membership to `role`; never lowers one. */
  add(member: Member): Promise<void>
  of(namespaceId: NamespaceId): Promise<readonly Member[]>
  ofUser(userId: UserId): Promise<readonly Member[]>
  find(namespaceId: NamespaceId, userId: UserId): Promise<Member | null>
  /** `conflict` when it would leave the namespace without an admin. */
  setRole(namespaceId: NamespaceId, userId: UserId, role: Role): Promise<void>
  /** `conflict` when it would leave the namespace without an admin. */
  remove(namespaceId: NamespaceId, userId: UserId): Promise<void>
}

export interface ApiKey {
  readonly id: KeyId
  readonly name: string
  readonly kind: KeyKind
  readonly namespaces: readonly NamespaceId[]
  readonly allowedOrigins: readonly string[]
  /** First characters of the secret, shown in lists. */
  readonly prefix: string
  /** SHA-256 of the secret, hex. */
  readonly secretHash: string
  /** Hash of the secret before the last rotation, valid until `previousUntilMs`. */
  readonly previousHash: string | null
  readonly previousUntilMs: number | null
  readonly createdBy: UserId
  readonly createdAtMs: number
  readonly expiresAtMs: number | null
  readonly revokedAtMs: number | null
  readonly lastUsedAtMs: number | null
}

export interface ApiKeys {
  insert(key: ApiKey): Promise<void>
  byId(id: KeyId): Promise<ApiKey | null>
  /** By the current or the previous hash. */
  byHash(secretHash: string): Promise<ApiKey | null>
  /** Keys whose namespaces include this one, newest first. */
  of(namespaceId: NamespaceId): Promise<readonly ApiKey[]>
  /** Keys without namespaces (made by operators), newest first. */
  unbound(): Promise<readonly ApiKey[]>
  /** The present secret goes on until `previousUntilMs` as the previous one. */
  rotate(id: KeyId, secret: { hash: string; prefix: string }, previousUntilMs: number): Promise<void>
  revoke(id: KeyId, atMs: number): Promise<void>
  /** Notes the last use of each key; never moves it back. */
  touch(uses: ReadonlyMap<KeyId, number>): Promise<void>
}

export interface Invitation {
  readonly id: string
  readonly namespaceId: NamespaceId
  readonly role: Role
  readonly tokenHash: string
  readonly invitedBy: UserId
  readonly createdAtMs: number
  readonly expiresAtMs: number
}

export interface Invitations {
  insert(invitation: Invitation): Promise<void>
  byHash(tokenHash: string): Promise<Invitation | null>
  of(namespaceId: NamespaceId): Promise<readonly Invitation[]>
  /** Removes it; false when it was already gone (the compare-and-set of acceptance). */
  take(id: string): Promise<boolean>
}

export interface AuditEntry {
  readonly id: string
  readonly namespaceId: NamespaceId | null
  readonly atMs: number
  /** User or key id; null for the service itself and for failed logins. */
  readonly actor: string | null
  /** `key.created`, `member.role_changed`, ... */
  readonly action: string
  readonly target: string | null
  readonly detail: Readonly<Record<string, unknown>>
}

export interface AuditLog {
  insert(entry: AuditEntry): Promise<void>
  /** Newest first, entries with an id below `before`. */
  of(namespaceId: NamespaceId, limit: number, before?: string): Promise<readonly AuditEntry[]>
  /** Deletes the oldest entries from before `atMs`, at most `limit` of them; answers how many. */
  deleteBefore(atMs: number, limit: number): Promise<number>
}

/** Reservation of an `Idempotency-Key`: pins the ingest id, so that a repeat after a crash stores nothing twice. */
export interface IdempotencyRecord {
  /** Hash over namespace, credential, route and the header's value. */
  readonly scope: string
  readonly bodyHash: string
  readonly ingestId: IngestId
  readonly createdAtMs: number
  /** The first answer as JSON `{status, body}`; null while it is not known. */
  readonly reply: string | null
  /** The request was refused: another body may take the key over. The same body keeps its ingest id. */
  readonly isRefused: boolean
}

/** What names one reservation: a key that was taken over has another ingest id. */
export type IdempotencyReservation = Pick<IdempotencyRecord, 'scope' | 'ingestId'>

/** Reservations of `Idempotency-Key`s. A change of one that is gone, or that another request took over, does nothing. */
export interface IdempotencyKeys {
  /** Inserts the record unless the scope is taken; answers the one that stands. */
  reserve(record: IdempotencyRecord): Promise<IdempotencyRecord>
  /** Keeps the answer; it replaces a refusal. */
  complete(reservation: IdempotencyReservation, reply: string): Promise<void>
  /** Marks the request as refused, unless another attempt of it has an answer. */
  refuse(reservation: IdempotencyReservation): Promise<void>
  /** Removes the reservation. */
  release(reservation: IdempotencyReservation): Promise<void>
  deleteBefore(atMs: number): Promise<void>
}

/**
 * What became of what a namespace sent in one day of one signal: `received = stored + rejected + deduplicated`, and what
 * waits in the spool, which is counted here when it has been replayed.
 */
export interface UsageDelta {
  readonly namespaceId: NamespaceId
  /** `YYYY-MM-DD`, UTC, of arrival. */
  readonly day: string
  readonly signal: 'logs' | 'metrics' | 'rum' | 'errors' | 'spans'
  readonly stored: number
  readonly rejected: number
  readonly deduplicated: number
  /** Decompressed bytes of the requests. */
  readonly bytes: number
}

export interface UsageLedger {
  /** Adds all deltas in one transaction. */
  add(deltas: readonly UsageDelta[]): Promise<void>
  /** Sums per day and signal, days `from` to `to` inclusive. */
  of(namespaceId: NamespaceId, from: string, to: string): Promise<readonly UsageDelta[]>
}

/** Single values that belong to the installation, e.g. the cursor secret. */
export interface Settings {
  get(key: string): Promise<string | null>
  /** Stores the value unless the key is taken; answers the one that stands. */
  setOnce(key: string, value: string): Promise<string>
  set(key: string, value: string): Promise<void>
}

/** The ports of one transaction or of none. */
export interface ControlPorts {
  readonly users: Users
  readonly refreshTokens: RefreshTokens
  readonly signingKeys: SigningKeys
  readonly namespaces: Namespaces
  readonly members: Members
  readonly apiKeys: ApiKeys
  readonly invitations: Invitations
  readonly audit: AuditLog
  readonly idempotency: IdempotencyKeys
  readonly usage: UsageLedger
  readonly settings: Settings
  readonly errorGroups: ErrorGroupDecisions
  readonly indices: IndexCatalog
  readonly series: SeriesCatalog
  readonly places: StorePlaces
  readonly waiting: WaitingBoard
  readonly metricFacts: MetricFactsCatalog
  readonly exemplars: ExemplarStore
}

/** The control database. `store_unavailable` when it cannot be reached. */
export interface ControlStore extends ControlPorts {
  /**
   * Runs `work` in one transaction, serialised against all other transactions, those of other instances too; rolls back
   * when it throws. A write outside of one is atomic by itself and may fall between two statements of `work`.
   */
  transaction<T>(work: (ports: ControlPorts) => Promise<T>): Promise<T>
  /** News of what is written; null when no other instance can write here. */
  readonly changes: ControlChanges | null
  health(): Promise<Omit<StoreHealth, 'name'>>
  /** A consistent copy into `folder` while running; `unsupported_by_store` where the database has its own means. */
  backup(folder: string): Promise<void>
  /**
   * Takes what was deleted or overwritten out of the database's files, free pages and logs included, where they are ours;
   * a database server sees to its own.
   */
  purge(): Promise<void>
  close(): Promise<void>
}
