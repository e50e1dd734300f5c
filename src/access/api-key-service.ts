import { GatewayError } from '../domain/errors.js'
import type { KeyId, NamespaceId } from '../domain/ids.js'
import type { KeyKind, KeyPrincipal, UserPrincipal } from '../domain/principal.js'
import type { Clock } from '../ports/clock.js'
import type { ApiKey } from '../ports/api-keys.js'
import type { ControlPorts, ControlStore } from '../ports/control-store.js'
import { parseName } from './accounts.js'
import type { AuditAction, AuditTrail } from './audit-service.js'
import type { Authorizer } from './authorizer.js'
import type { KeyVerifier } from './key-verifier.js'
import { parseOrigins } from './origins.js'
import type { SecretSource } from './secrets.js'
import { sha256Hex } from './secrets.js'
import type { ApiKeyView, KeyState } from './views.js'

/** An API key as a caller requests it; without namespaces the active one. */
export interface NewApiKey {
  readonly name: string
  readonly kind: KeyKind
  /** Ids or names; absent: the active namespace; empty: a key without namespaces, for operators only. */
  readonly namespaces?: readonly string[]
  /** Only for `rum`, and needed there. `null` as a string admits an absent or `null` Origin. */
  readonly allowedOrigins?: readonly string[]
  readonly expiresAtMs?: number
}

/** A key with its secret, which is shown this once. */
export interface IssuedApiKey {
  readonly key: ApiKeyView
  readonly secret: string
}

/** Dependencies of `ApiKeyService`. */
export interface ApiKeyDeps {
  readonly store: ControlStore
  readonly clock: Clock
  readonly secrets: SecretSource
  readonly audit: AuditTrail
  readonly authorizer: Authorizer
  readonly verifier: KeyVerifier
}

const MAX_NAMESPACES = 100
const MAX_KEYS_PER_NAMESPACE = 1000
const MAX_GRACE_MS = 30 * 86_400_000
const SHOWN_OF_SECRET = 6

/** Makes, lists, rotates and revokes API keys: an admin's ability. */
export class ApiKeyService {
  readonly #deps: ApiKeyDeps

  constructor(deps: ApiKeyDeps) {
    this.#deps = deps
  }

  /** For an admin of every namespace of the key. */
  async create(principal: UserPrincipal, input: NewApiKey): Promise<IssuedApiKey> {
    const { store, clock, secrets, verifier } = this.#deps
    const namespaces = await this.#namespacesFor(principal, input)
    const now = clock.nowMs()
    if (input.expiresAtMs !== undefined && input.expiresAtMs <= now)
      throw invalid('expires_at', 'expires_at must be in the future')
    const secret = secrets.secret(`ali_${input.kind}_`)
    const key: ApiKey = {
      id: secrets.id() as KeyId,
      name: requiredName(input.name),
      kind: input.kind,
      namespaces,
      allowedOrigins: parseOrigins(input.kind, input.allowedOrigins),
      prefix: shownOf(secret, input.kind),
      secretHash: sha256Hex(secret),
      previousHash: null,
      previousUntilMs: null,
      createdBy: principal.userId,
      createdAtMs: now,
      expiresAtMs: input.expiresAtMs ?? null,
      revokedAtMs: null,
      lastUsedAtMs: null
    }
    await store.transaction(async ports => {
      await this.#refuseTooMany(ports, namespaces)
      await ports.apiKeys.insert(key)
      await this.#record(ports, 'key.created', key, principal)
    })
    verifier.changed(key)
    return { key: await this.#view(principal, key), secret }
  }

  /** Keys of the namespace, newest first, revoked ones too; for admins. */
  async list(principal: UserPrincipal, namespaceId: NamespaceId): Promise<readonly ApiKeyView[]> {
    await this.#deps.authorizer.requireRole(principal, namespaceId, 'admin')
    return this.#views(principal, await this.#deps.store.apiKeys.of(namespaceId))
  }

  /** The key of the request itself. */
  async self(principal: KeyPrincipal): Promise<ApiKeyView> {
    const key = await this.#deps.store.apiKeys.byId(principal.keyId)
    if (!key) throw unknownKey()
    return toView(key, this.#deps.clock.nowMs())
  }

  /** Keys without namespaces, for operators. */
  async listUnbound(principal: UserPrincipal): Promise<readonly ApiKeyView[]> {
    requireOperator(principal)
    return this.#views(principal, await this.#deps.store.apiKeys.unbound())
  }

  /** A new secret; the old one works for `graceMs` more. For an admin of every namespace of the key. */
  async rotate(principal: UserPrincipal, keyId: string, graceMs: number): Promise<IssuedApiKey> {
    const { store, clock, secrets, authorizer, verifier } = this.#deps
    if (graceMs < 0 || graceMs > MAX_GRACE_MS) throw invalid('grace', 'grace must be a duration of at most 30d')
    const before = await this.#managed(principal, keyId)
    for (const ns of before.namespaces) await authorizer.requireRole(principal, ns, 'admin')
    const secret = secrets.secret(`ali_${before.kind}_`)
    const next = { hash: sha256Hex(secret), prefix: shownOf(secret, before.kind) }
    const [present, rotated] = await store.transaction(async ports => {
      const present = await ports.apiKeys.byId(before.id)
      if (!present || isOver(present, clock.nowMs()))
        throw new GatewayError('conflict', 'a revoked or expired key cannot be rotated')
      await ports.apiKeys.rotate(present.id, next, clock.nowMs() + graceMs)
      await this.#record(ports, 'key.rotated', present, principal)
      return [present, (await ports.apiKeys.byId(present.id))!] as const
    })
    verifier.changed(present, rotated)
    return { key: await this.#view(principal, rotated), secret }
  }

  /** Ends the key before this resolves. For an admin of any namespace of the key. */
  async revoke(principal: UserPrincipal, keyId: string): Promise<ApiKeyView> {
    const { store, clock, verifier } = this.#deps
    const { id } = await this.#managed(principal, keyId)
    const revoked = await store.transaction(async ports => {
      const present = (await ports.apiKeys.byId(id))!
      if (present.revokedAtMs === null) await this.#record(ports, 'key.revoked', present, principal)
      await ports.apiKeys.revoke(id, clock.nowMs())
      return (await ports.apiKeys.byId(id))!
    })
    verifier.changed(revoked)
    return this.#view(principal, revoked)
  }

  // A key of which the caller shares no namespace is as unknown as one that does not exist.
  async #managed(principal: UserPrincipal, keyId: string): Promise<ApiKey> {
    const { store, authorizer } = this.#deps
    const key = await store.apiKeys.byId(keyId as KeyId)
    if (!key) throw unknownKey()
    if (key.namespaces.length === 0) {
      if (!principal.isOperator) throw unknownKey()
      return key
    }
    const roles = await Promise.all(key.namespaces.map(ns => authorizer.roleIn(principal, ns)))
    if (roles.includes('admin')) return key
    if (roles.every(role => role === null)) throw unknownKey()
    throw new GatewayError('role_required', 'API keys are managed by admins')
  }

  async #namespacesFor(principal: UserPrincipal, { kind, namespaces }: NewApiKey): Promise<readonly NamespaceId[]> {
    if (namespaces?.length === 0) {
      requireOperator(principal)
      if (kind !== 'ingest') throw invalid('namespaces', 'only a key of kind ingest can be without namespaces')
      return []
    }
    const requested = [...new Set(namespaces ?? [principal.activeNamespace])]
    if (requested.length > MAX_NAMESPACES) throw invalid('namespaces', `a key has at most ${MAX_NAMESPACES} namespaces`)
    const found = new Set<NamespaceId>()
    for (const id of requested) {
      const namespace = await this.#deps.authorizer.readNamespace(principal, { id })
      await this.#deps.authorizer.requireRole(principal, namespace.id, 'admin')
      found.add(namespace.id)
    }
    if (kind === 'rum' && found.size > 1) {
      throw invalid('namespaces', `a key of kind rum has exactly one namespace (got ${found.size}); create one key per namespace`)
    }
    return [...found]
  }

  async #refuseTooMany(ports: ControlPorts, namespaces: readonly NamespaceId[]): Promise<void> {
    for (const ns of namespaces) {
      const live = (await ports.apiKeys.of(ns)).filter(key => !isOver(key, this.#deps.clock.nowMs()))
      if (live.length >= MAX_KEYS_PER_NAMESPACE) {
        throw new GatewayError('conflict', `a namespace has at most ${MAX_KEYS_PER_NAMESPACE} keys in use`)
      }
    }
  }

  async #record(ports: ControlPorts, action: AuditAction, key: ApiKey, principal: UserPrincipal): Promise<void> {
    const detail = { name: key.name, kind: key.kind, prefix: key.prefix }
    const event = { action, actor: principal.userId, target: key.id, detail }
    const namespaces = key.namespaces.length === 0 ? [null] : key.namespaces
    for (const namespaceId of namespaces) await this.#deps.audit.record(ports, { ...event, namespaceId })
  }

  #views(principal: UserPrincipal, keys: readonly ApiKey[]): Promise<readonly ApiKeyView[]> {
    return Promise.all(keys.map(key => this.#view(principal, key)))
  }

  async #view(principal: UserPrincipal, key: ApiKey): Promise<ApiKeyView> {
    const roles = await Promise.all(key.namespaces.map(ns => this.#deps.authorizer.roleIn(principal, ns)))
    const namespaces = key.namespaces.filter((_, i) => roles[i] !== null)
    return toView({ ...key, namespaces }, this.#deps.clock.nowMs())
  }
}

function isOver(key: ApiKey, nowMs: number): boolean {
  return key.revokedAtMs !== null || (key.expiresAtMs !== null && key.expiresAtMs <= nowMs)
}

function stateOf(key: ApiKey, nowMs: number): KeyState {
  if (key.revokedAtMs !== null) return 'revoked'
  if (isOver(key, nowMs)) return 'expired'
  return key.previousUntilMs !== null && key.previousUntilMs > nowMs ? 'rotating' : 'active'
}

function toView(key: ApiKey, nowMs: number): ApiKeyView {
  const { id, name, kind, namespaces, allowedOrigins, prefix, createdBy } = key
  const { createdAtMs, expiresAtMs, lastUsedAtMs, revokedAtMs } = key
  const state = stateOf(key, nowMs)
  const previousUntilMs = state === 'rotating' ? key.previousUntilMs : null
  const times = { createdAtMs, expiresAtMs, lastUsedAtMs, revokedAtMs, previousUntilMs }
  return { id, name, kind, state, namespaces, allowedOrigins, prefix, createdBy, ...times }
}

function shownOf(secret: string, kind: KeyKind): string {
  return secret.slice(0, `ali_${kind}_`.length + SHOWN_OF_SECRET)
}

function requiredName(text: string): string {
  const name = parseName(text)
  if (name === null) throw new GatewayError('missing_field', 'name is required', { field: 'name' })
  return name
}

function requireOperator(principal: UserPrincipal): void {
  if (!principal.isOperator) throw new GatewayError('role_required', 'only operators can create keys without namespaces')
}

function unknownKey(): GatewayError {
  return new GatewayError('not_found', 'API key not found')
}

function invalid(field: string, detail: string): GatewayError {
  return new GatewayError('invalid_field', detail, { field })
}
