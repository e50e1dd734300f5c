import type { NamespaceId } from '../domain/ids.js'
import type { EventStore } from '../ports/event-store.js'
import { withMethods } from './with-methods.js'

/** A store of one signal, as far as its records are removed. */
interface Deleting {
  deleteBefore(ns: NamespaceId, timeNs: bigint): Promise<void>
  dropNamespace(ns: NamespaceId): Promise<void>
}

// A signal that moved to a managed store may have left embedded records behind. Nobody reads them, but retention and the
// deletion of a namespace must reach them as long as their engine runs.

function dropsAlso(store: Pick<Deleting, 'dropNamespace'>, left: Pick<Deleting, 'dropNamespace'>): Deleting['dropNamespace'] {
  return async ns => {
    await left.dropNamespace(ns)
    await store.dropNamespace(ns)
  }
}

/** `store`, whose deletions also reach what lies in `left`. */
export function alsoDeleting<Store extends Deleting>(store: Store, left: Store): Store {
  const also: Deleting = {
    deleteBefore: async (ns, timeNs) => {
      await left.deleteBefore(ns, timeNs)
      await store.deleteBefore(ns, timeNs)
    },
    dropNamespace: dropsAlso(store, left)
  }
  return withMethods<Deleting>(store, also) as Store
}

/** As above, for page timings and errors, whose deletions name the kind. */
export function eventsAlsoDeleting(store: EventStore, left: EventStore): EventStore {
  return withMethods(store, {
    deleteBefore: async (ns, kind, timeNs) => {
      await left.deleteBefore(ns, kind, timeNs)
      await store.deleteBefore(ns, kind, timeNs)
    },
    dropNamespace: dropsAlso(store, left)
  })
}
