import { GatewayError } from '../../../domain/errors.js'
import type { NamespaceId } from '../../../domain/ids.js'
import type { NamespaceDirectory } from '../../../ports/namespace-directory.js'

/** The result to writes that come after the deletion of their namespace. */
export function deletedError(ns: NamespaceId): GatewayError {
  return new GatewayError('namespace_deleted', `the namespace ${ns} was deleted`)
}

/** Namespaces whose records are being or were removed: by this gateway, or as the directory knows from others. */
export class DroppedNamespaces {
  readonly #namespaces: NamespaceDirectory
  readonly #dropped = new Set<NamespaceId>()

  constructor(namespaces: NamespaceDirectory) {
    this.#namespaces = namespaces
  }

  add(ns: NamespaceId): void {
    this.#dropped.add(ns)
  }

  has(ns: NamespaceId): boolean {
    if (this.#dropped.has(ns)) return true
    const state = this.#namespaces.byId(ns)?.state
    return state === 'deleting' || state === 'deleted'
  }

  /** Throws `namespace_deleted` for one of them. */
  refuse(ns: NamespaceId): void {
    if (this.has(ns)) throw deletedError(ns)
  }
}
