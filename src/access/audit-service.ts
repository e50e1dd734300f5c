import type { UserPrincipal } from '../domain/principal.js'
import type { AuditEntry } from '../ports/control-store.js'

export type { AuditEntry } from '../ports/control-store.js'

/** Identity actions of a namespace, for its admins. */
export class AuditService {
  /** Newest first; `before` is the id of the last entry of the page before. */
  list(
    _principal: UserPrincipal,
    _namespaceId: string,
    _page: { readonly limit: number; readonly before?: string }
  ): Promise<{ readonly entries: readonly AuditEntry[]; readonly hasMore: boolean }> {
    throw new Error('unbuilt')
  }
}
