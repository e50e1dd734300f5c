import type { Field, Filter } from '../../../domain/filter.js'
import type { NamespaceId } from '../../../domain/ids.js'
import { CUT, EVENT_TERMS } from '../document/field-names.js'
import { fieldsOf } from './decide.js'
import type { SearchContext } from './pages.js'
import { SpanMarks } from './span-marks.js'

const NEEDS_TERMS: ReadonlySet<Field['in']> = new Set(['free', 'events', 'links'])

/** What a search says whose range holds spans that are not found by attributes of their events and links. */
export const EVENTS_NOT_INDEXED =
  'spans of earlier versions are not found by attributes of events and links, because this store indexes them only since the upgrade'

/** Knows which namespaces still have spans of versions that did not index the attributes of events and links. */
export class EventTerms {
  readonly #marks = new SpanMarks({ term: { [CUT]: EVENT_TERMS } })

  /** Warnings of a search by such attributes; none once all spans of the namespace are indexed, which does not change again. */
  async warnings(ns: NamespaceId, context: SearchContext, filter: Filter): Promise<readonly string[]> {
    if (!fieldsOf(filter).some(field => NEEDS_TERMS.has(field.in))) return []
    return (await this.#marks.isMissing(ns, context)) ? [EVENTS_NOT_INDEXED] : []
  }
}
