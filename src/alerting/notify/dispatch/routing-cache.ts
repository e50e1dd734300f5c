import { LRUCache } from 'lru-cache'
import type { RoutingDocument } from '../../../domain/alerts/silence.js'
import type { NamespaceId } from '../../../domain/ids.js'
import { NO_ROUTING, parseRouting } from '../route/parse-routing.js'
import { RouteTree, type Routing } from '../route/routing.js'

/** Namespaces whose compiled routing is kept. */
const MAX_CACHED = 500

/** A routing whose matchers are compiled. */
export interface CompiledRouting {
  /** 0 for a namespace that has stored none. */
  readonly version: number
  readonly routing: Routing
  readonly tree: RouteTree
}

function compiled(document: RoutingDocument | null): CompiledRouting {
  const routing = document === null ? NO_ROUTING : parseRouting(JSON.parse(document.document))
  return { version: document?.version ?? 0, routing, tree: new RouteTree(routing.root) }
}

/** Compiles each version of a routing once. */
export class RoutingCache {
  readonly #cached = new LRUCache<NamespaceId, CompiledRouting>({ max: MAX_CACHED })

  of(ns: NamespaceId, document: RoutingDocument | null): CompiledRouting {
    const known = this.#cached.get(ns)
    if (known && known.version === (document?.version ?? 0)) return known
    const routing = compiled(document)
    this.#cached.set(ns, routing)
    return routing
  }
}
