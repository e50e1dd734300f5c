import type { FastifyInstance } from 'fastify'

/** One route as it was registered, e.g. `GET /api/v1/namespaces/:id`. */
export interface RouteEntry {
  readonly method: string
  readonly url: string
  readonly isHidden: boolean
}

function matches(pattern: readonly string[], path: readonly string[]): boolean {
  for (const [i, part] of pattern.entries()) {
    if (part === '*') return true
    const given = path[i]
    if (given === undefined) return false
    if (part.startsWith(':') ? given === '' : part !== given) return false
  }
  return pattern.length === path.length
}

/** Every route of a server, gathered while they are registered: for `Allow` and for the walk of the OpenAPI document. */
export class RouteTable {
  readonly #routes: RouteEntry[] = []

  /** Starts to gather; routes registered before are not known. */
  watch(app: FastifyInstance): void {
    app.addHook('onRoute', route => {
      const methods = Array.isArray(route.method) ? route.method : [route.method]
      for (const method of methods) this.#routes.push({ method, url: route.url, isHidden: route.schema?.hide === true })
    })
  }

  /** All routes in the order in which they were registered. */
  entries(): readonly RouteEntry[] {
    return this.#routes
  }

  /** Methods that answer at a path, sorted; empty when none does. */
  methodsAt(url: string): readonly string[] {
    const path = url.split('?', 1)[0]!.split('/')
    const found = this.#routes.filter(route => matches(route.url.split('/'), path)).map(route => route.method)
    return [...new Set(found)].sort()
  }
}
