import type { NamespaceId } from '../../../domain/ids.js'
import type { SearchContext } from './pages.js'
import { none, type Query } from './query.js'
import { EVERY_TIME } from './scopes.js'
import { Scope } from './scope.js'

/** Namespaces that are known to have no span without the mark. */
const MAX_KNOWN = 10_000

/** Knows which namespaces still have spans of versions that did not index what the present one does. */
export class SpanMarks {
  readonly #marked: Query
  readonly #complete = new Set<NamespaceId>()

  /** @param marked matches the spans that this version indexed. */
  constructor(marked: Query) {
    this.#marked = marked
  }

  /** Whether a span of the range lacks the mark. Once no span of the namespace does, none will again. */
  async isMissing(ns: NamespaceId, context: SearchContext): Promise<boolean> {
    if (this.#complete.has(ns)) return false
    if (await this.#hasBare(context)) return true
    const { engine, scope, signal } = context
    if (await this.#hasBare({ engine, scope: new Scope(scope.target, EVERY_TIME), signal })) return false
    if (this.#complete.size >= MAX_KNOWN) this.#complete.clear()
    this.#complete.add(ns)
    return false
  }

  async #hasBare({ engine, scope, signal }: SearchContext): Promise<boolean> {
    if (scope.target.indices.length === 0) return false
    const body = { query: scope.confine(none(this.#marked)), size: 1, track_total_hits: false, _source: false }
    return (await engine.search(scope.target.indices, body, signal)).hits.hits.length > 0
  }
}
