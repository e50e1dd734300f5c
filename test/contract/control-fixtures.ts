import type { IngestId, KeyId, NamespaceId, UserId } from '../../src/domain/ids.js'
import type { Namespace } from '../../src/domain/namespace.js'
import { DEFAULT_RETENTION } from '../../src/domain/namespace.js'
import { DEFAULT_STORAGE } from '../../src/domain/storage-plan.js'
import type { ApiKey } from '../../src/ports/api-keys.js'
import type { ControlStore } from '../../src/ports/control-store.js'
import type { IdempotencyRecord } from '../../src/ports/idempotency-keys.js'
import type { RefreshToken } from '../../src/ports/session-tokens.js'
import type { User } from '../../src/ports/users.js'

/** Opens an empty control store; the suite closes it. */
export type ControlStoreFactory = () => Promise<ControlStore>

export const NOW_MS = 1_763_690_000_123

export function userId(text: string): UserId {
  return `user000000${text}` as UserId
}

export function namespaceId(text: string): NamespaceId {
  return `namespace0${text}` as NamespaceId
}

export function user(text: string, changes: Partial<User> = {}): User {
  return {
    id: userId(text),
    email: `${text}@example.com`,
    name: null,
    passwordHash: 'scrypt$x',
    isOperator: false,
    createdAtMs: NOW_MS,
    ...changes
  }
}

export function namespace(text: string, changes: Partial<Namespace> = {}): Namespace {
  return {
    id: namespaceId(text),
    name: text,
    kind: 'team',
    state: 'active',
    retention: DEFAULT_RETENTION,
    storage: DEFAULT_STORAGE.team,
    createdAtMs: NOW_MS,
    ...changes
  }
}

export function apiKey(text: string, changes: Partial<ApiKey> = {}): ApiKey {
  return {
    id: `key0000000${text}` as KeyId,
    name: text,
    kind: 'ingest',
    namespaces: [],
    allowedOrigins: [],
    prefix: 'ali_ingest_abcd',
    secretHash: `hash-${text}`,
    previousHash: null,
    previousUntilMs: null,
    createdBy: userId('ada'),
    createdAtMs: NOW_MS,
    expiresAtMs: null,
    revokedAtMs: null,
    lastUsedAtMs: null,
    ...changes
  }
}

export function refreshToken(text: string, changes: Partial<RefreshToken> = {}): RefreshToken {
  return {
    id: `token${text}`,
    familyId: 'family',
    userId: userId('ada'),
    namespaceId: namespaceId('shop'),
    secretHash: `secret-${text}`,
    createdAtMs: NOW_MS,
    expiresAtMs: NOW_MS + 1000,
    usedAtMs: null,
    revokedAtMs: null,
    ...changes
  }
}

export function reservation(scope: string, changes: Partial<IdempotencyRecord> = {}): IdempotencyRecord {
  return {
    scope,
    bodyHash: 'body',
    ingestId: '01JD3X5V000000000000000000' as IngestId,
    createdAtMs: NOW_MS,
    reply: null,
    isRefused: false,
    ...changes
  }
}
