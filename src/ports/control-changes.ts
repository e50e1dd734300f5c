import type { NamespaceId, UserId } from '../domain/ids.js'

/** A change of the control store, as far as caches of it are affected. */
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
  /** Rules or groups of alerts. */
  | { readonly kind: 'alert_rules'; readonly namespaceId: NamespaceId }
  /** Notifications may have been lost: no cached value is valid. */
  | { readonly kind: 'anything' }

/** News of a control database that several instances write. */
export interface ControlChanges {
  /**
   * Whether notifications arrive. It turns false less than a second after the first one that could be lost; while it is false,
   * caches must query the database. It turns true after `anything` was delivered.
   */
  isCurrent(): boolean
  /** Calls `listener` after each commit that changed something, of this instance too, soon and in the order of commits. */
  subscribe(listener: (change: ControlChange) => void): void
}
