import type { NamespaceId } from '../domain/ids.js'

/** One recorded action. */
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

/** Audit entries of all namespaces. Writes resolve once they are crash-safe. */
export interface AuditLog {
  insert(entry: AuditEntry): Promise<void>
  /** Newest first, entries with an id below `before`. */
  of(namespaceId: NamespaceId, limit: number, before?: string): Promise<readonly AuditEntry[]>
  /** Deletes the oldest entries from before `atMs`, at most `limit` of them; returns how many. */
  deleteBefore(atMs: number, limit: number): Promise<number>
}
