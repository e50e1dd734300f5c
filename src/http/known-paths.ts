import type { FastifyInstance } from 'fastify'
import { nearest } from '../domain/nearest.js'

/** One route as it was registered, e.g. `GET /api/v1/namespaces/:id`. */
export interface RouteEntry {
  readonly method: string
  readonly url: string
  readonly isHidden: boolean
}

function matches(pattern: readonly string[], path: readonly string[]): boolean {
  for (const [i, part] of pattern.entries()) {
    if (part === '*') return path.length > i
    const given = path[i]
    if (given === undefined) return false
    if (part.startsWith(':') ? given === '' : part !== given) return false
  }
  return pattern.length === path.length
}

/** Beyond it a path is not a misspelt one. */
const MAX_MISSPELT_CHARS = 128
const MAX_SUGGESTED = 5

/** The pattern with the path's own strings where it has parameters. */
function filled(pattern: string, path: readonly string[]): string {
  return pattern
    .split('/')
    .map((part, i) => (part.startsWith(':') ? (path[i] ?? part) : part))
    .join('/')
}

/** Every route of a server, gathered while they are registered: for `Allow` and for the walk of the OpenAPI document. */
export class KnownPaths {
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

  /** Methods of the routes at a path, sorted; empty without a route. */
  methodsAt(url: string): readonly string[] {
    const path = url.split('?', 1)[0]!.split('/')
    const found = this.#routes.filter(route => matches(route.url.split('/'), path)).map(route => route.method)
    return [...new Set(found)].sort()
  }

  /** Paths of routes that are similar to this one, for suggestions; may be empty. */
  pathsLike(url: string): readonly string[] {
    const requested = url.split('?', 1)[0]!
    // Before the regex, which takes the square of a long run of slashes.
    if (requested.length > MAX_MISSPELT_CHARS) return []
    const path = requested.replace(/\/+$/, '')
    if (path === '') return []
    const parts = path.split('/')
    const near = nearest(
      path,
      this.#routes.filter(({ url: pattern }) => !pattern.includes('*')).map(({ url: pattern }) => filled(pattern, parts))
    )
    if (near !== null) return [near]
    const shown = [...new Set(this.#routes.filter(({ isHidden }) => !isHidden).map(route => route.url))]
    const isBelow = (pattern: string): boolean => pattern.startsWith(`${path}/`) || pattern.startsWith(`/api/v1${path}/`)
    const isNamesake = (pattern: string): boolean => pattern.endsWith(`/${parts.at(-1)!}`)
    const found = [...shown.filter(isBelow), ...shown.filter(isNamesake)]
    return found.length <= MAX_SUGGESTED ? found : []
  }
}
