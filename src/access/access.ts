import type { ControlStore } from '../ports/control-store.js'
import type { Clock } from '../ports/clock.js'
import type { NamespaceId } from '../domain/ids.js'
import type { NamespaceDirectory } from '../ports/namespace-directory.js'
import type { NamespaceSize } from '../ports/stores.js'
import type { ApiKeyService } from './api-key-service.js'
import type { AuditService } from './audit-service.js'
import type { Authorizer } from './authorizer.js'
import type { InvitationService } from './invitation-service.js'
import type { MemberService } from './member-service.js'
import type { NamespaceService } from './namespace-service.js'
import type { Sessions } from './sessions.js'
import type { UsageService } from './usage-service.js'
import type { KeyPrincipal } from '../domain/principal.js'

export type RegistrationMode = 'open' | 'invite' | 'closed'

export interface AccessDeps {
  readonly store: ControlStore
  readonly clock: Clock
  /** Cryptographically random bytes. */
  readonly randomBytes: (n: number) => Uint8Array
  readonly registration: RegistrationMode
  /** `iss` of session tokens: the public URL or `alidade`. */
  readonly issuer: string
  /** Removes all telemetry of a namespace; idempotent. */
  readonly dropData: (ns: NamespaceId) => Promise<void>
  /** Sizes per namespace, for operators. */
  readonly sizes: () => Promise<readonly NamespaceSize[]>
  /** Told about faults of work behind the answers. */
  readonly onError: (error: unknown, what: string) => void
  /** How long caches may lag behind other instances; null when this is the only one (embedded). */
  readonly cacheMaxAgeMs: number | null
}

/** Resolves API key secrets. */
export interface KeyVerifier {
  /** `invalid_credential` or `expired_credential`. */
  verify(secret: string): Promise<KeyPrincipal>
}

/** All identity use cases, wired. */
export interface Access {
  readonly sessions: Sessions
  readonly keys: KeyVerifier
  readonly apiKeys: ApiKeyService
  readonly namespaces: NamespaceService
  readonly members: MemberService
  readonly invitations: InvitationService
  readonly audit: AuditService
  readonly usage: UsageService
  readonly authorizer: Authorizer
  readonly directory: NamespaceDirectory
  /** Once a minute: flushes `last_used_at`, forgets what expired, rotates signing keys. */
  housekeeping(): Promise<void>
  /** Flushes what is only in memory; before the store closes. */
  close(): Promise<void>
}

/** Wires the identity use cases over the control store and loads the directory. */
export function openAccess(_deps: AccessDeps): Promise<Access> {
  throw new Error('unbuilt')
}
