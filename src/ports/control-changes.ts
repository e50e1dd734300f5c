import type { NamespaceId, UserId } from '../domain/ids.js'

/** What was written, as far as somebody may remember the state before. */
export type ControlChange =
  | { readonly kind: 'namespace'; readonly namespaceId: NamespaceId }
  | { readonly kind: 'member'; readonly namespaceId: NamespaceId; readonly userId: UserId }
  | { readonly kind: 'user'; readonly userId: UserId }
  /** An API key, by the hashes of its secrets before and after. */
  | { readonly kind: 'key'; readonly hashes: readonly string[] }
  /** A session that ended. */
  | { readonly kind: 'session'; readonly familyId: string }
  | { readonly kind: 'signing_keys' }
  /** Series that are new in the catalog. */
  | { readonly kind: 'series'; readonly namespaceId: NamespaceId }
  /** News may have been lost: nothing that is remembered holds. */
  | { readonly kind: 'anything' }

/** News of a control database that several instances write. */
export interface ControlChanges {
  /**
   * Whether news arrive. From the moment on when one could be lost until this is false passes less than a second; whoever
   * remembers something must ask the database again while it is. It turns true after `anything` was told.
   */
  isCurrent(): boolean
  /** Calls `listener` after each commit that changed something, of this instance too, soon and in the order of commits. */
  subscribe(listener: (change: ControlChange) => void): void
}
