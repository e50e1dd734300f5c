import type { NamespaceId } from '../domain/ids.js'

/** One recorded action. */
export interface AuditEntry {
  /** A ULID: ids grow with time. */
  readonly id: string
  readonly namespaceId: NamespaceId | null
  readonly atMs: number
  /** User or key id; null for the service itself and for failed logins. */
  readonly actor: string | null
  /** `key.created`, `member.role_changed`, ... */
  readonly action: string
  /** What the action changed, such as an id; null where it has none. */
  readonly target: string | null
  /** Further facts of the action; never secrets. */
  readonly detail: Readonly<Record<string, unknown>>
}

/** Audit entries of all namespaces. Writes resolve once they are crash-safe. */
export interface AuditLog {
  /** Stores the entry. */
  insert(entry: AuditEntry): Promise<void>
  /** Newest first, entries with an id below `before`. */
  of(namespaceId: NamespaceId, limit: number, before?: string): Promise<readonly AuditEntry[]>
  /** Deletes the oldest entries from before `atMs`, at most `limit` of them; returns how many. */
  deleteBefore(atMs: number, limit: number): Promise<number>
}
