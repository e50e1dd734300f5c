import type { Field, Filter } from '../../../domain/filter.js'
import type { NamespaceId } from '../../../domain/ids.js'
import { CUT, EVENT_TERMS } from '../document/field-names.js'
import { fieldsOf } from './decide.js'
import type { Asking } from './pages.js'
import { none } from './query.js'
import { EVERY_TIME } from './scopes.js'
import { Scope } from './scope.js'

const NEEDS_TERMS: ReadonlySet<Field['in']> = new Set(['free', 'events', 'links'])
/** Namespaces that are known to have no span without terms. */
const MAX_KNOWN = 10_000

/** What a search says whose range holds spans that are not found by attributes of their events and links. */
export const EVENTS_NOT_INDEXED =
  'spans that an earlier version stored are not found by attributes of events and links: this store indexes them since the upgrade'

/** Knows which namespaces still have spans of versions that did not index the attributes of events and links. */
export class EventTerms {
  readonly #complete = new Set<NamespaceId>()

  /** Warnings of a search by such attributes; none once all spans of the namespace are indexed, which does not change again. */
  async warnings(ns: NamespaceId, asking: Asking, filter: Filter): Promise<readonly string[]> {
    if (this.#complete.has(ns) || !fieldsOf(filter).some(field => NEEDS_TERMS.has(field.in))) return []
    if (await hasBare(asking)) return [EVENTS_NOT_INDEXED]
    const { engine, scope, signal } = asking
    if (await hasBare({ engine, scope: new Scope(scope.target, EVERY_TIME), signal })) return []
    if (this.#complete.size >= MAX_KNOWN) this.#complete.clear()
    this.#complete.add(ns)
    return []
  }
}

async function hasBare({ engine, scope, signal }: Asking): Promise<boolean> {
  if (scope.target.indices.length === 0) return false
  const query = scope.confine(none({ term: { [CUT]: EVENT_TERMS } }))
  const body = { query, size: 1, track_total_hits: false, _source: false }
  return (await engine.search(scope.target.indices, body, signal)).hits.hits.length > 0
}
