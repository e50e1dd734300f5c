import type { NamespaceId } from '../domain/ids.js'
import type { RetainedSignal } from '../domain/namespace.js'
import type { UserPrincipal } from '../domain/principal.js'
import type { NamespaceView } from './views.js'

/** Durations such as `14d`, or `forever`, per signal; signals left out keep theirs. */
export type RetentionInput = Readonly<Partial<Record<RetainedSignal, string>>>

/** Makes, shows, changes and deletes namespaces. An id is answered with 403 alike when unknown and when not the caller's. */
export class NamespaceService {
  /** Makes a team namespace with the caller as admin. `invalid_field`, `name_taken` or `name_reserved`. */
  create(
    _principal: UserPrincipal,
    _input: { readonly name: string; readonly retention?: RetentionInput }
  ): Promise<NamespaceView> {
    throw new Error('unbuilt')
  }

  /** The caller's namespaces that are not deleted, by name. */
  list(_principal: UserPrincipal): Promise<readonly NamespaceView[]> {
    throw new Error('unbuilt')
  }

  get(_principal: UserPrincipal, _id: string): Promise<NamespaceView> {
    throw new Error('unbuilt')
  }

  setRetention(_principal: UserPrincipal, _id: string, _retention: RetentionInput): Promise<NamespaceView> {
    throw new Error('unbuilt')
  }

  /** Resolves when the namespace refuses reads and writes; its data is removed behind it. For admins. */
  remove(_principal: UserPrincipal, _id: NamespaceId | string): Promise<NamespaceView> {
    throw new Error('unbuilt')
  }

  /** Carries on with deletions that a stop interrupted; for the start. */
  resumeDeletions(): Promise<void> {
    throw new Error('unbuilt')
  }
}
